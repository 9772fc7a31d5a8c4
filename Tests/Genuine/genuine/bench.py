"""One bench: two network namespaces, a wire between them, the server in one and the client in the other."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType

from .lines import Line
from .stories import Story
from .wire import command, lab

SOURCES = Path(__file__).resolve().parent.parent
START_LIMIT_S = 30.0
DEBUG = "GENUINE_DEBUG"
"""If this variable is set, packets and what the SDK and libwebrtc log are kept beside the other logs."""


def server_address(slot: int) -> str:
    return f"10.88.{slot}.1"


class Program:
    """A program of the bench: orders go in, events come out, and it ends by its process id."""

    def __init__(self, name: str, process: asyncio.subprocess.Process, events: list[Line], log: Path) -> None:
        self.name = name
        self._process = process
        self._events = events
        self._log = log
        self._reader = asyncio.create_task(self._read())
        self._news = asyncio.Event()

    async def _read(self) -> None:
        assert self._process.stdout is not None
        while line := await self._process.stdout.readline():
            try:
                event = json.loads(line)
            except ValueError:
                continue  # What libwebrtc prints itself; the log has its standard error.
            self._events.append({**event, "from": self.name})
            self._news.set()

    async def order(self, order: Line) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order).encode() + b"\n")
        await self._process.stdin.drain()

    async def expect(self, event: str) -> None:
        """Waits until the program has said this."""
        deadline = time.monotonic() + START_LIMIT_S
        while not any(e["from"] == self.name and e["event"] == event for e in self._events):
            if self._process.returncode is not None or time.monotonic() > deadline:
                raise RuntimeError(f"the {self.name} never said '{event}'; see {self._log}")
            self._news.clear()
            try:
                await asyncio.wait_for(self._news.wait(), 0.2)
            except TimeoutError:
                pass

    def interrupt(self) -> None:
        """Ends a program that takes no orders and writes its files when it is interrupted."""
        if self._process.returncode is None:
            self._process.send_signal(signal.SIGINT)

    async def stop(self, order: Line) -> int:
        """Asks it to end, then ends it; returns its exit status."""
        try:
            await self.order(order)
            await asyncio.wait_for(self._process.wait(), 6)
        except (TimeoutError, ConnectionError):
            if self._process.returncode is None:
                self._process.send_signal(signal.SIGKILL)
            await self._process.wait()
        await self._reader
        return self._process.returncode or 0


class Bench:
    """Sets the programs up for one story and takes them down again, whatever happens."""

    def __init__(self, slot: int, story: Story, seed: int, logs: Path) -> None:
        self.story = story
        self.events: list[Line] = []
        self.exits: dict[str, int] = {}
        self._slot = slot
        self._seed = seed
        self._logs = logs
        # The process's id keeps two runs on one machine apart.
        self._server_space = f"gs{os.getpid()}-{slot}"
        self._client_space = f"gc{os.getpid()}-{slot}"
        self._programs: dict[str, Program] = {}

    async def __aenter__(self) -> Bench:
        try:
            await self._set_up()
        except BaseException:
            await self._take_down()
            raise
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None,
                        trace: TracebackType | None) -> None:
        await self._take_down()

    def __getitem__(self, name: str) -> Program:
        return self._programs[name]

    async def client(self, name: str) -> Program:
        """Starts a client in the client's namespace and waits until it could connect."""
        url = f"wss://{server_address(self._slot)}:7880"
        program = await self._run(name, self._client_space, "client", url, "mika", str(self.story.token_ttl_s))
        await program.expect("ready")
        return program

    def change_interface(self) -> None:
        """Takes the client's first interface down, so that the second one's route is left."""
        subprocess.run(["ip", "-n", self._client_space, "addr", "flush", "dev", "wire"], check=True)
        subprocess.run(["ip", "-n", self._client_space, "link", "set", "wire", "down"], check=True)

    async def _set_up(self) -> None:
        for space in (self._server_space, self._client_space):
            subprocess.run(["ip", "netns", "add", space], check=True)
            subprocess.run(["ip", "-n", space, "link", "set", "lo", "up"], check=True)
        await self._wire("wire", 88)
        if self.story.second_interface:
            await self._wire("wire2", 89)
        server = await self._run("server", self._server_space, "server", server_address(self._slot),
                                 str(self._logs / "server.pem"))
        await server.expect("listening")
        await self.client("client")

    async def _wire(self, name: str, net: int) -> None:
        # The client's end is the phone's: the same link as in the simulator's scenarios, with the same weather.
        ends = [f"{self._client_space}=10.{net}.{self._slot}.2", f"{self._server_space}=10.{net}.{self._slot}.1"]
        words = command(lab(), "link", self.story.link, ends, name, self._seed)
        program = await self._start(name, words)
        await program.expect("wire-up")
        if os.environ.get(DEBUG):
            # At the phone's end, where times are those of the client.
            into = self._logs / f"{self.story.name}-{self._seed}-{name}.pcap"
            await self._start(f"capture-{name}", ["ip", "netns", "exec", self._client_space, "tcpdump", "-U", "-i", name,
                                                  "-s", "400", "-w", str(into)])

    async def _run(self, name: str, space: str, module: str, *arguments: str) -> Program:
        # By the real-time scheduler, below the wires, so that what else the machine does counts for nothing.
        words = ["chrt", "--rr", "1", "ip", "netns", "exec", space, sys.executable, "-m", f"genuine.{module}",
                 *arguments]
        return await self._start(name, words)

    async def _start(self, name: str, words: list[str]) -> Program:
        log = self._logs / f"{self.story.name}-{self._seed}-{name}.log"
        with log.open("wb") as errors:
            process = await asyncio.create_subprocess_exec(
                *words, cwd=SOURCES, env={**os.environ, "SSL_CERT_FILE": str(self._logs / "authority.pem")},
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=errors)
        program = Program(name, process, self.events, log)
        self._programs[name] = program
        return program

    async def _take_down(self) -> None:
        # Clients first, so that they can say good-bye; the wires last.
        for name, program in reversed(self._programs.items()):
            if name.startswith("capture"):
                program.interrupt()
            stop: Line = {"stop": True} if name.startswith("wire") else {"do": "quit"}
            self.exits[name] = await program.stop(stop)
        for space in (self._client_space, self._server_space):
            subprocess.run(["ip", "netns", "delete", space], check=False, stderr=subprocess.DEVNULL)
