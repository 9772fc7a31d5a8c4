import KodamaEvidence
import KodamaNetwork
import KodamaPhone
import RealtimeVoice

/// The app orders a room object to connect.
struct ConnectBegan: TraceForm {
    static let kind = TraceKind(.session, 27)
    static let text = TraceFormText(
        "connect.began",
        .milestone,
        "The app ordered room object `room` to connect.",
        "room"
    )
    /// The room object's number on its phone, from 1.
    var room: Int64
}

/// A room object's connect ended.
struct ConnectEnded: TraceForm {
    static let kind = TraceKind(.session, 28)
    static let text = TraceFormText(
        "connect.ended",
        .milestone,
        "The connect of a room object ended: well, or with a RoomError.",
        "room",
        .words("error", RoomError.self, orNone: true)
    )
    /// The room object's number on its phone, from 1.
    var room: Int64
    /// What it failed of, or none.
    var error: TraceWord<RoomError>
}

/// The app lets go of a room object.
struct RoomLeft: TraceForm {
    static let kind = TraceKind(.session, 29)
    static let text = TraceFormText(
        "room.left",
        .milestone,
        "The app ended a room object by disconnect or let go of it.",
        "room",
        .words("manner", Leaving.self)
    )
    /// The room object's number on its phone, from 1.
    var room: Int64
    /// How it ended the object.
    var manner: TraceWord<Leaving>
}

/// A room object reports its end to the app.
struct RoomDisconnected: TraceForm {
    static let kind = TraceKind(.session, 30)
    static let text = TraceFormText(
        "room.disconnected",
        .milestone,
        "The room object told the app that it is disconnected: as asked for, or with a RoomError.",
        "room",
        .words("error", RoomError.self, orNone: true)
    )
    /// The room object's number on its phone, from 1.
    var room: Int64
    /// Why it ended, or none if the app asked for it.
    var error: TraceWord<RoomError>
}

/// A room object's connection state changed.
struct RoomStateChanged: TraceForm {
    static let kind = TraceKind(.session, 31)
    static let text = TraceFormText(
        "room.state.changed",
        .control,
        "The room object has another ConnectionState.",
        "room",
        .words("state", ConnectionState.self)
    )
    /// The room object's number on its phone, from 1.
    var room: Int64
    /// The new state.
    var state: TraceWord<ConnectionState>
}

/// A room object noticed that its link is lost.
struct LossDetected: TraceForm {
    static let kind = TraceKind(.session, 32)
    static let text = TraceFormText(
        "loss.detected",
        .milestone,
        "A room object noticed that its link is lost, by a closed socket, unanswered pings, a transport, the server or the app.",
        "room",
        .words("cause", DetectionCause.self)
    )
    /// The room object's number on its phone, from 1.
    var room: Int64
    /// What made it notice.
    var cause: TraceWord<DetectionCause>
}

extension RoomDisconnected {
    /// Whether only the user may ask for the conversation again (D-08).
    var isFinal: Bool { Self.isFinal(error.value) }

    fileprivate static func isFinal(_ error: RoomError?) -> Bool {
        switch error {
        case .duplicateIdentity, .participantRemoved, .roomDeleted: true
        default: false
        }
    }
}

extension ConnectEnded {
    /// Whether only the user may ask for the conversation again (D-08).
    var isFinal: Bool { RoomDisconnected.isFinal(error.value) }
}
