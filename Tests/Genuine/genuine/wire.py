"""A wire in user space: two TUN interfaces in two network namespaces, with delay, loss and stretches of darkness.

    python -m genuine.wire SPACE-A ADDRESS-A SPACE-B ADDRESS-B NAME DELAY-MS LOSS-% SEED

Orders on standard input: {"pass": "all" | "none" | "tcp"} and {"stop": true}. At the end it says how late it was.
"""

from __future__ import annotations

import ctypes
import fcntl
import heapq
import json
import os
import random
import select
import struct
import subprocess
import sys
import time

from .lines import say

CLONE_NEWNET = 0x40000000
TUNSETIFF = 0x400454CA
IFF_TUN_NO_PI = 0x0001 | 0x1000
TCP = 6


def open_tun(space: str, name: str) -> int:
    """Opens a new TUN interface inside a network namespace and returns its file descriptor."""
    libc = ctypes.CDLL(None, use_errno=True)

    def enter(path: str) -> None:
        descriptor = os.open(path, os.O_RDONLY)
        if libc.setns(descriptor, CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), f"cannot enter the network namespace {path}")
        os.close(descriptor)

    own = f"/proc/{os.getpid()}/fd/{os.open('/proc/self/ns/net', os.O_RDONLY)}"
    enter(f"/var/run/netns/{space}")
    try:
        tun = os.open("/dev/net/tun", os.O_RDWR)
        fcntl.ioctl(tun, TUNSETIFF, struct.pack("16sH", name.encode(), IFF_TUN_NO_PI))
    finally:
        enter(own)
    return tun


def address(space: str, name: str, local: str, peer: str) -> None:
    """Gives the interface its address and makes it the way to the other end."""
    for command in (
        f"addr add {local} peer {peer} dev {name}",
        f"link set {name} up",
        f"route append default via {peer} dev {name}",
    ):
        subprocess.run(["ip", "-n", space, *command.split()], check=True)


class Wire:
    """Carries packets between two descriptors; each waits the delay, unless it is lost or may not pass."""

    def __init__(self, ends: tuple[int, int], delay_s: float, loss: float, seed: int) -> None:
        self._other = {ends[0]: ends[1], ends[1]: ends[0]}
        self._delay_s = delay_s
        self._loss = loss
        self._random = random.Random(seed)
        self._waiting: list[tuple[float, int, int, bytes]] = []
        self._count = 0
        self._lost = 0
        self._lateness: list[float] = []
        self.passes = "all"

    def deliver(self, now: float) -> float:
        """Hands over what is due; returns how long nothing more is."""
        while self._waiting and self._waiting[0][0] <= now:
            due, _, end, packet = heapq.heappop(self._waiting)
            self._lateness.append(now - due)
            try:
                os.write(end, packet)
            except OSError as error:
                say("wire-error", error=str(error))
        return min(self._waiting[0][0] - now, 0.05) if self._waiting else 0.05

    def accept(self, end: int) -> None:
        packet = os.read(end, 65_535)
        arrival = time.monotonic()
        if packet[0] >> 4 != 4:
            return  # IPv6 neighbour discovery; nothing of the client's.
        if self.passes == "none" or (self.passes == "tcp" and packet[9] != TCP):
            return
        if self._random.random() < self._loss:
            self._lost += 1
            return
        self._count += 1
        heapq.heappush(self._waiting, (arrival + self._delay_s, self._count, self._other[end], packet))

    def summary(self) -> dict[str, float]:
        late = sorted(self._lateness) or [0.0]
        return {
            "packets": self._count,
            "lost": self._lost,
            "late_p99_ms": round(1e3 * late[int(0.99 * (len(late) - 1))], 3),
            "late_max_ms": round(1e3 * late[-1], 3),
        }


def main() -> None:
    space_a, address_a, space_b, address_b, name, delay_ms, loss_percent, seed = sys.argv[1:]
    ends = (open_tun(space_a, name), open_tun(space_b, name))
    address(space_a, name, address_a, address_b)
    address(space_b, name, address_b, address_a)
    wire = Wire(ends, float(delay_ms) / 1e3, float(loss_percent) / 100, int(seed))
    say("wire-up")
    while True:
        timeout = wire.deliver(time.monotonic())
        for ready in select.select([*ends, 0], [], [], max(timeout, 0))[0]:
            if ready != 0:
                wire.accept(ready)
                continue
            order = json.loads(sys.stdin.readline() or '{"stop": true}')
            if "stop" in order:
                say("wire-down", **wire.summary())
                return
            wire.passes = order["pass"]
            say("wire-passes", what=wire.passes)


if __name__ == "__main__":
    main()
