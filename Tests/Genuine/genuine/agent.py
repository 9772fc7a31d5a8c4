"""The agent in the test server's room: sends its own tone and listens for the client's."""

from __future__ import annotations

import asyncio
import fractions
import time

import av
from aiortc import MediaStreamTrack
from aiortc.mediastreams import MediaStreamError

from .lines import say
from .tone import AGENT_HZ, CLIENT_HZ, FRAME_SAMPLES, RATE_HZ, Ear, Tone

IDENTITY = "agent"
SID = "PA_agent"
TRACK_SID = "TR_agent"


class Voice(MediaStreamTrack):
    """The agent's track for one participant: its tone in 20 ms frames, in real time."""

    kind = "audio"

    def __init__(self) -> None:
        super().__init__()
        self._tone = Tone(AGENT_HZ)
        self._started: float | None = None
        self._frames = 0

    async def recv(self) -> av.AudioFrame:
        if self._started is None:
            self._started = time.monotonic()
        wait = self._started + self._frames * FRAME_SAMPLES / RATE_HZ - time.monotonic()
        if wait > 0:
            await asyncio.sleep(wait)
        frame = av.AudioFrame.from_ndarray(self._tone.frame().reshape(1, -1), format="s16", layout="mono")
        frame.sample_rate = RATE_HZ
        frame.pts = self._frames * FRAME_SAMPLES
        frame.time_base = fractions.Fraction(1, RATE_HZ)
        self._frames += 1
        return frame


class Listener:
    """Hears one participant: reports when its tone begins and ends."""

    def __init__(self, identity: str) -> None:
        self._ear = Ear(CLIENT_HZ, lambda on, at: say("agent-hears", at, who=identity, on=on))
        self._ticks = asyncio.create_task(self._tick())
        self._tracks: set[asyncio.Task[None]] = set()

    def listen(self, track: MediaStreamTrack) -> None:
        task = asyncio.create_task(self._listen(track))
        self._tracks.add(task)
        task.add_done_callback(self._tracks.discard)

    def stop(self) -> None:
        for task in (self._ticks, *self._tracks):
            task.cancel()
        self._ear.tick(time.monotonic() + 1)

    async def _listen(self, track: MediaStreamTrack) -> None:
        try:
            while True:
                frame = await track.recv()
                assert isinstance(frame, av.AudioFrame)
                # aiortc decodes Opus to 48 kHz stereo, interleaved.
                samples = frame.to_ndarray().reshape(-1, len(frame.layout.channels))[:, 0]
                self._ear.hear(samples, time.monotonic())
        except MediaStreamError:
            return

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(0.02)
            self._ear.tick(time.monotonic())
