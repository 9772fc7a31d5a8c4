package import KodamaNetwork
import KodamaPhone
package import RealtimeVoice

/// What the world tells the SDK's room object.
package enum RoomClientEvent: Sendable, Equatable {
    /// The app orders something.
    case command(RoomCommand)
    /// The addresses that sockets may use from now on, the system's favourite first; what is missing
    /// is gone. Given once at the start and upon every change, whatever the app is told.
    case addressesChanged([NetworkAddress])
    /// A packet for one of the object's ports.
    case packet(Packet)
    /// The system reports that sockets of this address are broken (`ECONNABORTED`, `ENETDOWN`).
    case socketsFailed(NetworkAddress)
}

/// What the SDK's room object does.
package enum RoomClientEffect: Sendable, Equatable {
    /// Tells the app.
    case callback(RoomCallback)
    /// Sends a packet.
    case transmit(Packet)
    /// Tells the trace; no part of what the app sees.
    case note(RoomClientNote)
}

/// What goes on inside the SDK, for the trace.
package enum RoomClientNote: Sendable, Equatable {
    /// A transport or signalling failure was noticed and a reconnect begins.
    case lossDetected(DetectionCause)
    /// An attempt begins; numbered from 1 within its connect or reconnect.
    case attemptBegan(number: Int, AttemptKind)
    /// The signal connection answered the join or resume.
    case signalConnected
    /// The primary transport is connected.
    case mediaConnected
    /// The attempt ended; `nil` if it succeeded.
    case attemptEnded(AttemptFailure?)
    /// A wait before the next attempt begins.
    case waiting(Duration)
}

/// What made the SDK notice a loss.
package enum DetectionCause: Int64, Sendable, Hashable, CaseIterable {
    /// The signal connection was closed or broke.
    case signalClosed
    /// Signal pings stayed unanswered.
    case signalPingTimeout
    /// A transport became disconnected or failed.
    case transport
    /// The server asked for it.
    case serverLeave
    /// Nothing: the app ordered a reconnect.
    case appOrder
}

/// The kinds of attempts.
package enum AttemptKind: Int64, Sendable, Hashable, CaseIterable {
    /// The first join of a room object.
    case connect
    /// A quick reconnect: a resume.
    case quick
    /// A full reconnect: a restart.
    case full
}

/// What an attempt failed of.
package enum AttemptFailure: Int64, Sendable, Hashable, CaseIterable {
    /// There was no network to send by.
    case offline
    /// The WebSocket did not open in time.
    case socketTimeout
    /// The WebSocket opened but nothing was said in time.
    case joinTimeout
    /// The server refused: an HTTP status.
    case refused
    /// The server sent a leave.
    case serverLeave
    /// The socket broke.
    case socketBroken
    /// The primary or publisher transport did not connect in time.
    case transportTimeout
    /// The app gave up.
    case cancelled
}
