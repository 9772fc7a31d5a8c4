"""Runs one repetition of a story and takes its figures."""

from __future__ import annotations

import asyncio
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .bench import Bench
from .lines import Line
from .stories import Step, Story

CONNECT_LIMIT_S = 90.0
RECOVERY_LIMIT_S = 90.0
TAIL_S = 10.0
"""How long after the fault the story goes on at least: late reconnects belong to it."""
STEADY_S = 3.0
"""How long both sides have to hear each other, without a callback, for a story to be over."""
AGAIN_S = 1.0
"""Sound that lasts this long counts as heard again."""
PHASE_S = 5.0
"""Faults begin anywhere within a whole ping interval."""


@dataclass(frozen=True)
class Interval:
    """A stretch in which a side hears the other, in monotonic seconds."""

    begin: float
    end: float


def heard(events: list[Line], event: str, until: float) -> list[Interval]:
    intervals: list[Interval] = []
    begin: float | None = None
    for line in sorted((e for e in events if e["event"] == event), key=lambda e: e["t"]):
        if line["on"] and begin is None:
            begin = line["t"]
        elif not line["on"] and begin is not None:
            intervals.append(Interval(begin, line["t"]))
            begin = None
    if begin is not None:
        intervals.append(Interval(begin, until))
    return intervals


def both(first: list[Interval], second: list[Interval]) -> list[Interval]:
    """Intersects two lists of intervals."""
    return [Interval(max(a.begin, b.begin), min(a.end, b.end)) for a in first for b in second
            if min(a.end, b.end) > max(a.begin, b.begin)]


def again_after(intervals: list[Interval], instant: float, until: float) -> float | None:
    """How long after the instant sound is heard that lasts; 0 if it never stopped; None if never."""
    for interval in intervals:
        begin = max(interval.begin, instant)
        if interval.end - begin >= AGAIN_S or (interval.end == until and interval.end > begin):
            return begin - instant
    return None


def silent_within(intervals: list[Interval], begin: float, end: float) -> float:
    return (end - begin) - sum(max(0.0, min(i.end, end) - max(i.begin, begin)) for i in intervals)


class Run:
    """One repetition: connect, wait until both hear, bring the fault, wait until it is over."""

    def __init__(self, bench: Bench, seed: int) -> None:
        self._bench = bench
        self._story = bench.story
        # Multiples of the golden ratio's fraction: however few repetitions, they are spread evenly.
        self._phase_s = PHASE_S * (seed * 0.618034 % 1)
        self._fault: float | None = None

    async def tell(self) -> Line:
        for step in self._story.before:
            await self._bench[step.target].order(step.order)
        await self._bench["client"].order({"do": "connect"})
        connected = await self._until(self._connected, CONNECT_LIMIT_S)
        if connected and not self._story.connects_only:
            await asyncio.sleep(self._story.settle_s + self._phase_s)
            await self._bring_fault()
        until = time.monotonic()
        return self._record(until)

    async def _bring_fault(self) -> None:
        rival = any(step.target == "rival" for step in self._story.steps)
        if rival:
            await self._bench.client("rival")
        self._fault = time.monotonic()
        for step in self._story.steps:
            await asyncio.sleep(max(0, self._fault + step.after_s - time.monotonic()))
            await self._take(step)
        await asyncio.sleep(max(0, self._fault + self._story.ends_s + TAIL_S - time.monotonic()))
        await self._until(self._over, RECOVERY_LIMIT_S)

    async def _take(self, step: Step) -> None:
        if step.target == "route":
            self._bench.change_interface()
        else:
            await self._bench[step.target].order(step.order)

    async def _until(self, condition: Any, limit_s: float) -> bool:
        deadline = time.monotonic() + limit_s
        while time.monotonic() < deadline:
            if condition():
                return True
            await asyncio.sleep(0.05)
        return False

    def _sides(self, until: float) -> tuple[list[Interval], list[Interval]]:
        events = [e for e in self._bench.events if e["from"] != "rival"]
        return heard(events, "client-hears", until), heard(events, "agent-hears", until)

    def _connected(self) -> bool:
        now = time.monotonic()
        if any(e["event"] == "connect-failed" for e in self._bench.events):
            return True
        sound = both(*self._sides(now))
        return bool(sound) and sound[-1].end == now and now - sound[-1].begin > AGAIN_S

    def _callbacks(self) -> list[Line]:
        return [e for e in self._bench.events if e["event"] == "callback" and e["from"] == "client"]

    def _over(self) -> bool:
        now = time.monotonic()
        callbacks = self._callbacks()
        if callbacks and now - callbacks[-1]["t"] < STEADY_S:
            return False
        if any(c["name"] == "disconnected" for c in callbacks):
            return True
        names = [c["name"] for c in callbacks if c["name"] in ("reconnecting", "reconnected")]
        if names and names[-1] == "reconnecting":
            return False
        sound = both(*self._sides(now))
        return bool(sound) and sound[-1].end == now and now - sound[-1].begin > STEADY_S

    def _record(self, until: float) -> Line:
        story = self._story
        client, agent = self._sides(until)
        start = next(e["t"] for e in self._bench.events if e["event"] == "connecting" and e["from"] == "client")

        def first(event: str) -> float | None:
            found = [e["t"] for e in self._bench.events if e["event"] == event and e["from"] == "client"]
            return found[0] - start if found else None

        figures: dict[str, float | None] = {
            "connected": first("connect-returned"),
            "published": first("publish-returned"),
            "client_hears": again_after(client, start, until),
            "agent_hears": again_after(agent, start, until),
            "both_hear": again_after(both(client, agent), start, until),
        }
        zero = start
        if self._fault is not None:
            zero = self._fault
            figures |= self._recovery(client, agent, until)
        return {
            "story": story.name, "rtt_ms": story.rtt_ms, "loss_percent": story.loss_percent,
            "figures": {name: None if value is None else round(value, 4) for name, value in figures.items()},
            "callbacks": [[round(c["t"] - zero, 4), c["name"], c["detail"]] for c in self._callbacks()
                          if c["t"] >= zero],
            "heard": {side: [[round(i.begin - zero, 4), round(i.end - zero, 4)] for i in intervals]
                      for side, intervals in (("client", client), ("agent", agent))},
            "server": [[round(e["t"] - zero, 4), e["event"], {k: v for k, v in e.items()
                                                              if k not in ("t", "event", "from")}]
                       for e in self._bench.events if e["from"] == "server" and e["event"] != "agent-hears"],
        }

    def _recovery(self, client: list[Interval], agent: list[Interval], until: float) -> dict[str, float | None]:
        assert self._fault is not None
        begin, end = self._fault, self._fault + self._story.ends_s
        # An interval that a fault cuts short still sounds for a moment after it: what counts begins later.
        if self._story.ends_s == 0:
            end = self._first_silence(client, agent, begin, until)
        after = [c for c in self._callbacks() if c["t"] >= begin]

        def at(name: str, last: bool, origin: float) -> float | None:
            times = [c["t"] for c in after if c["name"] == name]
            return (times[-1] if last else times[0]) - origin if times else None

        def back(intervals: list[Interval]) -> float | None:
            found = again_after(intervals, end, until)
            return None if found is None else found + end - (begin + self._story.ends_s)

        silence = both(client, agent)
        return {
            "noticed": at("reconnecting", False, begin),
            "reconnected": at("reconnected", True, begin + self._story.ends_s),
            "disconnected": at("disconnected", True, begin),
            "client_back": back(client),
            "agent_back": back(agent),
            "both_back": back(silence),
            "client_silent": silent_within(client, begin, until),
            "agent_silent": silent_within(agent, begin, until),
        }

    def _first_silence(self, client: list[Interval], agent: list[Interval], begin: float, until: float) -> float:
        """For faults of an instant: when either side first falls silent within the tail, else the fault itself."""
        ends = [i.end for i in (*client, *agent) if begin < i.end < min(until, begin + TAIL_S)]
        return min(ends, default=begin)


async def measure(story: Story, slot: int, seed: int, logs: Path) -> Line:
    """Measures one repetition on a bench of its own."""
    load = os.getloadavg()[0]
    bench = Bench(slot, story, seed, logs)
    async with bench:
        record = await Run(bench, seed).tell()
    wires = [{k: v for k, v in e.items() if k not in ("t", "event", "from")}
             for e in bench.events if e["event"] == "wire-down"]
    return {**record, "seed": seed, "wires": wires, "load": round(load, 2), "exits": bench.exits}
