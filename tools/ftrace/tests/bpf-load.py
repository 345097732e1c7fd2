#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The load of guest/bpf-tools.sh: does again and again what the programs of bpf-tools.list watch.

Its name as a task, and those of its files, begin with known_. /tmp/known_rounds counts the rounds.
"""

import ctypes
import os
import signal
import socket
import ssl
import subprocess
import threading
import time

PORT = 7001          # a thread of this process answers here
LISTEN_PORT = 7002   # listens for a moment only
CLOSED_PORT = 7003
UNANSWERED = "192.0.2.1"
SYS_NANOSLEEP = 35   # on x86-64; the C library sleeps by another call
FILE = "/root/known_file"

libc = ctypes.CDLL(None)
calling = []


def fails(function, *words):
    """Calls a function that is expected to fail."""
    try:
        function(*words)
    except OSError:
        pass


def use_files():
    with open(FILE, "wb") as file:
        file.write(bytes(1 << 17))
        os.fsync(file.fileno())
    with open(FILE, "rb") as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        file.read()
    os.stat(FILE)
    os.unlink(FILE)
    fails(os.stat, "/no/known_stat")
    fails(os.statvfs, "/no/known_stat")
    fails(open, "/no/known_open")
    os.sync()


def use_processes():
    child = os.fork()
    if not child:
        os.setuid(65534)
        os._exit(3)
    os.waitpid(child, 0)
    with subprocess.Popen(["sleep", "77"]) as sleeper:
        sleeper.send_signal(signal.SIGUSR1)
    thread = threading.Thread(target=time.sleep, args=(0.01,))
    thread.start()
    thread.join()
    libc.syscall(SYS_NANOSLEEP, (ctypes.c_long * 2)(0, 12000000), None)


def use_commands():
    subprocess.run(["mount", "-t", "tmpfs", "known_mount", "/mnt"], check=True)
    subprocess.run(["umount", "/mnt"], check=True)
    # An interactive shell reads lines with readline.
    subprocess.run(["bash", "--norc", "-i"], input=b"echo known_line\n", start_new_session=True,
                   capture_output=True, check=True)


def answer(listener):
    while True:
        with listener.accept()[0] as connection:
            while connection.recv(1 << 16):
                pass
            connection.sendall(bytes(1 << 12))


def talk_to(address):
    with socket.create_connection((address, PORT)) as connection:
        connection.sendall(bytes(1 << 17))
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(1 << 16):
            pass


def use_network():
    talk_to("127.0.0.1")
    talk_to("::1")
    fails(socket.create_connection, ("127.0.0.1", CLOSED_PORT))
    with socket.create_server(("127.0.0.1", LISTEN_PORT)):
        pass
    # The call is repeated after a second: each socket stays for some rounds.
    calling.append(socket.socket())
    calling[-1].setblocking(False)
    fails(calling[-1].connect, (UNANSWERED, PORT))
    if len(calling) > 4:
        calling.pop(0).close()
    socket.getaddrinfo("localhost", PORT)
    left, right = socket.socketpair()
    with left, right:
        left.sendall(b"known_text")
        right.recv(100)


def tls(kind):
    """TLS without certificates, which only the older version has."""
    context = ssl.SSLContext(kind)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    context.set_ciphers("aNULL:@SECLEVEL=0")
    return context


def use_tls():
    left, right = socket.socketpair()
    client = threading.Thread(target=lambda: tls(ssl.PROTOCOL_TLS_CLIENT).wrap_socket(left).close())
    client.start()
    tls(ssl.PROTOCOL_TLS_SERVER).wrap_socket(right, server_side=True).close()
    client.join()


def main():
    with open("/proc/self/comm", "w", encoding="ascii") as comm:
        comm.write("known_load")
    subprocess.run(["ip", "route", "add", UNANSWERED, "dev", "lo"], check=True)
    for family, address in (socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1"):
        listener = socket.create_server((address, PORT), family=family)
        threading.Thread(target=answer, args=(listener,), daemon=True).start()
    rounds = 0
    while True:
        use_files()
        use_processes()
        use_commands()
        use_network()
        use_tls()
        rounds += 1
        with open("/tmp/known_rounds.new", "w", encoding="ascii") as file:
            print(rounds, file=file)
        os.rename("/tmp/known_rounds.new", "/tmp/known_rounds")
        time.sleep(0.5)


main()
