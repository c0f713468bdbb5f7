/* SPDX-License-Identifier: MIT */
#include "tests/test.h"

#include <libxml/HTMLparser.h>

#include "formats/render/html.h"
#include "formats/render/script.h"
#include "libprof/base/alloc.h"
#include "tests/unit/formats/shape.h"

/* The page of `shapes` as a C string. */
static struct prof_buf draw(const struct shape *shapes, uint32_t count,
			    const struct prof_picture_options *options)
{
	struct prof_calltree tree = tree_of(shapes, count);
	struct prof_buf notes = { 0 };
	struct prof_buf out = { 0 };
	struct prof_error err = { 0 };

	assert_true(prof_html_write(&tree, options, &out, &notes, &err));
	prof_buf_addc(&out, '\0');
	prof_buf_free(&notes);
	prof_arena_free(&tree.arena);
	return out;
}

/* Elements from `node` on, in document order. */
static int elements_in(const xmlNode *node)
{
	const xmlNode *top = node;
	int count = 0;

	while (node) {
		count += node->type == XML_ELEMENT_NODE;
		if (node->children && node->type == XML_ELEMENT_NODE) {
			node = node->children;
			continue;
		}
		while (node && node != top && !node->next) {
			node = node->parent;
		}
		node = node ? node->next : NULL;
	}
	return count;
}

/* How many elements an HTML parser finds. */
static int elements(const struct prof_buf *page)
{
	htmlDocPtr document = htmlReadMemory(
		page->data, (int)page->len - 1, NULL, "utf-8",
		HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET);
	int count = 0;

	assert_non_null(document);
	count = elements_in(xmlDocGetRootElement(document));
	xmlFreeDoc(document);
	return count;
}

static void assert_has(const struct prof_buf *page, const char *text)
{
	if (!strstr(page->data, text)) {
		fail_msg("not in the page: %s", text);
	}
}

static void assert_lacks(const struct prof_buf *page, const char *text)
{
	if (strstr(page->data, text)) {
		fail_msg("in the page: %s", text);
	}
}

/* The text between the first `open` and the `close` after it. */
static struct prof_text between(const struct prof_buf *page, const char *open,
				const char *close)
{
	const char *begin = strstr(page->data, open);
	const char *end = NULL;

	assert_non_null(begin);
	begin += strlen(open);
	end = strstr(begin, close);
	assert_non_null(end);
	return (struct prof_text){ begin, (size_t)(end - begin) };
}

static void the_table_has_self_and_total_of_outermost_frames(void **state)
{
	struct prof_buf page = draw(plain, 4, &samples);

	assert_has(&page,
		   "<tr><td>parse</td><td>4 (50.00%)</td><td>4 (50.00%)</td></tr>");
	assert_has(&page,
		   "<tr><td>main</td><td>1 (12.50%)</td><td>8 (100.00%)</td></tr>");
	assert_has(&page, "4 functions");
	prof_buf_free(&page);
}

static void a_recursive_function_counts_once(void **state)
{
	static const struct shape shapes[] = {
		{ 0, "all", 0 },
		{ 1, "f", 1 },
		{ 2, "g", 2 },
		{ 3, "f", 3 },
	};
	struct prof_calltree tree = tree_of(shapes, 4);
	struct prof_picture picture = { 0 };
	struct prof_picture_function *functions = NULL;
	struct prof_error err = { 0 };
	uint32_t count = 0;

	tree.nodes[3].name = tree.nodes[1].name;
	assert_true(prof_picture_init(&picture, &tree, &samples, &err));
	functions = prof_picture_functions(&picture, &count);
	assert_int_equal(count, 3);
	assert_int_equal(functions[0].name, 1);
	assert_int_equal(functions[0].self, 4);
	assert_int_equal(functions[0].total, 6);
	prof_free(functions);
	prof_picture_free(&picture);
	prof_arena_free(&tree.arena);
}

static void the_page_needs_nothing_but_itself(void **state)
{
	static const char *const bad[] = {
		"http://",        "https://",  "onload",
		"onclick",        "@import",   "url(",
		"innerHTML",      "outerHTML", "insertAdjacentHTML",
		"document.write", "eval(",     "new Function",
		" style=\"",
	};
	struct prof_buf page = draw(plain, 4, &samples);

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_lacks(&page, bad[i]);
	}
	prof_buf_free(&page);
}

static void the_policy_has_the_hashes_of_style_and_script(void **state)
{
	struct prof_buf page = draw(plain, 4, &samples);
	struct prof_text style = between(&page, "<style>", "</style>");
	struct prof_text script = between(&page, "<script>", "</script>");
	char digest[PROF_SCRIPT_DIGEST + 1];
	char want[80];

	prof_script_digest(style.data, style.len, digest);
	snprintf(want, sizeof(want), "style-src 'sha256-%s';", digest);
	assert_has(&page, want);
	prof_script_digest(script.data, script.len, digest);
	snprintf(want, sizeof(want), "script-src 'sha256-%s';", digest);
	assert_has(&page, want);
	assert_has(&page, "default-src 'none';");
	prof_buf_free(&page);
}

/* The SHA-256 of "abc" is in FIPS 180-4; its base64 is what openssl makes of it. */
static void digests_are_base64(void **state)
{
	char digest[PROF_SCRIPT_DIGEST + 1];

	prof_script_digest("abc", 3, digest);
	assert_string_equal(digest, "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
}

static void script_and_style_keep_their_budget(void **state)
{
	struct prof_buf page = draw(plain, 4, &samples);

	assert_true(between(&page, "<style>", "</style>").len +
			    between(&page, "<script>", "</script>").len <=
		    40 << 10);
	prof_buf_free(&page);
}

static void hostile_names_change_no_element(void **state)
{
	struct shape bad[HOSTILE + 1] = { { 0, "all", 0 } };
	struct shape good[HOSTILE + 1] = { { 0, "all", 0 } };
	struct prof_picture_options options = samples;
	struct prof_buf page = { 0 };
	int count = 0;

	for (uint32_t i = 0; i < HOSTILE; i++) {
		bad[i + 1] = (struct shape){ i + 1, hostile[i], 1 };
		good[i + 1] = (struct shape){ i + 1, "a", 1 };
	}
	/* One box of each color, so that the number of paths is the same. */
	options.color_by = PROF_PICTURE_COLOR_KIND;
	bad[HOSTILE].name = good[HOSTILE].name = "z";
	options.title = options.subtitle = prof_text("t");
	page = draw(good, HOSTILE + 1, &options);
	count = elements(&page);
	prof_buf_free(&page);

	for (int i = 0; i < HOSTILE - 1; i++) {
		options.title = options.subtitle = prof_text(hostile[i]);
		options.type = options.unit = prof_text(hostile[i]);
		page = draw(bad, HOSTILE + 1, &options);
		assert_in_range(elements(&page), count - 5, count + 5);
		assert_lacks(&page, "\xe2\x80\xae");
		assert_lacks(&page, "\x1b");
		prof_buf_free(&page);
	}
}

static void no_name_ends_the_data(void **state)
{
	/* The name before shares 28 bytes, and 28 is written as a '<'. */
	static const struct shape shapes[] = {
		{ 0, "all", 0 },
		{ 1, "0123456789012345678901234567", 1 },
		{ 1, "0123456789012345678901234567/script><b>", 1 },
		{ 1, "</script><b>", 1 },
		{ 1, "<!--<script>", 1 },
		{ 1, "vector<a>", 1 },
		{ 1, "vector</", 1 },
		{ 1, "vector</b", 1 },
	};
	struct prof_buf page = draw(shapes, 8, &samples);
	struct prof_text data = between(&page, "text/x-fg1\">", "</script>");

	assert_true(memmem(data.data, data.len, "\nframes 8\n", 10) != NULL);
	assert_null(memmem(data.data, data.len, "<!", 2));
	assert_null(memmem(data.data, data.len, "</", 2));
	prof_buf_free(&page);
}

static void same_input_same_bytes(void **state)
{
	struct prof_buf one = draw(plain, 4, &samples);
	struct prof_buf two = draw(plain, 4, &samples);

	assert_int_equal(one.len, two.len);
	assert_memory_equal(one.data, two.data, one.len);
	prof_buf_free(&one);
	prof_buf_free(&two);
}

static void an_empty_profile_is_a_page_too(void **state)
{
	static const struct shape nothing[] = { { 0, "all", 0 } };
	struct prof_buf page = draw(nothing, 1, &samples);

	assert_has(&page, "<p>no samples</p>");
	assert_has(&page, "0 functions");
	prof_buf_free(&page);
}

static void every_failed_allocation_is_reported(void **state)
{
	struct prof_calltree tree = tree_of(plain, 4);
	struct prof_error err = { 0 };
	bool ok = false;

	for (int64_t n = 0; !ok; n++) {
		struct prof_buf out = { 0 };
		struct prof_buf notes = { 0 };

		prof_alloc_fail_after(n);
		ok = prof_html_write(&tree, &samples, &out, &notes, &err);
		prof_alloc_fail_after(-1);
		assert_true(ok || err.code == PROF_ERR_NOMEM);
		prof_buf_free(&out);
		prof_buf_free(&notes);
	}
	prof_arena_free(&tree.arena);
}

TEST_MAIN(cmocka_unit_test(the_table_has_self_and_total_of_outermost_frames),
	  cmocka_unit_test(a_recursive_function_counts_once),
	  cmocka_unit_test(the_page_needs_nothing_but_itself),
	  cmocka_unit_test(the_policy_has_the_hashes_of_style_and_script),
	  cmocka_unit_test(digests_are_base64),
	  cmocka_unit_test(script_and_style_keep_their_budget),
	  cmocka_unit_test(hostile_names_change_no_element),
	  cmocka_unit_test(no_name_ends_the_data),
	  cmocka_unit_test(same_input_same_bytes),
	  cmocka_unit_test(an_empty_profile_is_a_page_too),
	  cmocka_unit_test(every_failed_allocation_is_reported))
