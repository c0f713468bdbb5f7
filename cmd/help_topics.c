/* SPDX-License-Identifier: MIT */
#include "cmd/help.h"

#include <stddef.h>

static const char exit_codes[] =
	"0    done; for commands that answer a question: yes\n"
	"1    the answer is no: check found faults, or other sample types than asked for;\n"
	"     a gate of diff failed\n"
	"2    trouble: wrong usage, an input that cannot be read, an output that cannot\n"
	"     be written; a line on standard error says what and where\n"
	"3    diff: the profiles cannot be compared: other sample types, nothing on a\n"
	"     side, or values below 0\n"
	"4    diff --strict: a gate could neither pass nor fail\n"
	"\n"
	"A failed command leaves no half-written file: -o FILE is replaced in one step,\n"
	"when every byte is on the disk, or stays as it was.\n";

static const char environment[] =
	"NO_COLOR         not empty: no color, unless --color=always\n"
	"CLICOLOR_FORCE   not empty and not 0: color even in a pipe\n"
	"TERM             unset, empty or dumb: no color\n"
	"COLUMNS          the width that names are cut to on a terminal\n"
	"\n"
	"None of them changes a number or a file. An option on the command line comes\n"
	"first: with --color=never there is no color whatever is set. The locale is\n"
	"ignored: numbers and order are the same everywhere.\n";

static const char units[] =
	"A profile has one or more sample types, each with a unit: cpu in nanoseconds,\n"
	"alloc_space in bytes, samples in count. Values are whole numbers of that unit.\n"
	"\n"
	"Text shows them in a unit that fits: 1.25s, 340ms, 12.50MB. Formats for programs\n"
	"(--format=json, csv) have the whole numbers as they are; json names the unit.\n"
	"\n"
	"Options take sizes as 4096, 64K or 64KiB (1024 bytes), 64kB (1000 bytes), 1.5G;\n"
	"durations as 10ms, 1.5s, 2m, a bare number being seconds; fractions as 0.05 or\n"
	"5%.\n";

static const char filters[] =
	"A filter is a regular expression. It is matched against names of functions, file\n"
	"names and names of modules, anywhere in the name unless it begins with ^ or ends\n"
	"with $; (?i) at its start makes it blind to case.\n"
	"\n"
	"  --focus=RE             only samples with a matching frame in their stack\n"
	"  --ignore=RE            no samples with a matching frame\n"
	"  --hide=RE              without the matching frames; their samples stay\n"
	"  --show=RE              only the matching frames; others leave their stacks\n"
	"  --show-from=RE         only what is below the first match from the root\n"
	"  --tag-focus=[KEY=]RE   only samples with a matching label, or a number in a\n"
	"                         range: bytes=4kb:64kb\n"
	"  --tag-ignore=[KEY=]RE  no samples with a matching label\n"
	"  --tag-show=RE          only labels with a matching key\n"
	"  --tag-hide=RE          no labels with a matching key\n"
	"  --prune-from=RE        without what the innermost matching function calls\n"
	"\n"
	"They apply in this order, each to what the one before left. pprof's spelling,\n"
	"-focus=RE and -tagfocus=RE, is understood too.\n"
	"\n"
	"The syntax is that of RE2, which pprof uses: no back-references, no look-around.\n"
	"In a shell put the expression in quotes: --focus='^main\\.'\n";

static const char gates[] =
	"fgtool diff --gate=EXPR exits 1 when the expression holds:\n"
	"\n"
	"  total>+2%                     all together takes over 2% longer\n"
	"  cum>+3% where share>=1%       a function of 1% or more does, with its callees\n"
	"  flat>+20ms                    a function's own code takes 20 ms more a run\n"
	"  cum(^db\\.)>+0%               functions that match, taken together, got slower\n"
	"  new>+1pp                      something new takes 1% of the total\n"
	"  cum(^hash)>-10%               it did not become 10% cheaper\n"
	"  total>+5% where label k=v     within the samples with a label\n"
	"\n"
	"A gate fails when that is proven (--gate-mode), passes when the contrary is, and\n"
	"is inconclusive in between: record more runs of each, five a side are good.\n"
	"With --strict, inconclusive is exit status 4. `total` needs to know what the\n"
	"runs did: --per=requests=900:950, --normalize=none or --normalize=duration.\n";

static const char recipes[] =
	"what is slow?             fgtool top cpu.pb.gz\n"
	"who calls it?             fgtool tree --leaf-first cpu.pb.gz\n"
	"show me                   fgtool flame -o cpu.svg cpu.pb.gz\n"
	"what changed?             fgtool diff before.pb.gz after.pb.gz\n"
	"is it noise?              fgtool diff --before='before*.gz' --after='after*.gz'\n"
	"fail a slow build         fgtool diff --gate='flat>+10%' before*.gz -- after*.gz\n"
	"many hosts, one profile   fgtool merge -o all.pb.gz host-*.pb.gz\n"
	"only one package          fgtool filter --focus=json -o json.pb.gz cpu.pb.gz\n"
	"only memory in use        fgtool top --sample-type=inuse_space heap.pb.gz\n"
	"time by a label           fgtool top --by=label:route cpu.pb.gz\n"
	"from a pipe               cat cpu.pb.gz | fgtool top\n"
	"for a program             fgtool top --format=json cpu.pb.gz | jq '.rows[0]'\n"
	"for a spreadsheet         fgtool top --format=csv cpu.pb.gz >top.csv\n"
	"for a pull request        fgtool top --format=md cpu.pb.gz\n"
	"what is in this file?     fgtool info cpu.pb.gz\n"
	"is it sound?              fgtool check cpu.pb.gz\n"
	"for flamegraph.pl         fgtool convert --to=folded cpu.pb.gz\n";

const struct help_topic help_topics[] = {
	{ "environment", "variables that change what fgtool does", environment },
	{ "exit-codes", "what the exit status of a command means", exit_codes },
	{ "filters", "how parts of a profile are chosen", filters },
	{ "gates", "what makes a comparison fail", gates },
	{ "recipes", "command lines for common questions", recipes },
	{ "units", "how values are counted and shown", units },
	{ NULL, NULL, NULL },
};
