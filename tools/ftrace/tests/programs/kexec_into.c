// SPDX-License-Identifier: GPL-2.0
/*
 * kexec_into now|crash KERNEL INITRD COMMAND-LINE: starts another kernel, now or when this one
 * crashes. Installing Debian's kexec-tools on the host would change how the host reboots.
 */
#include <err.h>
#include <fcntl.h>
#include <linux/kexec.h>
#include <linux/reboot.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int open_or_die(const char *name)
{
	int fd = open(name, O_RDONLY);

	if (fd < 0)
		err(1, "%s", name);
	return fd;
}

static long load(int kernel, int initrd, const char *line, unsigned long flags)
{
#ifdef SYS_kexec_file_load
	return syscall(SYS_kexec_file_load, kernel, initrd, strlen(line) + 1, line, flags);
#else
	return -1;
#endif
}

int main(int argc, char **argv)
{
	int now;

	if (argc != 5)
		errx(2, "usage: kexec_into now|crash KERNEL INITRD COMMAND-LINE");
	now = !strcmp(argv[1], "now");
	if (load(open_or_die(argv[2]), open_or_die(argv[3]), argv[4],
		 now ? 0 : KEXEC_FILE_ON_CRASH))
		err(1, "loading %s", argv[2]);
	if (now && syscall(SYS_reboot, LINUX_REBOOT_MAGIC1, LINUX_REBOOT_MAGIC2,
			   LINUX_REBOOT_CMD_KEXEC, 0))
		err(1, "starting %s", argv[2]);
	return 0;
}
