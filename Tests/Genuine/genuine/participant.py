"""A participant of the test server: its two peer connections, its signalling and the server's timers about it."""

from __future__ import annotations

import asyncio
import time
import uuid
from typing import TYPE_CHECKING, Any

from aiohttp import web
from livekit.protocol import models, rtc

from . import agent
from .lines import say
from .transport import DISCONNECTED_S, FAILED_S, Peer

if TYPE_CHECKING:
    from .server import Server

CLEANUP_S = 5.0
"""From LEAVE(RESUME) to the end, unless it resumes (livekit pkg/rtc/participant.go, disconnectCleanupDuration)."""
JOIN_VERIFY_S = 60.0
"""Within this time a participant has to become active (pkg/rtc/room.go)."""
NEGOTIATION_S = 15.0
"""Within this time an offer has to be answered (pkg/rtc/transport.go, negotiationFailedTimeout)."""
TICK_S = 0.1

Action = rtc.LeaveRequest.Action
Reason = models.DisconnectReason


def agent_info() -> models.ParticipantInfo:
    track = models.TrackInfo(sid=agent.TRACK_SID, type=models.TrackType.AUDIO, name="voice",
                             source=models.TrackSource.MICROPHONE, mime_type="audio/opus")
    return models.ParticipantInfo(sid=agent.SID, identity=agent.IDENTITY, state=models.ParticipantInfo.ACTIVE,
                                  tracks=[track], kind=models.ParticipantInfo.Kind.AGENT)


class Participant:
    """One identity in the room, from its join to its end; resumes replace its socket only."""

    def __init__(self, server: Server, identity: str) -> None:
        self.server = server
        self.identity = identity
        self.sid = f"PA_{uuid.uuid4().hex[:12]}"
        self.active = False
        self.closed = False
        self.tracks: dict[str, models.TrackInfo] = {}
        self._socket: web.WebSocketResponse | None = None
        self._joined_at = time.monotonic()
        self._ends_at: float | None = None
        self._voice = agent.Voice()
        self._listener = agent.Listener(identity)
        self._publisher = Peer("publisher", self._listener.listen)
        self._subscriber = Peer("subscriber")
        self._subscriber.connection.createDataChannel("_reliable")
        self._subscriber.connection.createDataChannel("_lossy", ordered=False, maxRetransmits=0)
        self._timers = asyncio.create_task(self._watch())

    def info(self) -> models.ParticipantInfo:
        state = models.ParticipantInfo.ACTIVE if self.active else models.ParticipantInfo.JOINED
        return models.ParticipantInfo(sid=self.sid, identity=self.identity, state=state,
                                      tracks=list(self.tracks.values()), is_publisher=bool(self.tracks),
                                      permission=models.ParticipantPermission(
                                          can_subscribe=True, can_publish=True, can_publish_data=True))

    # Signalling

    async def send(self, **message: Any) -> None:
        socket = self._socket
        if socket is None or socket.closed:
            return
        try:
            await socket.send_bytes(rtc.SignalResponse(**message).SerializeToString())
        except (ConnectionError, RuntimeError) as error:
            say("send-failed", kind=next(iter(message)), error=str(error))

    async def attach(self, socket: web.WebSocketResponse, resumed: bool) -> None:
        """Joins, or takes the socket of a resume: then says what changed and restarts the subscriber's ICE."""
        old, self._socket = self._socket, socket
        if old is not None:
            self.server.drop(old)
        if resumed:
            await self.send(reconnect=rtc.ReconnectResponse(server_info=self.server.info()))
            await self.send(update=rtc.ParticipantUpdate(participants=[agent_info(), self.info()]))
        else:
            await self.send(join=self.server.join_response(self))
        await self.send(refresh_token=self.server.fresh_token(self.identity))
        await self.offer(restart=resumed)

    async def offer(self, restart: bool = False) -> None:
        sdp = await self._subscriber.offer(restart)
        if sdp is not None:
            await self.send(offer=rtc.SessionDescription(type="offer", sdp=sdp))

    async def leave(self, action: Action.ValueType, reason: Reason.ValueType) -> None:
        say("leave", who=self.identity, action=Action.Name(action), reason=Reason.Name(reason))
        await self.send(leave=rtc.LeaveRequest(action=action, reason=reason, can_reconnect=action != Action.DISCONNECT))

    async def handle(self, request: rtc.SignalRequest) -> None:
        kind = request.WhichOneof("message")
        if kind == "offer":
            if self._ends_at is not None:
                self._ends_at = None
                self._publisher.last_heard = time.monotonic()
                self._subscriber.last_heard = time.monotonic()
            sdp = await self._publisher.answer(request.offer.sdp)
            await self.send(answer=rtc.SessionDescription(type="answer", sdp=sdp, id=request.offer.id))
        elif kind == "answer":
            if await self._subscriber.take_answer(request.answer.sdp):
                await self.offer()
        elif kind == "trickle":
            own = request.trickle.target == rtc.SignalTarget.PUBLISHER
            await (self._publisher if own else self._subscriber).add_candidate(request.trickle.candidateInit)
        elif kind == "add_track":
            asked = request.add_track
            track = models.TrackInfo(sid=f"TR_{uuid.uuid4().hex[:12]}", type=asked.type, name=asked.name,
                                     source=asked.source, mime_type="audio/opus")
            self.tracks[track.sid] = track
            await self.send(track_published=rtc.TrackPublishedResponse(cid=asked.cid, track=track))
        elif kind == "ping":
            await self.send(pong=int(time.time() * 1e3))
        elif kind == "ping_req":
            stamp = request.ping_req.timestamp
            await self.send(pong_resp=rtc.Pong(last_ping_timestamp=stamp, timestamp=int(time.time() * 1e3)))
        elif kind == "sync_state":
            if any(published.track.sid not in self.tracks for published in request.sync_state.publish_tracks):
                await self.leave(Action.RECONNECT, Reason.STATE_MISMATCH)
                await self.close()
        elif kind == "leave":
            await self.close()

    # Timers

    async def _watch(self) -> None:
        """The server's own view of a participant: active, silent, failed, overdue."""
        silent: set[str] = set()
        while not self.closed:
            await asyncio.sleep(TICK_S)
            now = time.monotonic()
            if not self.active and self._subscriber.connected:
                await self._become_active()
            if not self.active and now - self._joined_at > JOIN_VERIFY_S:
                await self.end(Reason.JOIN_FAILURE)
            for peer in (self._publisher, self._subscriber):
                if peer.silence_s > DISCONNECTED_S and peer.name not in silent:
                    silent.add(peer.name)
                    say("ice-disconnected", who=self.identity, peer=peer.name)
                elif peer.silence_s <= DISCONNECTED_S:
                    silent.discard(peer.name)
                if peer.silence_s > FAILED_S and self._ends_at is None:
                    say("ice-failed", who=self.identity, peer=peer.name)
                    self._ends_at = now + CLEANUP_S
                    await self.leave(Action.RESUME, Reason.CONNECTION_TIMEOUT)
                    self.drop_socket()
                if peer.offered_at is not None and now - peer.offered_at > NEGOTIATION_S and self._reachable:
                    await self.leave(Action.RECONNECT, Reason.STATE_MISMATCH)
                    await self.close()
            if self._ends_at is not None and now >= self._ends_at:
                await self.end(Reason.CONNECTION_TIMEOUT)

    @property
    def _reachable(self) -> bool:
        return self._socket is not None and not self._socket.closed

    async def _become_active(self) -> None:
        self.active = True
        say("active", who=self.identity)
        await self.send(update=rtc.ParticipantUpdate(participants=[self.info()]))
        transceiver = self._subscriber.connection.addTransceiver(self._voice, direction="sendonly")
        transceiver.sender._stream_id = f"{agent.SID}|{agent.TRACK_SID}"
        transceiver.sender._track_id = agent.TRACK_SID
        await self.offer()

    def drop_socket(self) -> None:
        """Closes the socket with a close frame, if there is one; what it carried stays in order."""
        if self._socket is not None:
            self.server.drop(self._socket, gently=True)

    async def socket_closed(self, socket: web.WebSocketResponse) -> None:
        """A lost socket ends nobody whose media lives; before ICE was ever connected it does."""
        if socket is not self._socket:
            return
        self._socket = None
        if not (self._publisher.last_heard or self._subscriber.last_heard):
            await self.close()

    async def end(self, reason: Reason.ValueType) -> None:
        await self.leave(Action.DISCONNECT, reason)
        await self.close()

    async def close(self) -> None:
        if self.closed:
            return
        self.closed = True
        say("participant-closed", who=self.identity, sid=self.sid)
        self.server.forget(self)
        self.drop_socket()
        self._listener.stop()
        await self._publisher.close()
        await self._subscriber.close()
