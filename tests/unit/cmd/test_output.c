/* SPDX-License-Identifier: MIT */
#include "tests/test.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/output.h"

/* Every test runs in a directory of its own. */
static char folder[64];

static int enter_folder(void **state)
{
	snprintf(folder, sizeof(folder), "/tmp/test_output.XXXXXX");
	umask(022);
	return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave_folder(void **state)
{
	DIR *dir = opendir(".");

	for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
		if (unlink(entry->d_name) != 0) {
			rmdir(entry->d_name);
		}
	}
	closedir(dir);
	return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

static void put(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void assert_holds(const char *path, const char *want)
{
	char text[100] = "";
	FILE *file = fopen(path, "r");

	assert_non_null(file);
	assert_int_equal(fread(text, 1, sizeof(text) - 1, file), strlen(want));
	assert_string_equal(text, want);
	fclose(file);
}

static size_t files_here(void)
{
	DIR *dir = opendir(".");
	size_t count = 0;

	while (readdir(dir)) {
		count++;
	}
	closedir(dir);
	return count - 2;
}

static unsigned mode_of(const char *path)
{
	struct stat at;

	assert_int_equal(stat(path, &at), 0);
	return at.st_mode & 07777;
}

static void write_ok(const char *path, const char *text)
{
	struct prof_error err = { 0 };

	if (!output_write(path, text, strlen(text), false, &err)) {
		fail_msg("%s", err.message);
	}
}

static void assert_refused(const char *path, const char *message)
{
	struct prof_error err = { 0 };

	assert_false(output_write(path, "x", 1, false, &err));
	assert_string_equal(err.message, message);
}

static void a_new_file_has_the_usual_mode(void **state)
{
	write_ok("new", "text");
	assert_holds("new", "text");
	assert_int_equal(mode_of("new"), 0644);
	assert_int_equal(files_here(), 1);
}

static void an_old_file_keeps_its_mode(void **state)
{
	put("old", "before");
	chmod("old", 0600);
	write_ok("old", "after");
	assert_holds("old", "after");
	assert_int_equal(mode_of("old"), 0600);
	assert_int_equal(files_here(), 1);
}

static void what_is_not_committed_never_was(void **state)
{
	struct prof_error err = { 0 };
	struct output out;

	put("old", "before");
	assert_true(output_open(&out, "old", false, &err));
	assert_true(output_add(&out, "half", 4, &err));
	assert_holds("old", "before");
	output_free(&out);
	output_free(&out);
	assert_holds("old", "before");
	assert_int_equal(files_here(), 1);
}

static void pieces_arrive_in_order(void **state)
{
	static char piece[100000];
	struct prof_error err = { 0 };
	struct output out;
	struct stat at;

	assert_true(output_open(&out, "big", true, &err));
	for (int i = 0; i < 30; i++) {
		memset(piece, 'a' + i % 26, sizeof(piece));
		assert_true(output_add(&out, piece, sizeof(piece), &err));
		assert_true(output_add(&out, "\n", 1, &err));
	}
	assert_true(output_commit(&out, &err));
	assert_int_equal(stat("big", &at), 0);
	assert_int_equal(at.st_size, 30 * (sizeof(piece) + 1));
	assert_int_equal(system("cut -c1 big | tr -d '\\n' | "
				"grep -qx abcdefghijklmnopqrstuvwxyzabcd"),
			 0);
}

static void a_link_stays_a_link(void **state)
{
	struct stat at;

	put("target", "before");
	assert_int_equal(symlink("target", "one"), 0);
	assert_int_equal(symlink("one", "two"), 0);
	assert_int_equal(symlink("nowhere", "dangling"), 0);
	write_ok("two", "after");
	assert_holds("target", "after");
	assert_int_equal(lstat("two", &at), 0);
	assert_true(S_ISLNK(at.st_mode));
	write_ok("dangling", "there");
	assert_holds("nowhere", "there");
}

static void a_link_is_seen_from_its_folder(void **state)
{
	assert_int_equal(mkdir("sub", 0755), 0);
	assert_int_equal(symlink("../top", "sub/link"), 0);
	write_ok("sub/link", "here");
	assert_holds("top", "here");
	unlink("sub/link");
}

static void circles_of_links_are_refused(void **state)
{
	assert_int_equal(symlink("b", "a"), 0);
	assert_int_equal(symlink("a", "b"), 0);
	assert_refused("a", "cannot write 'a': Too many levels of symbolic links");
}

static void a_fifo_is_written_directly(void **state)
{
	char text[8] = "";
	int fd = -1;

	assert_int_equal(mkfifo("fifo", 0600), 0);
	fd = open("fifo", O_RDWR);
	write_ok("fifo", "hello");
	assert_int_equal(read(fd, text, sizeof(text) - 1), 5);
	assert_string_equal(text, "hello");
	close(fd);
}

static void full_devices_are_reported(void **state)
{
	assert_refused("/dev/full",
		       "cannot write '/dev/full': No space left on device");
}

static void faults_name_the_file(void **state)
{
	assert_refused("no/such/folder",
		       "cannot write 'no/such/folder': No such file or directory");
	assert_refused(".", "cannot write '.': Is a directory");
	assert_refused("new/", "cannot write 'new/': No such file or directory");
	assert_refused("", "cannot write '': No such file or directory");
	put("file", "");
	assert_refused("file/x", "cannot write 'file/x': Not a directory");
	assert_int_equal(files_here(), 1);
}

static void a_read_only_file_is_left_alone(void **state)
{
	bool root = geteuid() == 0;

	put("locked", "before");
	chmod("locked", 0444);
	/* Nothing is locked for root: be somebody for whom it is. */
	chmod(".", 0777);
	assert_true(!root || seteuid(65534) == 0);
	assert_refused("locked", "cannot write 'locked': Permission denied");
	assert_true(!root || seteuid(0) == 0);
	assert_holds("locked", "before");
}

static void a_link_of_somebody_else_is_not_followed(void **state)
{
	if (geteuid() != 0) {
		return;
	}
	put("precious", "before");
	chmod(".", 01777);
	assert_int_equal(symlink("precious", "out"), 0);
	assert_int_equal(lchown("out", 65534, 65534), 0);
	assert_refused("out", "cannot write 'out': Permission denied");
	assert_holds("precious", "before");
}

static void long_names_leave_room_for_the_temporary_one(void **state)
{
	char name[256];

	memset(name, 'n', 255);
	name[255] = '\0';
	write_ok(name, "text");
	write_ok(name, "again");
	assert_holds(name, "again");
	assert_int_equal(files_here(), 1);
}

static void the_last_of_many_writers_wins_whole(void **state)
{
	struct prof_error err = { 0 };
	struct output first;
	struct output second;

	assert_true(output_open(&first, "out", false, &err));
	assert_true(output_open(&second, "out", false, &err));
	assert_true(output_add(&first, "first", 5, &err));
	assert_true(output_add(&second, "second", 6, &err));
	assert_true(output_commit(&first, &err));
	assert_holds("out", "first");
	assert_true(output_commit(&second, &err));
	assert_holds("out", "second");
	assert_int_equal(files_here(), 1);
}

#define IN_FOLDER(test) \
	cmocka_unit_test_setup_teardown(test, enter_folder, leave_folder)

TEST_MAIN(IN_FOLDER(a_new_file_has_the_usual_mode),
	  IN_FOLDER(an_old_file_keeps_its_mode),
	  IN_FOLDER(what_is_not_committed_never_was), IN_FOLDER(pieces_arrive_in_order),
	  IN_FOLDER(a_link_stays_a_link), IN_FOLDER(a_link_is_seen_from_its_folder),
	  IN_FOLDER(circles_of_links_are_refused),
	  IN_FOLDER(a_fifo_is_written_directly), IN_FOLDER(full_devices_are_reported),
	  IN_FOLDER(faults_name_the_file), IN_FOLDER(a_read_only_file_is_left_alone),
	  IN_FOLDER(a_link_of_somebody_else_is_not_followed),
	  IN_FOLDER(long_names_leave_room_for_the_temporary_one),
	  IN_FOLDER(the_last_of_many_writers_wins_whole))
