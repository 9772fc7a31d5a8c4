"""Tests/Genuine/run: measures stories and prints their table; see README.md."""

from __future__ import annotations

import argparse
import asyncio
import importlib.metadata
import json
import os
import platform
import signal
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from . import certificate
from .bench import server_address
from .lines import Line
from .measure import measure
from .stories import Story, chosen
from .table import table

PACKAGES = ("livekit", "livekit-protocol", "aiortc", "aioice", "aiohttp", "av")


def header(arguments: argparse.Namespace) -> Line:
    return {
        "versions": {name: importlib.metadata.version(name) for name in PACKAGES},
        "machine": f"{platform.system()} on {platform.machine()}, {os.cpu_count()} cores",
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "repeat": arguments.repeat, "parallel": arguments.parallel, "seed": arguments.seed,
    }


async def run(stories: list[Story], arguments: argparse.Namespace, logs: Path) -> list[Line]:
    slots: asyncio.Queue[int] = asyncio.Queue()
    for slot in range(arguments.parallel):
        slots.put_nowait(slot)

    async def one(story: Story, repetition: int) -> Line:
        slot = await slots.get()
        try:
            record = await measure(story, slot, arguments.seed + repetition, logs)
        finally:
            slots.put_nowait(slot)
        print(f"{story.name} {repetition + 1}/{arguments.repeat}: {brief(record)}", file=sys.stderr)
        return {"repetition": repetition, **record}

    whole = asyncio.current_task()
    assert whole is not None

    def cancel(name: str) -> None:
        print(f"{name}: the benches are taken down", file=sys.stderr)
        whole.cancel()

    for stop in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(stop, cancel, stop.name)
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(story, repetition)) for repetition in range(arguments.repeat)
                 for story in stories]
    return [task.result() for task in tasks]


def brief(record: Line) -> str:
    return ", ".join(f"{name} {value:.2f}" for name, value in record["figures"].items() if value is not None)


def write_text(path: Path, text: str) -> None:
    """Writes the text beside the file and puts it in its place in one step."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False) as file:
        file.write(text)
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)


def main() -> None:
    parser = argparse.ArgumentParser(prog="Tests/Genuine/run", description="Drives LiveKit's native client "
                                     "through stories over links in user space and measures what it does.")
    parser.add_argument("stories", nargs="*", metavar="STORY", help="names, or what names begin with; all if none")
    parser.add_argument("--repeat", type=int, default=5, metavar="N", help="repetitions of each story (5)")
    parser.add_argument("--parallel", type=int, default=1, metavar="N",
                        help="benches side by side (1); more disturb each other where the machine is busy")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="the first repetition's seed (1)")
    parser.add_argument("--output", type=Path, required=True, metavar="FILE", help="where results go, as JSON lines")
    parser.add_argument("--list", action="store_true", help="only list the stories")
    arguments = parser.parse_args()
    stories = chosen(arguments.stories)
    if arguments.list:
        for story in stories:
            print(f"{story.name:20}{story.summary}")
        return
    logs = arguments.output.resolve().parent / "logs"
    logs.mkdir(parents=True, exist_ok=True)
    certificate.make(logs, [server_address(slot) for slot in range(arguments.parallel)])
    try:
        records = asyncio.run(run(stories, arguments, logs))
    except asyncio.CancelledError:
        raise SystemExit("stopped: nothing is written") from None
    write_text(arguments.output, "".join(json.dumps(line) + "\n" for line in [header(arguments), *records]))
    print(table(records))
    print(f"\nresults: {arguments.output}")


if __name__ == "__main__":
    main()
