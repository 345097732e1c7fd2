// SPDX-License-Identifier: GPL-2.0
/*
 * born_as PID COMMAND...: runs a command as a task with this pid, and exits with its status.
 */
#include <err.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	pid_t pid = argc > 2 ? atoi(argv[1]) : 0;
	struct clone_args args = {
		.exit_signal = SIGCHLD, .set_tid = (uintptr_t)&pid, .set_tid_size = 1,
	};
	int status;

	if (!pid)
		errx(1, "usage: born_as PID COMMAND...");
	switch (syscall(SYS_clone3, &args, sizeof(args))) {
	case -1:
		err(1, "clone3 %d", pid);
	case 0:
		execvp(argv[2], argv + 2);
		err(1, "%s", argv[2]);
	}
	if (waitpid(pid, &status, 0) != pid)
		err(1, "wait %d", pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
