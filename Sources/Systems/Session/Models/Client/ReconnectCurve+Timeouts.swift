import KodamaNetwork
import KodamaPhone
import RealtimeVoice

extension ReconnectCurve {
    /// How long a socket may take to open: what the app asks for in Swift; 5 s in Rust (rust-sdks,
    /// `livekit-api/src/signal_client/mod.rs`, `SIGNAL_CONNECT_TIMEOUT`).
    func socketTimeout(_ options: ConnectOptions) -> Duration {
        self == .rust ? .seconds(5) : options.socketConnectTimeout
    }

    /// How long the answer to a join or resume may take: 5 s in Rust (as above, `JOIN_RESPONSE_TIMEOUT`).
    func joinResponseTimeout(_ configuration: RoomClientConfiguration) -> Duration {
        self == .rust ? .seconds(5) : configuration.joinResponseTimeout
    }

    /// How long a transport may take to connect: what the app asks for in Swift; 15 s in Rust (rust-sdks,
    /// `livekit/src/rtc_engine/rtc_session.rs`, `ICE_CONNECT_TIMEOUT`).
    func transportTimeout(_ wanted: Duration) -> Duration {
        self == .rust ? .seconds(15) : wanted
    }

    /// How long the request takes that asks a silent server why a join failed: 3 s in Rust (rust-sdks,
    /// `livekit-api/src/signal_client/mod.rs`, `VALIDATE_TIMEOUT`).
    func validateTimeout(_ configuration: RoomClientConfiguration) -> Duration {
        self == .rust ? .seconds(3) : configuration.validateTimeout
    }

    /// Whether a reconnect asks that, too: in Rust each attempt that joins anew does (as above,
    /// `SignalInner::connect`).
    func validates(_ kind: AttemptKind) -> Bool {
        self == .rust && kind == .full
    }
}
