"""The kernel's TCP, and pings, over our links in real time, against our model of connections in simulated time.

    python -m genuine.tcp LAB [STORY…] [--repeat N] [--lanes N]

A client connects, exchanges what weighs as much as TLS 1.3, and asks. Prints a line of JSON per story: both sides'
samples in seconds, and by how much the wires were late.
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import re
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from .lines import Line
from .wire import Wire, command, inside, namespaces, simulated

MTU = 1_452
"""Leaves 1,400 bytes for data, as the model's segments have."""
HELLO, FLIGHT, FINISHED, RECORD = 517, 3_000, 74, 22
"""The model's sizes of TLS: ClientHello, the server's flight, the client's Finished, what a record adds."""
LIMIT_S = 120.0
RTTS = (54, 206)
"""No multiples of 20 ms, for each of which a link's chance steps on: microseconds would decide whether it has."""
CLIENT, SERVER = "10.88.0.2", "10.88.0.1"


@dataclass(frozen=True)
class TcpStory:
    """A link, when the client asks for what, and which answer is timed; the connection itself if none."""

    name: str
    point: dict[str, str]
    asks: tuple[tuple[float, int, int], ...] = ()
    """When, bytes of the request, bytes of the answer; the last one is timed."""
    random: bool = False
    scenario: str = "link"

    @property
    def words(self) -> list[str]:
        return [w for at, request, answer in self.asks for w in ("--ask", f"{at:g}s:{request}:{answer}")]

    def figure(self, result: Line) -> float | None:
        value: float | None = result["answered"][-1] if self.asks else result["opened"]
        return value


def link(rtt_ms: int, loss: int = 0, dark: tuple[str, str, str] | None = None) -> dict[str, str]:
    point = {"delay": f"{rtt_ms // 2}ms", "loss": f"{loss}%"}
    return point | (dict(zip(("begin", "dark", "ways"), dark, strict=True)) if dark else {})


def _stories() -> list[TcpStory]:
    small, page = (1, 500, 500), (1, 500, 20_000)
    stories = [TcpStory(f"tcp-connect-{rtt}ms-{loss}%", link(rtt, loss), random=loss > 0)
               for rtt in RTTS for loss in (0, 2, 5, 10)]
    stories += [TcpStory(f"tcp-page-{rtt}ms-{loss}%", link(rtt, loss), (page,), random=loss > 0)
                for rtt in RTTS for loss in (0, 2, 5)]
    stories += [TcpStory(f"tcp-tail-{way}-{rtt}ms", link(rtt, 0, ("990ms", f"{length}ms", way)), (small,))
                for rtt in RTTS for way, length in (("forward", 20), ("backward", rtt // 2 + 20))]
    stories += [TcpStory(f"tcp-outage-{length}s", link(RTTS[0], 0, ("990ms", f"{length}s", "both")), (small,))
                for length in (3, 10, 30)]
    stories += [TcpStory(f"tcp-connect-dark-{name}", link(RTTS[0], 0, ("0s", dark, "both")))
                for name, dark in (("2.5s", "2500ms"), ("8.5s", "8500ms"))]
    small_talk = tuple((1 + i * 0.3, 500, 500) for i in range(20))
    stories += [TcpStory("tcp-large-after-small", link(RTTS[0]), (*small_talk, (8, 500, 60_000))),
                TcpStory("tcp-large-after-large", link(RTTS[0]), ((1, 500, 60_000), (2, 500, 60_000)))]
    stories += [TcpStory(f"tcp-page-{name}", {"profile": name}, (page,), True, "profile")
                for name in ("wifi-internet", "lte-fair", "lte-driving")]
    return stories


TCP_STORIES = _stories()
PINGS = {"ideal 25 ms": ("link", {"loss": "0%"}), "5 % lost": ("link", {"loss": "5%"}),
         **{name: ("profile", {"profile": name}) for name in ("wifi-internet", "lte-fair", "lte-driving")}}
PING_COUNT, PING_BYTES, PING_MS = 1_000, 84, 27
"""27 ms: where no ping is lost the loss chain, which steps on every 20 ms of silence, has not stepped."""


def in_records(count: int) -> int:
    return count + RECORD * max(1, -(-count // 16_384))


def receive(sock: socket.socket, count: int) -> bytes:
    """Receives so much; the first eight bytes matter."""
    head = b""
    while count > 0:
        data = sock.recv(min(count, 1 << 16))
        if not data:
            raise ConnectionError("the other side has gone")
        head = (head + data)[:8]
        count -= len(data)
    return head


def prepared(sock: socket.socket) -> socket.socket:
    sock.settimeout(LIMIT_S)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    # Apple's systems and Android use CUBIC (RFC 9438); a machine's default may be another one.
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, b"cubic")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    return sock


def serve(listener: socket.socket) -> None:
    try:
        peer = prepared(listener.accept()[0])
        with peer:
            receive(peer, HELLO)
            peer.sendall(bytes(FLIGHT))
            receive(peer, FINISHED)
            while True:
                request, answer = struct.unpack("!II", receive(peer, 8))
                receive(peer, request - 8)
                peer.sendall(bytes(answer))
    except OSError:
        return


def converse(story: TcpStory, spaces: tuple[str, str], wire: Wire, seed: int) -> Line:
    """One repetition: returns when the connection was open, and how long each answer took."""
    with inside(spaces[1]):
        listener = prepared(socket.socket())
    with inside(spaces[0]):
        client = prepared(socket.socket())
    with listener, client:
        listener.bind((SERVER, 0))
        listener.listen()
        server = threading.Thread(target=serve, args=(listener,), daemon=True)
        server.start()
        zero = wire.begin(seed)
        result: Line = {"seed": seed, "opened": None, "answered": [None] * len(story.asks)}
        try:
            client.connect(listener.getsockname())
            client.sendall(bytes(HELLO))
            receive(client, FLIGHT)
            result["opened"] = time.monotonic() - zero
            client.sendall(bytes(FINISHED))
            for index, (at, request, answer) in enumerate(story.asks):
                time.sleep(max(0, zero + at - time.monotonic()))
                sizes = in_records(request), in_records(answer)
                client.sendall(struct.pack("!II", *sizes) + bytes(sizes[0] - 8))
                receive(client, sizes[1])
                result["answered"][index] = time.monotonic() - zero - at
        except OSError as error:
            result["error"] = str(error)
        # The listener's end frees a server that still waits in accept.
        listener.shutdown(socket.SHUT_RDWR)
    server.join(5)
    return result


def prefer_this_thread() -> None:
    """Before all that share time, behind the wire; else the figures would be the scheduler's."""
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(5))


def lane(number: int, lab: str, work: queue.Queue[TcpStory], repeat: int, done: Callable[[Line], None]) -> None:
    spaces = (f"tc{os.getpid()}-{number}", f"ts{os.getpid()}-{number}")
    with namespaces(*spaces):
        for space in spaces:
            with inside(space):
                # What an earlier connection learnt of the way is none of the next one's.
                with open("/proc/sys/net/ipv4/tcp_no_metrics_save", "w") as file:
                    file.write("1")
        while True:
            try:
                story = work.get_nowait()
            except queue.Empty:
                return
            count = repeat if story.random else max(5, repeat // 10)
            ends = [f"{spaces[0]}={CLIENT}", f"{spaces[1]}={SERVER}"]
            with Wire(command(lab, story.scenario, story.point, ends, mtu=MTU)) as wire:
                prefer_this_thread()
                found = [converse(story, spaces, wire, seed) for seed in range(1, count + 1)]
                os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
            model = simulated(lab, story.scenario, story.point, count, *story.words)
            done({"story": story.name, "random": story.random, "measured": [story.figure(r) for r in found],
                  "modelled": [story.figure(r) for r in model], "wire": wire.summary})


def ping(lab: str, name: str) -> Line:
    """The kernel's pings over a link, and the same in simulated time; None for those that were lost."""
    scenario, point = PINGS[name]
    spaces = (f"pc{os.getpid()}", f"ps{os.getpid()}")
    ends = [f"{spaces[0]}={CLIENT}", f"{spaces[1]}={SERVER}"]
    with namespaces(*spaces), Wire(command(lab, scenario, point, ends)) as wire:
        words = f"chrt -f 5 ip netns exec {spaces[0]} ping -n -c {PING_COUNT} -i {PING_MS / 1e3} -s {PING_BYTES - 28} "
        wire.begin(1)
        done = subprocess.run([*words.split(), SERVER], capture_output=True, text=True, check=False)
    found = {int(number): float(trip) / 1e3
             for number, trip in re.findall(r"icmp_seq=(\d+) ttl=\d+ time=([\d.]+) ms", done.stdout)}
    model = simulated(lab, scenario, point, 1, "--pings", f"{PING_COUNT}:{PING_BYTES}:{PING_MS}ms")
    return {"pings": name, "measured": [found.get(n) for n in range(1, PING_COUNT + 1)],
            "modelled": model[0]["round_trips"], "wire": wire.summary}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m genuine.tcp")
    parser.add_argument("lab", help="kodama-lab, a release build")
    parser.add_argument("stories", nargs="*", help="names, or what they begin with; all and the pings if none")
    parser.add_argument("--repeat", type=int, default=60, help="repetitions where chance plays (60); else a tenth")
    parser.add_argument("--lanes", type=int, default=6, help="links side by side (6)")
    arguments = parser.parse_args()
    lock = threading.Lock()

    def done(line: Line) -> None:
        with lock:
            print(json.dumps(line | {"load": round(os.getloadavg()[0], 1)}), flush=True)

    for name in PINGS:
        if not arguments.stories or any(f"ping {name}".startswith(s) for s in arguments.stories):
            done(ping(arguments.lab, name))
    work: queue.Queue[TcpStory] = queue.Queue()
    # The longest first, so that no lane is left alone with one.
    for story in sorted(TCP_STORIES, key=lambda s: not s.random):
        if not arguments.stories or any(story.name.startswith(s) for s in arguments.stories):
            work.put(story)
    lanes = [threading.Thread(target=lane, args=(n, arguments.lab, work, arguments.repeat, done))
             for n in range(arguments.lanes)]
    for thread in lanes:
        thread.start()
    for thread in lanes:
        thread.join()


if __name__ == "__main__":
    main()
