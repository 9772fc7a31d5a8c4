"""LiveKit's native client, driven: connects, publishes a tone, reports its callbacks and what it hears.

    python -m genuine.client URL IDENTITY TTL-S

Orders on standard input: {"do": "connect"}, to join and speak, {"do": "join"}, to join in silence, and {"do": "quit"}.
The imports take a second, so connecting waits for its order.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import time
from typing import Any

import numpy as np
from livekit import rtc

from .lines import orders, say
from .server import make_token
from .tone import AGENT_HZ, CLIENT_HZ, FRAME_SAMPLES, RATE_HZ, Ear, Tone

CALLBACKS = (
    "connected", "disconnected", "reconnecting", "reconnected", "connection_state_changed", "token_refreshed",
    "participant_connected", "participant_disconnected", "track_published", "track_unpublished",
    "track_subscribed", "track_unsubscribed", "local_track_published", "local_track_republished",
    "local_track_unpublished",
)


def detail(event: str, arguments: tuple[Any, ...]) -> str:
    if event == "connection_state_changed":
        return rtc.ConnectionState.Name(arguments[0]).removeprefix("CONN_").lower()
    if event == "disconnected":
        return rtc.DisconnectReason.Name(arguments[0])
    return ""


class Client:
    """One room of the native client and the ear that listens to it."""

    def __init__(self) -> None:
        self.room = rtc.Room()
        self._source = rtc.AudioSource(RATE_HZ, 1, queue_size_ms=100)
        self._ear = Ear(AGENT_HZ, lambda on, at: say("client-hears", at, on=on))
        self._tasks: set[asyncio.Task[None]] = set()
        for event in CALLBACKS:
            self.room.on(event, self._reporter(event))
        self.room.on("track_subscribed", self._subscribed)

    def spawn(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def connect(self, url: str, token: str, speaks: bool) -> None:
        say("connecting")
        options = rtc.RoomOptions(single_peer_connection=False)
        try:
            await self.room.connect(url, token, options)
        except rtc.ConnectError as error:
            say("connect-failed", error=error.message)
            return
        say("connect-returned")
        if not speaks:
            return
        self.spawn(self._speak())
        track = rtc.LocalAudioTrack.create_audio_track("microphone", self._source)
        # Without discontinuous transmission, since a steady tone is no speech; without redundancy (RED), which
        # the test server does not speak.
        publish = rtc.TrackPublishOptions(source=rtc.TrackSource.SOURCE_MICROPHONE, dtx=False, red=False)
        try:
            await self.room.local_participant.publish_track(track, publish)
        except Exception as error:
            say("publish-failed", error=str(error))
            return
        say("publish-returned")

    async def tick(self) -> None:
        while True:
            await asyncio.sleep(0.02)
            self._ear.tick(time.monotonic())

    async def _speak(self) -> None:
        tone = Tone(CLIENT_HZ)
        while True:
            data = tone.frame().tobytes()
            await self._source.capture_frame(rtc.AudioFrame(data, RATE_HZ, 1, FRAME_SAMPLES))

    async def _hear(self, track: rtc.RemoteAudioTrack) -> None:
        stream = rtc.AudioStream(track, sample_rate=RATE_HZ, num_channels=1, frame_size_ms=20)
        async for event in stream:
            self._ear.hear(np.frombuffer(event.frame.data, dtype=np.int16), time.monotonic())

    def _subscribed(self, track: Any, *_: Any) -> None:
        if isinstance(track, rtc.RemoteAudioTrack):
            self.spawn(self._hear(track))

    def _reporter(self, event: str) -> Any:
        return lambda *arguments: say("callback", name=event, detail=detail(event, arguments))


async def main() -> None:
    url, identity, ttl_s = sys.argv[1:]
    if os.environ.get("GENUINE_DEBUG"):
        os.environ["LIVEKIT_RTC_DEBUG"] = "1"
        logging.basicConfig(level=logging.DEBUG, format="%(created).3f %(message)s")
    client = Client()
    client.spawn(client.tick())
    say("ready")
    async for order in orders():
        if order["do"] == "quit":
            break
        client.spawn(client.connect(url, make_token(identity, float(ttl_s)), order["do"] == "connect"))
    try:
        await asyncio.wait_for(client.room.disconnect(), 2)
    except Exception as error:
        say("disconnect-failed", error=str(error))


if __name__ == "__main__":
    asyncio.run(main())
