/* SPDX-License-Identifier: MIT */
#include "tests/test.h"

#include <string.h>

#include "libprof/base/sha256.h"

static void check(const char *data, size_t len, const char *want)
{
	char hex[PROF_SHA256_HEX + 1];

	prof_sha256_hex(data, len, hex);
	assert_string_equal(hex, want);
}

/* The vectors of FIPS 180-4's examples. */
static void the_published_vectors_hold(void **state)
{
	char million[1000];

	check("", 0,
	      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	check("abc", 3,
	      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	check("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
	      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
	memset(million, 'a', sizeof(million));
	check(million, sizeof(million),
	      "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3");
}

TEST_MAIN(cmocka_unit_test(the_published_vectors_hold))
