# fgtool - see README.md; `make help` lists the targets, `make setup` installs what
# they need. Sources are found by wildcard: adding a file touches nothing here.

version := 0.1.0

prefix ?= /usr/local
bindir ?= $(prefix)/bin
libdir ?= $(prefix)/lib
includedir ?= $(prefix)/include
datadir ?= $(prefix)/share
mandir ?= $(datadir)/man
DESTDIR ?=

CFLAGS ?= -O2 -g
CLANG ?= clang
CLANG_FORMAT ?= clang-format
CLANG_TIDY ?= clang-tidy
PKG_CONFIG ?= pkg-config
PROTOC_C ?= protoc-c
INSTALL ?= install
FUZZ_SECONDS ?= 60

# Every configuration has its own tree: `make SANITIZE=address,undefined check` and
# `make CC=clang` leave the release build alone. BUILD moves all of them elsewhere.
comma := ,
BUILD ?= build
config := $(if $(SANITIZE),$(subst $(comma),-,$(SANITIZE)),release)
config := $(config)$(if $(filter-out cc gcc,$(notdir $(CC))),-$(notdir $(CC)))
B := $(BUILD)/$(config)$(if $(CONFIG),-$(CONFIG))
Q := $(if $(V),,@)
# One job per processor, unless make was told how many.
submake = $(Q)+$(MAKE) --no-print-directory $(if $(findstring jobserver,$(MAKEFLAGS)),,\
	-j$(shell nproc 2>/dev/null || echo 2))
say = $(if $(V),,@printf '  %-6s %s\n' '$(1)' '$(patsubst $(B)/%,%,$@)')

# formats/ and cmd/ may use packages; libprof needs libc, libm and pthread alone.
# A missing package is no error here, so that `make setup` works on a bare machine.
packages := libprotobuf-c zlib libzstd cairo libxml-2.0 libpcre2-8
missing := $(shell for p in $(packages); do $(PKG_CONFIG) --exists $$p 2>/dev/null || \
	echo $$p; done; for p in $(CC) $(PROTOC_C); do command -v $$p >/dev/null || echo $$p; done)
isal := $(if $(filter no,$(ISAL)),,$(shell $(PKG_CONFIG) --exists libisal 2>/dev/null && \
	echo libisal))
# For -disasm: symbols and lines of programs, and instructions.
libdw := $(if $(filter no,$(LIBDW)),,$(shell $(PKG_CONFIG) --exists libdw libelf 2>/dev/null \
	&& echo libdw libelf))
capstone := $(if $(filter no,$(CAPSTONE)),,$(shell $(PKG_CONFIG) --exists capstone \
	2>/dev/null && echo capstone))
optional := $(isal) $(libdw) $(capstone)
pkg = $(if $(missing),,$(shell $(PKG_CONFIG) $(1) $(packages) $(optional)))
package_cflags := $(patsubst -I%,-isystem %,$(call pkg,--cflags))
package_cflags += $(if $(isal),-DPROF_HAVE_ISAL=1) $(if $(libdw),-DPROF_HAVE_LIBDW=1)
package_cflags += $(if $(capstone),-DPROF_HAVE_CAPSTONE=1) -DFGTOOL_VERSION='"$(version)"'
package_libs := $(call pkg,--libs)

warnings := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes \
	-Wmissing-prototypes -Wvla -Wcast-qual -Wwrite-strings -Wundef -Wformat=2
language := -std=c17 -D_GNU_SOURCE -I. -I$(B)
sanitize := $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=all \
	-fno-omit-frame-pointer)
common_cflags := $(language) -fvisibility=hidden -pthread $(CFLAGS) $(sanitize) $(CPPFLAGS)
cflags := $(warnings) $(if $(WERROR),-Werror) $(common_cflags)
ldlibs := $(package_libs) -pthread -lm
link = mkdir -p $(@D) && $(CC) $(CFLAGS) $(sanitize) $(LDFLAGS) -o $@ $(filter %.o %.a,$^)

prof_src := $(wildcard libprof/*/*.c)
format_src := $(wildcard formats/*.c formats/render/*.c)
cmd_src := $(wildcard cmd/*.c)
unit_src := $(wildcard tests/unit/libprof/test_*.c tests/unit/formats/test_*.c \
	tests/unit/cmd/test_*.c)
fuzz_src := $(wildcard tests/fuzz/fuzz_*.c)
bench_src := $(wildcard tests/bench/*.c)
proto := $(wildcard formats/*.proto)
assets := $(wildcard formats/render/*.js formats/render/*.css)
headers := $(wildcard libprof/*/*.h formats/*.h formats/render/*.h)
sources := $(prof_src) $(format_src) $(cmd_src) $(unit_src) $(bench_src) $(headers) \
	$(wildcard cmd/*.h tests/*.h tests/*/*.h tests/unit/*/*.h tests/fuzz/*.c)

obj = $(patsubst %.c,$(B)/%.o,$(1))
units := $(patsubst tests/unit/%.c,$(B)/tests/%,$(unit_src))
replays := $(patsubst tests/fuzz/%.c,$(B)/fuzz/%,$(fuzz_src))
benches := $(patsubst tests/bench/%.c,$(B)/bench/%,$(bench_src))
generated := $(proto:%.proto=$(B)/%.pb-c.c) $(proto:%.proto=$(B)/%.pb-c.h) \
	$(assets:%=$(B)/%.inc)

## all: build fgtool and the libraries (default)
all: $(B)/fgtool $(B)/libprof.a $(B)/libprofformats.a

## everything: build the tests, the fuzz replays and the benchmarks too
everything: all $(units) $(replays) $(benches)

# Link order is the dependency order: cmd -> formats -> libprof.
libs := $(B)/libprofformats.a $(B)/libprof.a
$(B)/fgtool: $(call obj,$(cmd_src)) $(libs)
	$(call say,LD)
	$(Q)$(link) $(ldlibs)

$(B)/libprof.a: $(call obj,$(prof_src))
$(B)/libprofformats.a: $(call obj,$(format_src)) $(proto:%.proto=$(B)/%.pb-c.o)
$(B)/%.a: $(B)/files
	$(call say,AR)
	$(Q)rm -f $@ && $(AR) rcs $@ $(filter %.o,$^)

$(B)/%.o: %.c $(B)/flags | $(generated)
	$(call say,CC)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(cflags) $(if $(filter libprof/%,$<),,$(package_cflags)) \
		$(if $(filter tests/%,$<),-Wno-unused-parameter) -MMD -MP -c -o $@ $<

# The pprof schema: generated code has its own idea of warnings.
$(B)/%.pb-c.o: $(B)/%.pb-c.c $(B)/%.pb-c.h $(B)/flags
	$(call say,CC)
	$(Q)$(CC) $(common_cflags) $(package_cflags) -w -c -o $@ $<
$(B)/%.pb-c.c $(B)/%.pb-c.h: %.proto $(B)/flags
	$(call say,PROTO)
	$(Q)mkdir -p $(@D) && $(PROTOC_C) --c_out=$(B) $<

# A script or style sheet as the bytes of a C array, without its declaration.
$(B)/%.inc: % $(B)/flags
	$(call say,BYTES)
	$(Q)mkdir -p $(@D) && od -An -v -tx1 $< | sed 's/ \(..\)/ 0x\1,/g' >$@

# Stamps: touched only when their text changes, and then what needs them is rebuilt.
stamp = mkdir -p $(@D) && { printf '%s\n' $(1) | cmp -s - $@ || printf '%s\n' $(1) >$@; }
$(B)/flags: force
	@$(if $(missing),echo 'fgtool cannot be built without: $(missing)' >&2; \
		sh tests/setup.sh --missing build; exit 1)
	@$(call stamp,'$(subst ','\'',$(CC) $(cflags) $(package_cflags))')
$(B)/files: force
	@$(call stamp,$(prof_src) $(format_src))

# Unit tests of libprof link libprof alone: a call up the layers fails to link.
cmocka_libs = $(shell $(PKG_CONFIG) --libs cmocka)
$(B)/tests/libprof/%: $(B)/tests/unit/libprof/%.o $(B)/libprof.a
	$(call say,LD)
	$(Q)$(link) $(cmocka_libs) -pthread -lm
$(B)/tests/formats/%: $(B)/tests/unit/formats/%.o $(libs)
	$(call say,LD)
	$(Q)$(link) $(cmocka_libs) $(ldlibs)
$(B)/tests/cmd/%: $(B)/tests/unit/cmd/%.o $(call obj,$(filter-out cmd/fgtool.c,$(cmd_src))) $(libs)
	$(call say,LD)
	$(Q)$(link) $(cmocka_libs) $(ldlibs)
$(B)/fuzz/%: $(B)/tests/fuzz/%.o $(B)/tests/fuzz/replay.o $(libs)
	$(call say,LD)
	$(Q)$(link) $(ldlibs)
$(B)/bench/%: $(B)/tests/bench/%.o $(libs)
	$(call say,LD)
	$(Q)$(link) $(ldlibs)

## setup: install the Debian packages that building, testing and linting need
setup:
	$(Q)sh tests/setup.sh build test lint

## demo: build, show a table and draw a flame graph of a real profile
demo:
	$(Q)sh tests/setup.sh build
	$(submake) all
	$(B)/fgtool top testdata/pprof/go-cpu.pb.gz
	cat testdata/pprof/go-cpu.pb.gz | $(B)/fgtool flame >$(BUILD)/demo.svg
	@echo 'a flame graph of the same profile: $(BUILD)/demo.svg (open it in a browser)'

## check: run every test (SANITIZE=address,undefined, FILTER=cli/top, BLESS=1 to accept)
check:
	$(Q)sh tests/setup.sh test
	$(submake) check-built
check-built: $(B)/fgtool $(units) $(replays)
	$(Q)sh tests/run.sh $(B)

## check-corpus: read every file of the profile collection at CORPUS=DIR
check-corpus: $(B)/fgtool
	$(if $(CORPUS),,$(error say which: make check-corpus CORPUS=DIR))
	$(Q)sh tests/corpus.sh $(B)/fgtool $(CORPUS)

## bench: measure speed and memory of the release build
bench: $(B)/fgtool $(benches)
	$(Q)sh tests/bench/run.sh $(B)/fgtool

## lint: layering, headers, symbols, function length, formatting, static analysis
lint:
	$(Q)sh tests/setup.sh lint
	$(submake) lint-built

## format: reformat every source file
format:
	$(Q)$(CLANG_FORMAT) -i $(sources)

## fuzz: run every fuzz target for FUZZ_SECONDS=60 (needs clang)
fuzz:
	$(Q)sh tests/setup.sh fuzz
	$(submake) CC=$(CLANG) SANITIZE=fuzzer-no-link,address,undefined \
		$(addprefix run-,$(notdir $(replays)))
$(B)/libfuzzer/%: $(B)/tests/fuzz/%.o $(libs)
	$(call say,LD)
	$(Q)$(link) -fsanitize=fuzzer $(ldlibs)
run-fuzz_%: $(B)/libfuzzer/fuzz_%
	$(Q)mkdir -p $(BUILD)/fuzz-corpus/$*
	$< -max_total_time=$(FUZZ_SECONDS) -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
		-artifact_prefix=$(BUILD)/fuzz-corpus/$*- $(BUILD)/fuzz-corpus/$* \
		$(shell find testdata -type d)

## coverage: run the tests on a build that counts, and say what they leave out
coverage:
	$(submake) CONFIG=coverage CFLAGS='-O0 -g --coverage' check
	$(Q)cd $(BUILD)/release-coverage && gcov -n $(patsubst %.c,%.o,$(prof_src) \
		$(format_src) $(cmd_src)) 2>/dev/null | awk -f $(CURDIR)/tests/lint/coverage.awk

# Laid out as under $(datadir); each shell looks in a place of its own.
completions := bash-completion/completions/fgtool zsh/site-functions/_fgtool \
	fish/vendor_completions.d/fgtool.fish
$(completions:%=$(B)/share/%): $(B)/share/%: $(B)/fgtool
	$(Q)mkdir -p $(@D)
	$(Q)$< completion $(firstword $(subst -, ,$(subst /, ,$*))) >$@

public = $(DESTDIR)$(includedir)/fgtool
pages := $(wildcard cmd/man/*.[17])

## install: install under $(DESTDIR)$(prefix)
install: all $(completions:%=$(B)/share/%)
	$(INSTALL) -d $(DESTDIR)$(bindir) $(DESTDIR)$(libdir)/pkgconfig
	$(INSTALL) $(B)/fgtool $(DESTDIR)$(bindir)
	$(INSTALL) -m 644 $(libs) $(DESTDIR)$(libdir)
	for name in libprof/libprof formats/libprofformats; do \
		sed -e 's|@prefix@|$(prefix)|' -e 's|@libdir@|$(libdir)|' \
			-e 's|@includedir@|$(includedir)|' -e 's|@version@|$(version)|' \
			-e 's|@packages@|$(packages) $(optional)|' $$name.pc.in \
			>$(DESTDIR)$(libdir)/pkgconfig/$${name#*/}.pc || exit 1; done
	for h in $(headers); do $(INSTALL) -D -m 644 $$h $(public)/$$h || exit 1; done
	for page in $(pages); do $(INSTALL) -D -m 644 $$page \
		$(DESTDIR)$(mandir)/man$${page##*.}/$${page##*/} || exit 1; done
	for f in $(completions); do $(INSTALL) -D -m 644 $(B)/share/$$f \
		$(DESTDIR)$(datadir)/$$f || exit 1; done

## uninstall: remove what install put there
uninstall:
	rm -f $(DESTDIR)$(bindir)/fgtool $(addprefix $(DESTDIR)$(libdir)/,$(notdir $(libs)) \
		pkgconfig/libprof.pc pkgconfig/libprofformats.pc) \
		$(completions:%=$(DESTDIR)$(datadir)/%)
	rm -rf $(public)
	for page in $(notdir $(pages)); do \
		rm -f $(DESTDIR)$(mandir)/man$${page##*.}/$$page; done

## dist: pack the last commit as build/fgtool-VERSION.tar.gz
dist:
	$(Q)mkdir -p $(BUILD)
	git archive --prefix=fgtool-$(version)/ -o $(BUILD)/fgtool-$(version).tar.gz HEAD

## clean: remove build/
clean:
	rm -rf $(BUILD)

## help: list the targets
help:
	@sed -n 's/^## \([a-z-]*\): /\1\t/p' Makefile | expand -t 14

force:
.PHONY: all everything setup demo check check-built check-corpus bench lint lint-built \
	format fuzz coverage install uninstall dist clean help force
.SECONDARY:
.DELETE_ON_ERROR:
include tests/lint/lint.mk
-include $(shell find $(B) -type f -name '*.d' 2>/dev/null)
