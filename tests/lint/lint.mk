# What `make lint` checks; the top Makefile includes this.

lint_checks := check-layers check-cycles check-words check-libc check-symbols \
	check-headers check-length check-format check-shell check-cppcheck check-tidy
lint-built: $(lint_checks)
	@echo 'lint: $(words $(lint_checks)) checks passed'

check-layers:
	$(Q)sh tests/lint/layers.sh $(sources)

# tsort names the members of a circle of includes.
check-cycles:
	$(Q)grep -H '^#include "' $(headers) /dev/null | \
		sed 's/:#include "\([^"]*\)".*/ \1/' | tsort >/dev/null

check-words:
	$(Q)awk -f tests/lint/words.awk $(sources)

# An empty program with all of libprof in it must link without any package.
check-libc: $(B)/libprof.a
	$(Q)echo 'int main(void) { return 0; }' | $(CC) $(sanitize) -xc - -xnone -o /dev/null \
		-Wl,--whole-archive $< -Wl,--no-whole-archive -pthread -lm

check-symbols: $(libs)
	$(Q)! nm -g --defined-only $^ | awk 'NF == 3 && $$3 !~ /^(prof_|perftools__)/ { \
		print "exported, but not prof_: " $$3 }' | grep .

# Each header, included alone and twice, on both compilers.
check-headers: $(generated)
	$(Q)for cc in $(CC) $(CLANG); do printf "$$cc %s\n" $(headers) $(wildcard cmd/*.h); done | \
		xargs -P2 -L1 sh -c 'printf "#include \"$$1\"\n#include \"$$1\"\n" | \
		$$0 $(cflags) $(package_cflags) -Werror -fsyntax-only -xc -'

check-length:
	$(Q)ctags --kinds-C=f --fields=+e -x --_xformat='%{end} %{line} %N %F' \
		$(filter %.c,$(sources)) | awk '$$1 - $$2 >= 70 { \
		print $$4 ":" $$2 ": " $$3 " has " $$1 - $$2 + 1 " lines"; bad = 1 } END { exit bad }'

check-format:
	$(Q)$(CLANG_FORMAT) --dry-run -Werror $(sources)

check-shell:
	$(Q)shellcheck $(wildcard tests/*.sh tests/*/*.sh .githooks/* .ci/run)

check-cppcheck: $(generated)
	$(Q)mkdir -p $(B)/cppcheck
	$(Q)cppcheck -q -j2 --cppcheck-build-dir=$(B)/cppcheck --std=c11 --error-exitcode=1 \
		--enable=warning,performance,portability --inline-suppr --library=posix,gnu \
		--suppressions-list=tests/lint/cppcheck.txt -D__GNUC__ -D_GNU_SOURCE \
		-DFGTOOL_VERSION='""' -I. -I$(B) $(prof_src) $(format_src) $(cmd_src)

# One stamp per file, renewed with its object: only what changed is analysed again.
tidied := $(patsubst %.c,$(B)/%.tidy,$(prof_src) $(format_src) $(cmd_src))
check-tidy:
	$(submake) $(tidied)
$(B)/%.tidy: %.c $(B)/%.o .clang-tidy
	$(call say,TIDY)
	$(Q)$(CLANG_TIDY) -quiet $< -- $(cflags) $(package_cflags) 2>$@.log || \
		{ cat $@.log; exit 1; }
	@touch $@

.PHONY: $(lint_checks)
