/* SPDX-License-Identifier: MIT */
/*
 * The scripts know nothing of fgtool: at each TAB they ask `fgtool __complete`, which
 * reads the tables that parsing and --help read.
 */
#include <stdio.h>
#include <string.h>

#include "cmd/command.h"
#include "cmd/complete.h"
#include "cmd/option.h"
#include "cmd/suggest.h"

static const char bash_script[] =
	"# shellcheck shell=bash\n"
	"# bash completion for fgtool, printed by `fgtool completion bash`\n"
	"_fgtool() {\n"
	"	local line=${COMP_LINE:0:COMP_POINT} words path word drop='' before=''\n"
	"	read -ra words <<<\"$line\"\n"
	"	[[ $line == *[[:space:]] ]] && words+=('')\n"
	"	path=${words[-1]} COMPREPLY=()\n"
	"	if [[ $path == -*=* ]]; then\n"
	"		before=${path%%=*}= path=${path#*=}\n"
	"		# Where \"=\" ends a word, bash replaces only what follows it.\n"
	"		[[ $COMP_WORDBREAKS == *=* ]] && drop=$before before=''\n"
	"	fi\n"
	"	while IFS=$'\\t' read -r word _; do\n"
	"		case $word in\n"
	"		:file | :dir)\n"
	"			compopt -o filenames\n"
	"			[[ $word == :file ]] && word=-f || word=-d\n"
	"			mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(\n"
	"				compgen -P \"$before\" \"$word\" -- \"$path\"\n"
	"			)\n"
	"			;;\n"
	"		*)\n"
	"			[[ $word == *= ]] && compopt -o nospace\n"
	"			COMPREPLY+=(\"${word#\"$drop\"}\")\n"
	"			;;\n"
	"		esac\n"
	"	done < <(\"${COMP_WORDS[0]}\" __complete \"${words[@]:1}\" 2>/dev/null)\n"
	"}\n"
	"complete -F _fgtool fgtool\n";

static const char zsh_script[] =
	"#compdef fgtool\n"
	"# zsh completion for fgtool, printed by `fgtool completion zsh`\n"
	"_fgtool() {\n"
	"	local line word what files\n"
	"	local -a lines plain open\n"
	"	lines=(\"${(@f)$(\"${words[1]}\" __complete \"${(@)words[2,CURRENT]}\" 2>/dev/null)}\")\n"
	"	for line in $lines; do\n"
	"		word=${line%%$'\\t'*} what=${line#*$'\\t'}\n"
	"		case $word in\n"
	"		:file | :dir) files=$word ;;\n"
	"		*=) open+=(\"${word//:/\\\\:}:$what\") ;;\n"
	"		*) plain+=(\"${word//:/\\\\:}:$what\") ;;\n"
	"		esac\n"
	"	done\n"
	"	(( $#plain )) && _describe -t words fgtool plain\n"
	"	(( $#open )) && _describe -t options fgtool open -S ''\n"
	"	if [[ -n $files ]]; then\n"
	"		[[ $PREFIX == -*=* ]] && compset -P '*='\n"
	"		[[ $files == :dir ]] && _files -/ || _files\n"
	"	fi\n"
	"}\n"
	"if [[ $funcstack[1] == _fgtool ]]; then\n"
	"	_fgtool \"$@\"\n"
	"else\n"
	"	compdef _fgtool fgtool\n"
	"fi\n";

static const char fish_script[] =
	"# fish completion for fgtool, printed by `fgtool completion fish`\n"
	"function __fgtool_complete\n"
	"	set -l words (commandline -opc)\n"
	"	set -l typed (commandline -ct)\n"
	"	set -l program $words[1]\n"
	"	set -e words[1]\n"
	"	set -l before (string match -r -- '^-.*=' $typed)\n"
	"	set -l path (string replace -r -- '^-.*=' '' $typed)\n"
	"	for line in ($program __complete $words \"$typed\" 2>/dev/null)\n"
	"		switch $line\n"
	"			case :file\n"
	"				printf \"$before%s\\n\" (__fish_complete_path \"$path\")\n"
	"			case :dir\n"
	"				printf \"$before%s\\n\" (__fish_complete_directories \"$path\" '')\n"
	"			case '*'\n"
	"				echo $line\n"
	"		end\n"
	"	end\n"
	"end\n"
	"complete -c fgtool -f -a '(__fgtool_complete)'\n";

static const char *const scripts[] = { bash_script, zsh_script, fish_script };

static int run_completion(const struct command *self, int argc, char **argv)
{
	char hint[100];

	argc = options_parse(self, NULL, argc, argv);
	if (argc != 1) {
		usage_error(self, "name one shell: bash, zsh or fish");
	}
	for (size_t i = 0; i < sizeof(scripts) / sizeof(scripts[0]); i++) {
		if (strcmp(completion_shells[i], argv[0]) == 0) {
			fputs(scripts[i], stdout);
			return EXIT_DONE;
		}
	}
	suggest_words(argv[0], "", completion_shells, hint, sizeof(hint));
	usage_error(self, "no completion for '%s'%s", argv[0], hint);
}

/* Options of other commands are what this completes, so it reads none of its own. */
static int run_complete(const struct command *self, int argc, char **argv)
{
	struct prof_buf out = { 0 };

	(void)self;
	complete_words(argv + 1, (size_t)(argc - 1), &out);
	if (out.len > 0) {
		fwrite(out.data, 1, out.len, stdout);
	}
	prof_buf_free(&out);
	return EXIT_DONE;
}

static const char description[] =
	"The script completes commands, options, their values and file names. Keep it\n"
	"where the shell looks for it, which `make install` does:\n"
	"  bash: ~/.local/share/bash-completion/completions/fgtool\n"
	"  zsh:  _fgtool in one of the directories of $fpath\n"
	"  fish: ~/.config/fish/completions/fgtool.fish\n";

static const struct example examples[] = {
	{ "source <(fgtool completion bash)", "try it in the bash you are in" },
	{ "fgtool completion zsh >~/.zsh/_fgtool", "keep it, with ~/.zsh in $fpath" },
	{ "fgtool completion fish | source", "try it in the fish you are in" },
	{ 0 },
};

const struct command cmd_completion = {
	.name = "completion",
	.group = "about fgtool",
	.summary = "Print the script that completes fgtool in a shell",
	.usage = "bash|zsh|fish",
	.description = description,
	.examples = examples,
	.run = run_completion,
};

const struct command cmd_complete = {
	.name = "__complete",
	.summary = "Print what may complete the words given",
	.usage = "[WORD...]",
	.run = run_complete,
};
