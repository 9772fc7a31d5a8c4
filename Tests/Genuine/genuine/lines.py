"""JSON lines between the driver and its programs: events on standard output, orders on standard input."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator
from typing import Any

Line = dict[str, Any]


def say(event: str, at: float | None = None, **fields: Any) -> None:
    """Writes an event with its monotonic time, which all processes of a machine share."""
    print(json.dumps({"t": time.monotonic() if at is None else at, "event": event, **fields}), flush=True)


async def orders() -> AsyncIterator[Line]:
    """Yields the driver's orders until it closes the pipe."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        yield json.loads(line)
