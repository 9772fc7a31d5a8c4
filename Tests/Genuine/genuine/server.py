"""A small LiveKit server for tests: one room with an agent, and faults on order.

    python -m genuine.server ADDRESS CERTIFICATE

Orders on standard input: {"do": "reset"}, {"do": "leave", "action": NAME, "reason": NAME}, {"do": "stop"} (sockets and
participants die, the listener closes), {"do": "start"}, {"do": "token", "ttl_s": N}, {"do": "quit"}.
"""

from __future__ import annotations

import asyncio
import datetime
import socket
import ssl
import struct
import sys

from aiohttp import WSMsgType, web
from livekit import api
from livekit.protocol import models, rtc

from .lines import Line, orders, say
from .participant import Action, Participant, Reason, agent_info

PORT = 7880
KEY, SECRET = "devkey", "a-secret-for-tests-that-is-long-enough"
ROOM = "room"
PING_INTERVAL_S, PING_TIMEOUT_S = 5, 15
"""What the server tells clients (pkg/rtc/participant.go)."""
REFRESH_S = 300.0
"""How often a fresh token is sent (pkg/service/roommanager.go)."""
SOCKET_PING_S = 10.0
"""Pings of the WebSocket itself, without a limit for the answer (pkg/service/wsprotocol.go)."""
VERSION = "1.9.0"


class Server:
    """Answers signalling at /rtc; /rtc/v1 is unknown to it, so that clients use two peer connections."""

    def __init__(self, address: str, certificate: str) -> None:
        self._address = address
        self._tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self._tls.load_cert_chain(certificate)
        self._participants: dict[str, Participant] = {}
        self._sockets: set[web.WebSocketResponse] = set()
        self._transports: dict[web.WebSocketResponse, asyncio.Transport] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._token_ttl_s = 600.0
        self._runner: web.AppRunner | None = None

    async def start(self) -> None:
        application = web.Application()
        application.router.add_get("/rtc/validate", self._validate)
        application.router.add_get("/rtc", self._signalling)
        self._runner = web.AppRunner(application, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, self._address, PORT, ssl_context=self._tls, reuse_address=True).start()
        say("listening")

    async def stop(self) -> None:
        """Dies as a process does: sockets are reset, participants are gone, nothing listens."""
        for participant in list(self._participants.values()):
            participant._socket = None
        for held in list(self._sockets):
            self.drop(held)
        for participant in list(self._participants.values()):
            await participant.close()
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None
        say("stopped")

    # What participants ask for

    def info(self) -> models.ServerInfo:
        return models.ServerInfo(version=VERSION, protocol=15)

    def join_response(self, participant: Participant) -> rtc.JoinResponse:
        return rtc.JoinResponse(
            room=models.Room(sid="RM_room", name=ROOM), participant=participant.info(),
            other_participants=[agent_info()], server_version=VERSION, server_info=self.info(),
            subscriber_primary=True, fast_publish=True, ping_interval=PING_INTERVAL_S, ping_timeout=PING_TIMEOUT_S)

    def fresh_token(self, identity: str) -> str:
        return make_token(identity, self._token_ttl_s)

    def forget(self, participant: Participant) -> None:
        if self._participants.get(participant.identity) is participant:
            del self._participants[participant.identity]

    def drop(self, held: web.WebSocketResponse, gently: bool = False) -> None:
        """Closes a socket: gently with a close frame, otherwise with a reset."""
        if gently:
            self._spawn(held)
            return
        transport = self._transports.get(held)
        if transport is None or transport.is_closing():
            return
        raw = transport.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        transport.abort()

    def _spawn(self, held: web.WebSocketResponse) -> None:
        async def close() -> None:
            await held.close()

        task = asyncio.create_task(close())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # HTTP

    def _identity(self, request: web.Request) -> str:
        token = request.query.get("access_token") or request.headers.get("Authorization", "")[len("Bearer "):]
        try:
            return api.TokenVerifier(KEY, SECRET).verify(token).identity
        except Exception as error:
            say("refused", path=request.path, error=type(error).__name__)
            raise web.HTTPUnauthorized(text="invalid token") from error

    async def _validate(self, request: web.Request) -> web.Response:
        self._identity(request)
        return web.Response(text="success")

    async def _signalling(self, request: web.Request) -> web.WebSocketResponse:
        identity = self._identity(request)
        resume = request.query.get("reconnect") == "1"
        held = web.WebSocketResponse()
        await held.prepare(request)
        self._sockets.add(held)
        assert request.transport is not None
        self._transports[held] = request.transport
        say("socket-opened", who=identity, resume=resume)
        participant = await self._admit(identity, resume, held)
        pings = asyncio.create_task(self._ping(held, identity))
        try:
            async for message in held:
                if participant is None or message.type != WSMsgType.BINARY:
                    continue
                await participant.handle(rtc.SignalRequest.FromString(message.data))
        finally:
            pings.cancel()
            self._sockets.discard(held)
            self._transports.pop(held, None)
            say("socket-closed", who=identity)
            if participant is not None:
                await participant.socket_closed(held)
        return held

    async def _admit(self, identity: str, resume: bool, held: web.WebSocketResponse) -> Participant | None:
        """Finds the participant of a resume by its identity alone, or lets a new one evict it."""
        present = self._participants.get(identity)
        if resume:
            if present is None or present.closed:
                leave = rtc.LeaveRequest(action=Action.RECONNECT, reason=Reason.STATE_MISMATCH, can_reconnect=True)
                await held.send_bytes(rtc.SignalResponse(leave=leave).SerializeToString())
                say("leave", who=identity, action="RECONNECT", reason="STATE_MISMATCH")
                await held.close()
                return None
            await present.attach(held, resumed=True)
            return present
        if present is not None:
            await present.end(Reason.DUPLICATE_IDENTITY)
        participant = Participant(self, identity)
        self._participants[identity] = participant
        await participant.attach(held, resumed=False)
        return participant

    async def _ping(self, held: web.WebSocketResponse, identity: str) -> None:
        elapsed = 0.0
        while not held.closed:
            await asyncio.sleep(SOCKET_PING_S)
            elapsed += SOCKET_PING_S
            try:
                await held.ping()
            except ConnectionError:
                return
            participant = self._participants.get(identity)
            if elapsed % REFRESH_S == 0 and participant is not None:
                await participant.send(refresh_token=self.fresh_token(identity))

    # Faults

    async def obey(self, order: Line) -> bool:
        """Carries out an order; says whether to go on."""
        kind = order["do"]
        say("order", what=order)
        if kind == "reset":
            for held in list(self._sockets):
                self.drop(held)
        elif kind == "leave":
            for participant in list(self._participants.values()):
                await participant.leave(Action.Value(order["action"]), Reason.Value(order["reason"]))
                if order["action"] == "RESUME":
                    participant.drop_socket()
                else:
                    await participant.close()
        elif kind == "stop":
            await self.stop()
        elif kind == "start":
            await self.start()
        elif kind == "token":
            self._token_ttl_s = order["ttl_s"]
        elif kind == "quit":
            return False
        else:
            raise SystemExit(f"the server knows no order '{kind}'")
        return True


def make_token(identity: str, ttl_s: float) -> str:
    return (api.AccessToken(KEY, SECRET).with_identity(identity).with_ttl(datetime.timedelta(seconds=ttl_s))
            .with_grants(api.VideoGrants(room_join=True, room=ROOM)).to_jwt())


async def main() -> None:
    server = Server(*sys.argv[1:])
    await server.start()
    async for order in orders():
        if not await server.obey(order):
            break
    await server.stop()


if __name__ == "__main__":
    asyncio.run(main())
