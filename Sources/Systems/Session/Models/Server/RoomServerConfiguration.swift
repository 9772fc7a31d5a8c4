import KodamaNetwork
import KodamaPhone

/// The timers of the room server (livekit/livekit 1.13, files as named).
struct RoomServerConfiguration: Sendable, Equatable {
    /// How often clients ping: 5 s (`pkg/rtc/participant.go`).
    var pingInterval: Duration = .seconds(5)
    /// How long an answer may take: 15 s (as above).
    var pingTimeout: Duration = .seconds(15)
    /// Silence after which ICE counts as disconnected: 10 s (`pkg/rtc/transport.go`).
    var iceDisconnectedTimeout: Duration = .seconds(10)
    /// How much later it counts as failed: 5 s (as above).
    var iceFailedTimeout: Duration = .seconds(5)
    /// The time between the server's own checks: 2 s (as above).
    var iceKeepaliveInterval: Duration = .seconds(2)
    /// Which kind of ICE agent answers the clients: the one that the server's makers made
    /// fit for clients that change their way (pion/ice, pull request 739); the server's own default is
    /// `full` (livekit/livekit, `config-sample.yaml`, `use_ice_lite`).
    var iceAgent = IceAgent.lite
    /// Whether a lite agent counts as connected, and answers DTLS, only once the client has nominated a way,
    /// as pion's does (pion/ice, `selection.go`, `controlledSelector.HandleBindingRequest`).
    ///
    /// libwebrtc nominates with the next check after a way works (`p2p/base/basic_ice_controller.cc`,
    /// `GetUseCandidateAttr`): where three are out by then, from some 96 ms of round trip on, that is
    /// 0.9 s after the last one, and 2.5 s if five are answered meanwhile, from some 190 ms on.
    var awaitsNomination = false
    /// Whether media is taken by TCP, too, as the server does unless it is told not to (livekit/livekit,
    /// `config-sample.yaml`, `rtc.tcp_port`): where no datagram passes, it is the only way (RFC 6544).
    ///
    /// Off by default here: a stream's repeats and waits are not modelled, what is lost is lost.
    var takesMediaByTCP = false
    /// Whether the machine that takes signal connections speaks multipath TCP, as Go's listeners do on Linux by
    /// default (Go 1.24, `net.ListenConfig`) and most load balancers before them do not.
    var takesMultipath = false
    /// Whether an ICE restart begins by forgetting the pair that carries media, as pion's agent does
    /// (pion/ice, `agent.go`, `Restart`), or keeps it until the new one carries media (RFC 8445 §9).
    var forgetsPairsUponRestart = false
    /// Whether a resumed connection holds every message until its reconnect response (livekit/livekit,
    /// pull request 4827, September 2026).
    var holdsMessagesUntilResumed = true
    /// How long it holds them at most: 5 s (as above).
    var resumeHoldTimeout: Duration = .seconds(5)
    /// How long a participant whose media failed is kept: 5 s (`pkg/rtc/participant.go`).
    var disconnectCleanup: Duration = .seconds(5)
    /// Within which a participant must become ACTIVE: 60 s (`pkg/rtc/room.go`).
    var joinVerifyTimeout: Duration = .seconds(60)
    /// How long an offer may stay without an answer: 15 s (`pkg/rtc/transport.go`).
    var negotiationTimeout: Duration = .seconds(15)
    /// When the server repeats a flight of DTLS: 100 ms (as above).
    var dtlsRetransmitInterval: Duration = .milliseconds(100)
    /// How long a room that nobody joined lives: 300 s (`pkg/config/config.go`).
    var emptyTimeout: Duration = .seconds(300)
    /// How long a room lives after its last participant who is no agent: 20 s (as above).
    var departureTimeout: Duration = .seconds(20)
    /// How often rooms are looked at: 1 s (`pkg/service/server.go`).
    var sweepInterval: Duration = .seconds(1)
    /// Seconds by which tokens may be early or late: 60 (livekit/protocol, `auth/verifier.go`).
    var tokenLeewaySeconds: Int64 = 60
    /// How often connected clients get a fresh token: 300 s (`pkg/service/roommanager.go`).
    var tokenRefreshInterval: Duration = .seconds(300)
    /// The least life of a fresh token: 600 s (as above).
    var tokenRefreshTimeToLive: Duration = .seconds(600)
    /// What the server needs to start a session: verifying, choosing a node, starting; an assumption.
    var sessionStartTime: Duration = .milliseconds(20)
    /// Whether a room that does not exist is made for who joins it; if not, 404 (`pkg/config/config.go`,
    /// `room.auto_create`; `pkg/service/roomallocator.go`).
    var createsRooms = true
    /// The most participants a room takes.
    var maxParticipants = 100

    /// The server's own defaults.
    init() {}
}

/// By which rule a server that is controlled lets a client nominate another way for its media.
///
/// Both are pion's (pion/ice 4.4.0, `selection.go`, `shouldSwitchSelectedPair`; `agent.go`,
/// `needsToCheckPriorityOnNominated`). Checks by the server itself are modelled alike, as a full agent's.
enum IceAgent: String, Sendable, Hashable, CaseIterable {
    /// Every nomination is taken at once.
    case lite
    /// Only one of strictly higher priority than the way before it: Wi-Fi's after cellular's, and
    /// not the other way round, nor a new address of one interface; from there only an ICE restart helps.
    case full
}
