"""Network namespaces, and the simulator's own link between two of them in real time: `kodama-lab wire`."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

from .lines import Line

SCENARIOS = Path(__file__).resolve().parent.parent / "scenarios"
CLONE_NEWNET = 0x40000000
LINK = "mika-phone/cellular"


def lab() -> str:
    """The program whose links these are: kodama-lab, a release build."""
    return os.environ["KODAMA_LAB"]


def sweeps(point: dict[str, str]) -> list[str]:
    return [word for name, value in point.items() for word in ("--sweep", f"{name}={value}")]


def command(lab: str, scenario: str, point: dict[str, str], ends: list[str], name: str = "wire",
            seed: int = 1, mtu: int = 1_500) -> list[str]:
    """The wire's command line; ends are SPACE=ADDRESS, the client's first."""
    return [lab, "wire", str(SCENARIOS / f"{scenario}.yaml"), "--link", LINK, "--seed", str(seed), *sweeps(point),
            "--interface", name, "--mtu", str(mtu), "--ends", *ends]


def simulated(lab: str, scenario: str, point: dict[str, str], seeds: int, *what: str) -> list[Line]:
    """What the same link does in simulated time, a line per seed."""
    words = [lab, "link", str(SCENARIOS / f"{scenario}.yaml"), "--link", LINK, *sweeps(point), "--seeds", str(seeds)]
    done = subprocess.run([*words, *what], capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


@contextlib.contextmanager
def inside(space: str) -> Iterator[None]:
    """What this thread opens meanwhile belongs to the network namespace, for good."""
    libc = ctypes.CDLL(None, use_errno=True)

    def enter(path: str) -> None:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            if libc.setns(descriptor, CLONE_NEWNET) != 0:
                raise OSError(ctypes.get_errno(), f"cannot enter the network namespace {path}")
        finally:
            os.close(descriptor)

    enter(f"/var/run/netns/{space}")
    try:
        yield
    finally:
        enter(OWN)


OWN = f"/proc/{os.getpid()}/ns/net"


@contextlib.contextmanager
def namespaces(*names: str) -> Iterator[None]:
    """Makes them, with loopback, and takes them down again."""
    try:
        for name in names:
            subprocess.run(["ip", "netns", "add", name], check=True)
            subprocess.run(["ip", "-n", name, "link", "set", "lo", "up"], check=True)
        yield
    finally:
        for name in names:
            subprocess.run(["ip", "netns", "delete", name], check=False, stderr=subprocess.DEVNULL)


class Wire:
    """A wire as a child of this process, for programs that need no event loop."""

    def __init__(self, words: list[str]) -> None:
        self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.summary: Line = {}
        self._read()

    def begin(self, seed: int) -> float:
        """Begins anew with a seed; returns the instant at which the link's time is 0."""
        self._say({"seed": seed})
        return float(self._read()["t"])

    def __enter__(self) -> Wire:
        return self

    def __exit__(self, *_: object) -> None:
        self._say({"stop": True})
        self.summary = self._read()
        self._process.wait()

    def _say(self, order: Line) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()

    def _read(self) -> Line:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the wire ended: {self._process.wait()}")
        found: Line = json.loads(line)
        return found
