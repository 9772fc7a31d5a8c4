import RealtimeVoice

/// What a room object stands on that says that it is connected, and is not reconnecting.
public struct RoomFooting: Sendable, Equatable {
    /// The phone's end of its signal connection; `nil` without one.
    public var signalSource: SocketAddress?
    /// Whether the subscriber's transport, which carries what is heard, ever came up.
    public var hasTransport: Bool
}

extension RoomClient {
    /// What the object stands on; `nil` unless it says that it is connected and does nothing about it.
    public var footing: RoomFooting? {
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
