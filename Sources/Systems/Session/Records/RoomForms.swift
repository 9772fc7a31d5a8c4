import KodamaEvidence
import KodamaNetwork
import KodamaPhone
import RealtimeVoice

/// The app orders a room object to connect.
struct ConnectBegan: TraceForm {
    /// The room object's number on its phone, from 1.
    var room: Int64

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.session, 27) }

    /// Its text.
    static let text = TraceFormText(
        "connect.began",
        .milestone,
        ["room"],
        "The app ordered room object `room` to connect."
    )

    /// Makes the values of a record.
    init(room: Int64) {
        self.room = room
    }
}

/// A room object's connect ended.
struct ConnectEnded: TraceForm {
    /// The room object's number on its phone, from 1.
    var room: Int64
    /// What it failed of, or none.
    var error: TraceWord<RoomError>

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.session, 28) }

    /// Its text.
    static let text = TraceFormText(
        "connect.ended",
        .milestone,
        ["room", .words("error", RoomError.self, orNone: true)],
        "The connect of a room object ended: well, or with a RoomError."
    )

    /// Makes the values of a record.
    init(room: Int64, error: RoomError?) {
        self.room = room
        self.error = TraceWord(error)
    }
}

/// The app lets go of a room object.
struct RoomLeft: TraceForm {
    /// The room object's number on its phone, from 1.
    var room: Int64
    /// How it ended the object.
    var manner: TraceWord<Leaving>

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.session, 29) }

    /// Its text.
    static let text = TraceFormText(
        "room.left",
        .milestone,
        ["room", .words("manner", Leaving.self)],
        "The app ended a room object by disconnect or let go of it."
    )

    /// Makes the values of a record.
    init(room: Int64, manner: Leaving) {
        self.room = room
        self.manner = TraceWord(manner)
    }
}

/// A room object reports its end to the app.
struct RoomDisconnected: TraceForm {
    /// The room object's number on its phone, from 1.
    var room: Int64
    /// Why it ended, or none if the app asked for it.
    var error: TraceWord<RoomError>

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.session, 30) }

    /// Its text.
    static let text = TraceFormText(
        "room.disconnected",
        .milestone,
        ["room", .words("error", RoomError.self, orNone: true)],
        "The room object told the app that it is disconnected: as asked for, or with a RoomError."
    )

    /// Makes the values of a record.
    init(room: Int64, error: RoomError?) {
        self.room = room
        self.error = TraceWord(error)
    }
}

/// A room object's connection state changed.
struct RoomStateChanged: TraceForm {
    /// The room object's number on its phone, from 1.
    var room: Int64
    /// The new state.
    var state: TraceWord<ConnectionState>

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.session, 31) }

    /// Its text.
    static let text = TraceFormText(
        "room.state.changed",
        .control,
        ["room", .words("state", ConnectionState.self)],
        "The room object has another ConnectionState."
    )

    /// Makes the values of a record.
    init(room: Int64, state: ConnectionState) {
        self.room = room
        self.state = TraceWord(state)
    }
}

/// A room object noticed that its link is lost.
struct LossDetected: TraceForm {
    /// The room object's number on its phone, from 1.
    var room: Int64
    /// What made it notice.
    var cause: TraceWord<DetectionCause>

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.session, 32) }

    /// Its text.
    static let text = TraceFormText(
        "loss.detected",
        .milestone,
        ["room", .words("cause", DetectionCause.self)],
        "A room object noticed that its link is lost, by a closed socket, unanswered pings, a transport, the server or the app."
    )

    /// Makes the values of a record.
    init(room: Int64, cause: DetectionCause) {
        self.room = room
        self.cause = TraceWord(cause)
    }
}

extension RoomDisconnected {
    /// Whether only the user may ask for the conversation again (D-08).
    var isFinal: Bool {
        switch error.value {
        case .duplicateIdentity, .participantRemoved, .roomDeleted: true
        default: false
        }
    }
}
