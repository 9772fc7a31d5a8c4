"""A peer connection of the test server: aiortc's, with ICE restarts and the liveness timers of LiveKit's server."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable

import aioice
import aioice.ice
import aioice.stun
import aiortc.rtcicetransport
from aiortc import MediaStreamTrack, RTCBundlePolicy, RTCConfiguration, RTCPeerConnection, RTCSessionDescription
from aiortc.jitterbuffer import JitterFrame
from aiortc.rtp import RtpPacket
from aiortc.sdp import SessionDescription, candidate_from_sdp

from .lines import say

DISCONNECTED_S = 10.0
"""ICE is disconnected after this silence (livekit pkg/rtc/transport.go, iceDisconnectedTimeout)."""
FAILED_S = 15.0
"""… and failed 5 s later (iceFailedTimeout)."""
DTLS_REPEAT_S = 0.1
"""A flight of DTLS without an answer is repeated after this time, which then doubles (dtlsRetransmissionInterval)."""

class Checks(aioice.Connection):
    """ICE checks of one pair of credentials, whose packets go to the peer that outlives them.

    A check is heeded once the client's credentials are known, and its pair is used from the first one on: the
    simulator's model of the server does the same. As the answerer they send no checks and take the pair that the
    client nominates. Checks of their own would be no sooner; but one that overtakes the answer makes libwebrtc prune
    the new pair for as long as the old one receives.
    """

    peer: Peer | None = None

    def data_received(self, data: bytes, component: int) -> None:
        if self.peer is not None:
            self.peer.heard(data)

    def request_received(self, message: aioice.stun.Message, addr: tuple[str, int],
                         protocol: aioice.ice.StunProtocol) -> None:
        if self.remote_username is None:
            return  # As pion's, whose user name is not complete yet.
        if self.peer is not None:
            self.peer.last_heard = time.monotonic()
        super().request_received(message, addr, protocol)

    def check_incoming(self, message: aioice.stun.Message, addr: tuple[str, int],
                       protocol: aioice.ice.StunProtocol) -> None:
        super().check_incoming(message, addr, protocol)
        if self.ice_controlling and not self._nominated:
            for pair in self._check_list:
                if pair.protocol is protocol and pair.remote_addr == addr:
                    # The check that nominates it is on its way; what follows need not wait for its answer.
                    self._nominated[pair.component] = pair
                    self._check_list_maybe_complete()

    def check_start_task(self, pair: aioice.ice.CandidatePair) -> None:
        if self.ice_controlling:
            super().check_start_task(pair)
        else:
            self.check_state(pair, aioice.ice.CandidatePair.State.SUCCEEDED)

    async def query_consent(self) -> None:
        """Asks for none: the client's checks keep the path open, and the limits above stand in its place."""


class SteadyTransaction(aioice.stun.Transaction):
    """Repeats a check every 200 ms, as pion does (defaultCheckInterval), instead of doubling the time."""

    def _Transaction__retry(self) -> None:
        self._Transaction__timeout_delay = 0.2
        super()._Transaction__retry()


# aiortc makes its connections by this name; its transports then find ours.
aiortc.rtcicetransport.Connection = Checks  # type: ignore[misc]
aioice.stun.Transaction = SteadyTransaction  # type: ignore[misc]


class Arrivals:
    """Stands in for aiortc's jitter buffer, which holds up to 320 ms back for each lost packet: passes all on at once.

    The server measures when sound arrives; how a listener would smooth it is the listener's affair.
    """

    def add(self, packet: RtpPacket) -> tuple[bool, JitterFrame]:
        return False, JitterFrame(data=packet._data, timestamp=packet.timestamp)


class Flights:
    """Repeats a flight of DTLS until something comes back, as pion does; OpenSSL would wait for a second."""

    def __init__(self, transmit: Callable[[bytes], Awaitable[None]]) -> None:
        self._transmit = transmit
        self._flight: list[bytes] = []
        self._is_answered = True
        self._repeats: asyncio.Task[None] | None = None

    def sent(self, datagram: bytes) -> None:
        if self._is_answered:
            self.stop()
            self._is_answered = False
            self._repeats = asyncio.create_task(self._repeat())
        self._flight.append(datagram)

    def received(self) -> None:
        self._is_answered = True
        self.stop()

    def stop(self) -> None:
        self._flight = []
        if self._repeats is not None:
            self._repeats.cancel()
            self._repeats = None

    async def _repeat(self) -> None:
        wait = DTLS_REPEAT_S
        while True:
            await asyncio.sleep(wait)
            wait *= 2
            for datagram in list(self._flight):
                await self._transmit(datagram)


def is_dtls(data: bytes) -> bool:
    """RFC 7983."""
    return 19 < data[0] < 64


class Peer:
    """One of a participant's two peer connections, named by who sends over it: publisher or subscriber."""

    def __init__(self, name: str, on_track: Callable[[MediaStreamTrack], None] | None = None) -> None:
        self.name = name
        self.last_heard: float | None = None
        self.offered_at: float | None = None
        self.connection = RTCPeerConnection(
            RTCConfiguration(iceServers=[], bundlePolicy=RTCBundlePolicy.MAX_BUNDLE))
        self._packets: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._checks: Checks | None = None
        self._pending: Checks | None = None
        self._remote_ufrag: str | None = None
        self._early_candidates: list[str] = []
        self._offer_again = False
        self._connecting: set[asyncio.Task[None]] = set()
        self._flights = Flights(self._transmit)
        if on_track is not None:
            self.connection.on("track", on_track)

    @property
    def connected(self) -> bool:
        return self._ice is not None and self._ice_dtls_connected()

    @property
    def silence_s(self) -> float:
        """How long nothing has been heard since ICE was first connected; 0 before."""
        return 0.0 if self.last_heard is None else time.monotonic() - self.last_heard

    def heard(self, data: bytes) -> None:
        self.last_heard = time.monotonic()
        if is_dtls(data):
            self._flights.received()
        self._packets.put_nowait(data)

    # Negotiation

    async def answer(self, sdp: str) -> str:
        """Answers an offer; new ICE credentials in it restart ICE and leave DTLS as it is."""
        ufrag = SessionDescription.parse(sdp).media[0].ice.usernameFragment
        restart = self._remote_ufrag not in (None, ufrag)
        if restart:
            await self._new_checks()
        await self.connection.setRemoteDescription(RTCSessionDescription(sdp, "offer"))
        for receiver in self.connection.getReceivers():
            receiver._RTCRtpReceiver__jitter_buffer = Arrivals()
        self._adopt()
        ice = self._ice
        dtls = self._dtls
        if dtls is not None and dtls._role == "auto":
            dtls._set_role("server")  # So that the client begins, and retransmits at its own pace.
        await self.connection.setLocalDescription(await self.connection.createAnswer())
        if restart and ice is not None:
            self._connect(sdp)
        self._remote_ufrag = ufrag
        await self._add_early_candidates()
        return self.connection.localDescription.sdp

    async def offer(self, restart: bool = False) -> str | None:
        """Makes an offer; None if one is already out, after whose answer the caller has to ask again."""
        if self.connection.signalingState == "have-local-offer" and not restart:
            self._offer_again = True
            return None
        if restart and self._remote_ufrag is not None:
            await self._new_checks()
        await self.connection.setLocalDescription(await self.connection.createOffer())
        self._adopt()
        self.offered_at = time.monotonic()
        return self.connection.localDescription.sdp

    async def take_answer(self, sdp: str) -> bool:
        """Applies an answer; says whether another offer is wanted."""
        if self.connection.signalingState != "have-local-offer":
            return False
        ufrag = SessionDescription.parse(sdp).media[0].ice.usernameFragment
        await self.connection.setRemoteDescription(RTCSessionDescription(sdp, "answer"))
        self.offered_at = None
        if self._pending is not None and self._remote_ufrag != ufrag:
            self._connect(sdp)
        self._remote_ufrag = ufrag
        await self._add_early_candidates()
        again, self._offer_again = self._offer_again, False
        return again

    async def add_candidate(self, init: str) -> None:
        """Adds a trickled candidate, now or as soon as the description that it belongs to is there."""
        fields = json.loads(init)
        text = fields.get("candidate", "")
        if not text or " tcp " in text or self.connection.connectionState == "closed":
            return
        words = text.split()
        ufrag = words[words.index("ufrag") + 1] if "ufrag" in words else self._remote_ufrag
        if self._remote_ufrag is None or ufrag != self._remote_ufrag:
            self._early_candidates.append(init)
            return
        candidate = candidate_from_sdp(text.split(":", 1)[1])
        candidate.sdpMid = fields.get("sdpMid")
        candidate.sdpMLineIndex = fields.get("sdpMLineIndex")
        await self.connection.addIceCandidate(candidate)

    async def close(self) -> None:
        self._flights.stop()
        for task in self._connecting:
            task.cancel()
        self._packets.put_nowait(None)
        await self.connection.close()

    # Below RTCPeerConnection: one ICE transport whose checks can be replaced

    @property
    def _dtls(self) -> aiortc.RTCDtlsTransport | None:
        if self.connection.sctp is not None:
            return self.connection.sctp.transport
        transceivers = self.connection.getTransceivers()
        return transceivers[0].receiver.transport if transceivers else None

    @property
    def _ice(self) -> aiortc.RTCIceTransport | None:
        return self._dtls.transport if self._dtls is not None else None

    def _ice_dtls_connected(self) -> bool:
        return self._dtls is not None and self._dtls.state == "connected"

    def _adopt(self) -> None:
        """Takes over sending and receiving from the transport, once, before it has started."""
        ice = self._ice
        if ice is None or self._checks is not None:
            return
        self._checks = ice._connection
        self._checks.peer = self
        ice._recv = self._receive
        ice._send = self._send

    async def _receive(self) -> bytes:
        packet = await self._packets.get()
        if packet is None:
            raise ConnectionError("the peer is closed")
        return packet

    async def _send(self, data: bytes) -> None:
        if self._checks is None:
            raise ConnectionError("the peer has no checks yet")
        # The last flight is repeated only when the client repeats its own (RFC 6347 §4.2.4).
        dtls = self._dtls
        if is_dtls(data) and dtls is not None and not dtls.encrypted:
            self._flights.sent(data)
        await self._transmit(data)

    async def _transmit(self, data: bytes) -> None:
        if self._checks is None:
            return
        if self._pending is None and self._checks._nominated:
            await self._checks.send(data)

    async def _new_checks(self) -> None:
        """Replaces the checks by fresh ones; until these succeed nothing is sent, as after a restart in pion."""
        ice = self._ice
        if ice is None or self._checks is None:
            return
        await (self._pending or self._checks).close()
        fresh = Checks(ice_controlling=self._checks.ice_controlling, use_ipv6=False)
        fresh.peer = self
        await fresh.gather_candidates()
        self._pending = fresh
        ice._connection = fresh
        ice.iceGatherer._connection = fresh
        ice.iceGatherer._remote_candidates_end = False

    def _connect(self, sdp: str) -> None:
        fresh = self._pending
        if fresh is None:
            return
        parameters = SessionDescription.parse(sdp).media[0].ice
        fresh.remote_username = parameters.usernameFragment
        fresh.remote_password = parameters.password

        async def connect() -> None:
            try:
                await fresh.connect()
            except ConnectionError as error:
                say("ice-restart-failed", peer=self.name, error=str(error))
                return
            self._checks = fresh
            if self._pending is fresh:
                self._pending = None
            say("ice-restarted", peer=self.name)

        task = asyncio.create_task(connect())
        self._connecting.add(task)
        task.add_done_callback(self._connecting.discard)

    async def _add_early_candidates(self) -> None:
        early, self._early_candidates = self._early_candidates, []
        for init in early:
            await self.add_candidate(init)
