import KodamaNetwork
import KodamaPhone
import RealtimeVoice

/// What a room object stands on that says that it is connected, and is not reconnecting.
struct RoomFooting: Sendable, Equatable {
    /// The phone's end of its signal connection; `nil` without one.
    var signalSource: SocketAddress?
    /// Whether the subscriber's transport, which carries what is heard, ever came up.
    var hasTransport: Bool
}

extension RoomClient {
    /// What the object stands on; `nil` unless it says that it is connected and does nothing about it.
    var footing: RoomFooting? {
        guard state.connection == .connected, activity == .idle, !isReleased else { return nil }
        let hasTransport =
            switch subscriber?.state {
            case .connected, .disconnected: true
            case .new, .connecting, .failed, nil: false
            }
        return RoomFooting(
            signalSource: signal.isConnected ? signal.socket?.source : nil,
            hasTransport: hasTransport
        )
    }
}
