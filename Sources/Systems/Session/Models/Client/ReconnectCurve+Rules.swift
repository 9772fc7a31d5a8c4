import KodamaNetwork
import KodamaPhone

extension ReconnectCurve {
    /// Whether an attempt is a full reconnect by its number alone.
    ///
    /// Swift: the last one (client-sdk-swift, `Core/Room+Engine.swift`). Android and Rust: all but the
    /// first (client-sdk-android, `room/RTCEngine.kt`; rust-sdks, `livekit/src/rtc_engine/mod.rs`).
    func demandsFull(attempt number: Int, of attemptsMax: Int) -> Bool {
        switch self {
        case .swift: number == attemptsMax
        case .js: false
        case .android, .rust: number > 1
        }
    }

    /// Whether a failure makes the next attempt a full one: in JavaScript whatever is no signalling
    /// failure (client-sdk-js, `room/RTCEngine.ts`).
    func demandsFull(after failure: AttemptFailure) -> Bool {
        guard self == .js else { return false }
        return switch failure {
        case .offline, .socketTimeout, .joinTimeout, .refused, .socketBroken, .cancelled: false
        case .serverLeave, .transportTimeout: true
        }
    }

    /// Whether a refusal ends all attempts: 401 and 403 in JavaScript (client-sdk-js,
    /// `room/RTCEngine.ts`) and Rust (rust-sdks, `livekit/src/rtc_engine/mod.rs`,
    /// `auth_failure_reason`); the Swift SDK burns them all.
    func givesUp(onStatusCode statusCode: Int) -> Bool {
        (self == .js || self == .rust) && (statusCode == 401 || statusCode == 403)
    }

    /// Whether a transport in this state starts a reconnect.
    ///
    /// Swift: disconnected or failed (client-sdk-swift, `Core/Room+TransportDelegate.swift`); the
    /// others wait for failed (client-sdk-js, `room/RTCEngine.ts`; client-sdk-android,
    /// `webrtc/PeerConnectionExt.kt`; rust-sdks, `livekit/src/rtc_engine/rtc_session.rs`).
    func isLoss(_ state: TransportState) -> Bool {
        switch state {
        case .new, .connecting, .connected: false
        case .disconnected: self == .swift
        case .failed: true
        }
    }

    /// How signal pings find a dead connection.
    var pingRule: PingRule {
        self == .swift ? .firstUnanswered : .lastMessage
    }

    /// Whether the publisher's transport is restarted as soon as signalling is back, not only once the
    /// primary one is connected (client-sdk-js, `room/RTCEngine.ts`).
    var restartsPublisherAtOnce: Bool { self != .swift }

    /// How long a reconnect waits before it looks at its transports: 2 s in JavaScript
    /// (client-sdk-js, `room/RTCEngine.ts`, `minReconnectWait`).
    ///
    /// A resume in Rust waits 3 s, unless a transport broke: then its coming back is proof enough
    /// (rust-sdks, pull request 1331, `PC_RECONNECT_SETTLE_DELAY`; 1 s before August 2026).
    ///
    /// - Parameters:
    ///   - kind: The kind of the attempt.
    ///   - hasBroken: Whether a transport was not connected at any time since the reconnect began.
    /// - Returns: The wait; zero if there is none.
    func settlingTime(of kind: AttemptKind, hasBroken: Bool) -> Duration {
        switch self {
        case .js where kind != .connect: .seconds(2)
        case .rust where kind == .quick && !hasBroken: .seconds(3)
        case .js, .rust, .swift, .android: .zero
        }
    }

    /// Whether a join waits for the publisher's transport, too, where it is negotiated at once
    /// (rust-sdks, `livekit/src/rtc_engine/rtc_session.rs`, `wait_pc_connection`).
    var joinAwaitsPublisher: Bool { self == .rust }

    /// Whether the signal connection's first message waits for the end of the TLS handshake to be
    /// acknowledged: the Rust SDK leaves Nagle's algorithm on (rust-sdks,
    /// `livekit-net/src/native/proxy.rs`, `connect_async`).
    var delaysFirstMessage: Bool { self == .rust }

    /// Whether a second failure during a reconnect makes attempts full ones until one has succeeded, even
    /// if the resume under way does (rust-sdks, `livekit/src/rtc_engine/mod.rs`, `reconnection_needed`;
    /// pull request 1175).
    var escalates: Bool { self == .rust }

    /// Whether a full reconnect says farewell to the old session if it can; JavaScript does
    /// (client-sdk-js, `room/RTCEngine.ts`), and the agent leaves.
    var leavesBeforeFull: Bool { self == .js }
}

/// How unanswered signal pings count.
enum PingRule: Sendable {
    /// From the first ping without an answer; any pong ends it (client-sdk-swift,
    /// `Core/SignalClient.swift`).
    case firstUnanswered
    /// From the last message of any kind (client-sdk-js, `api/SignalClient.ts`).
    case lastMessage
}
