import KodamaEvidence

/// What a room object may lack that says that it is connected.
package enum RoomLack: Int64, Sendable, CaseIterable {
    /// A signal connection over which anything arrives at the server.
    case signalling
    /// A transport that ever came up.
    case transport
}

/// A room object that says that it is connected, and is not reconnecting, lacks what that takes; or it lacks
/// it no more.
///
/// The world's own view: no room object knows it, and no app.
struct RoomLacking: TraceForm {
    /// What it lacks.
    var lack: TraceWord<RoomLack>
    /// Whether it lacks it now.
    var isLacking: TraceFlag

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.session, 62) }

    /// Its text.
    static let text = TraceFormText(
        "room.lacking",
        .control,
        [.words("lack", RoomLack.self), "lacking"],
        "A room object that says that it is connected has no live signalling or no transport, or has them again."
    )

    /// Makes the values of a record.
    init(lack: RoomLack, isLacking: Bool) {
        self.lack = TraceWord(lack)
        self.isLacking = TraceFlag(isLacking)
    }
}
