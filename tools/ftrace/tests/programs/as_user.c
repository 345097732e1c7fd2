// SPDX-License-Identifier: GPL-2.0
/*
 * as_user UID PROGRAM [ARGUMENT...]: runs a program as a user, only in the group with the same
 * number.
 */
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int id = argc > 2 ? atoi(argv[1]) : 0;

	if (id <= 0) {
		fprintf(stderr, "usage: as_user UID PROGRAM [ARGUMENT...]\n");
		return 1;
	}
	if (setgroups(0, NULL) || setgid(id) || setuid(id)) {
		perror("as_user");
		return 1;
	}
	execvp(argv[2], &argv[2]);
	perror(argv[2]);
	return 127;
}
