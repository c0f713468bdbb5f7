/* SPDX-License-Identifier: MIT */
#include "tests/test.h"

#include <math.h>

#include "libprof/flame/palette_names.h"

/* WCAG 2.1: relative luminance. */
static double luminance(struct prof_rgb rgb)
{
	double channels[] = { rgb.r / 255.0, rgb.g / 255.0, rgb.b / 255.0 };

	for (int i = 0; i < 3; i++) {
		channels[i] = channels[i] <= 0.04045
				      ? channels[i] / 12.92
				      : pow((channels[i] + 0.055) / 1.055, 2.4);
	}
	return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2];
}

static double contrast(struct prof_rgb a, struct prof_rgb b)
{
	double high = luminance(a);
	double low = luminance(b);

	return high > low ? (high + 0.05) / (low + 0.05) : (low + 0.05) / (high + 0.05);
}

static void labels_can_be_read_on_every_fill(void **state)
{
	for (int palette = 0; palette <= PROF_PALETTE_TINTS; palette++) {
		for (int theme = 0; theme <= PROF_THEME_DARK; theme++) {
			for (uint32_t c = 0; c < PROF_PALETTE_CLASSES; c++) {
				struct prof_rgb fill =
					prof_palette_fill((enum prof_palette)palette,
							  (enum prof_theme)theme, c);
				struct prof_rgb label =
					prof_palette_label((enum prof_theme)theme);

				assert_true(contrast(fill, label) >= 4.5);
			}
		}
	}
}

static void the_hash_is_fnv_1a(void **state)
{
	assert_int_equal(prof_palette_hash(prof_text("")), 0x811c9dc5);
	assert_int_equal(prof_palette_hash(prof_text("a")), 0xe40c292c);
	assert_int_equal(prof_palette_hash(prof_text("foobar")), 0xbf9cf968);
}

static void a_name_has_one_class_and_names_have_many(void **state)
{
	bool used[PROF_PALETTE_CLASSES] = { false };
	int classes = 0;

	for (char c = 'a'; c <= 'z'; c++) {
		for (char d = 'a'; d <= 'z'; d++) {
			char name[] = { 'f', '_', c, d };
			struct prof_text text = { name, sizeof(name) };
			uint32_t k = prof_palette_class(text);

			assert_in_range(k, 0, PROF_PALETTE_CLASSES - 1);
			assert_int_equal(k, prof_palette_class(text));
			classes += !used[k];
			used[k] = true;
		}
	}
	assert_int_equal(classes, PROF_PALETTE_CLASSES);
}

static void shades_of_a_tint_stay_with_their_tint(void **state)
{
	uint32_t jit = prof_palette_tint_class(PROF_TINT_JIT, prof_text("Foo.bar"));
	uint32_t native =
		prof_palette_tint_class(PROF_TINT_NATIVE, prof_text("Foo.bar"));

	assert_int_equal(jit / PROF_PALETTE_SHADES, PROF_TINT_JIT);
	assert_int_equal(native / PROF_PALETTE_SHADES, PROF_TINT_NATIVE);
	assert_true(PROF_TINT_COUNT * PROF_PALETTE_SHADES <= PROF_PALETTE_CLASSES);
}

static void check_package(const char *name, const char *package)
{
	struct prof_text found = prof_palette_package(prof_text(name));

	assert_int_equal(found.len, strlen(package));
	assert_memory_equal(found.data, package, found.len);
}

static void packages_are_what_stands_before_the_last_name(void **state)
{
	check_package("encoding/json.Marshal", "encoding/json");
	check_package("std::vector<a::b>::push_back(c::d)", "std");
	check_package("java.util.HashMap.get", "java.util.HashMap");
	check_package("main", "");
	check_package("(anonymous namespace)::f", "(anonymous namespace)");
	check_package("", "");
}

static void check_hue(enum prof_palette palette, const char *name, char annotation,
		      enum prof_hue want)
{
	enum prof_hue found = prof_palette_hue(palette, prof_text(name), annotation);

	if (found != want) {
		fail_msg("%s: hue %d, not %d", name, (int)found, (int)want);
	}
	assert_int_equal(prof_palette_name_class(palette, prof_text(name), annotation) /
				 PROF_PALETTE_SHADES,
			 want);
}

static void names_say_their_hue_as_in_flamegraph_pl(void **state)
{
	check_hue(PROF_PALETTE_JAVA, "Lorg/mozilla/javascript/Context:.call", 0,
		  PROF_HUE_GREEN);
	check_hue(PROF_PALETTE_JAVA, "java.util.HashMap.get", 0, PROF_HUE_GREEN);
	check_hue(PROF_PALETTE_JAVA, "foo:::bar", 0, PROF_HUE_GREEN);
	check_hue(PROF_PALETTE_JAVA, "x", 'j', PROF_HUE_GREEN);
	check_hue(PROF_PALETTE_JAVA, "org/x", 'i', PROF_HUE_AQUA);
	check_hue(PROF_PALETTE_JAVA, "JavaCalls::call", 0, PROF_HUE_YELLOW);
	check_hue(PROF_PALETTE_JAVA, "sys_read", 'k', PROF_HUE_ORANGE);
	check_hue(PROF_PALETTE_JAVA, "organic", 0, PROF_HUE_RED);
	check_hue(PROF_PALETTE_JS, "LazyCompile:~a /x/y.js:3", 'j', PROF_HUE_GREEN);
	check_hue(PROF_PALETTE_JS, "Builtin:x", 'j', PROF_HUE_AQUA);
	check_hue(PROF_PALETTE_JS, "a /x.js:1", 0, PROF_HUE_GREEN);
	check_hue(PROF_PALETTE_JS, "Stub:x", 0, PROF_HUE_AQUA);
	check_hue(PROF_PALETTE_JS, "v8::x", 0, PROF_HUE_YELLOW);
	check_hue(PROF_PALETTE_JS, " ", 0, PROF_HUE_GREEN);
	check_hue(PROF_PALETTE_PERL, "Perl_runops", 0, PROF_HUE_GREEN);
	check_hue(PROF_PALETTE_PERL, "a::b", 'k', PROF_HUE_YELLOW);
	check_hue(PROF_PALETTE_WAKEUP, "any", 'k', PROF_HUE_AQUA);
	check_hue(PROF_PALETTE_CHAIN, "waker_[w]", 0, PROF_HUE_AQUA);
	check_hue(PROF_PALETTE_CHAIN, "waiter", 0, PROF_HUE_BLUE);
	check_hue(PROF_PALETTE_CHAIN, "--", 0, PROF_HUE_GREY);
}

static void names_say_their_hue_as_in_inferno(void **state)
{
	check_hue(PROF_PALETTE_PYTHON, "f (/usr/lib/python3.11/json/x.py)", 0,
		  PROF_HUE_YELLOW);
	check_hue(PROF_PALETTE_PYTHON, "f (/lib/python3/site-packages/x.py)", 0,
		  PROF_HUE_AQUA);
	check_hue(PROF_PALETTE_PYTHON, "<built-in method>", 0, PROF_HUE_YELLOW);
	check_hue(PROF_PALETTE_PYTHON, "main (app.py)", 0, PROF_HUE_RED);
	check_hue(PROF_PALETTE_PYTHON, "f (pythonic/x.py)", 0, PROF_HUE_RED);
	check_hue(PROF_PALETTE_PYTHON, "", 0, PROF_HUE_RED);
	check_hue(PROF_PALETTE_RUST, "app`core::fmt::write", 0, PROF_HUE_ORANGE);
	check_hue(PROF_PALETTE_RUST, "<alloc::vec::Vec<T>>::push", 0, PROF_HUE_ORANGE);
	check_hue(PROF_PALETTE_RUST,
		  "<core::future::from_generator::GenFuture<T> as x::F>::poll", 0,
		  PROF_HUE_AQUA);
	check_hue(PROF_PALETTE_RUST, "regex::exec", 0, PROF_HUE_AQUA);
	check_hue(PROF_PALETTE_RUST, "main", 0, PROF_HUE_YELLOW);
}

TEST_MAIN(cmocka_unit_test(labels_can_be_read_on_every_fill),
	  cmocka_unit_test(the_hash_is_fnv_1a),
	  cmocka_unit_test(a_name_has_one_class_and_names_have_many),
	  cmocka_unit_test(shades_of_a_tint_stay_with_their_tint),
	  cmocka_unit_test(packages_are_what_stands_before_the_last_name),
	  cmocka_unit_test(names_say_their_hue_as_in_flamegraph_pl),
	  cmocka_unit_test(names_say_their_hue_as_in_inferno))
