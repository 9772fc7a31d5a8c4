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
    static let kind = TraceKind(.session, 62)
    static let text = TraceFormText(
        "room.lacking",
        .control,
        "A room object that says that it is connected has no live signalling or no transport, or has them again.",
        .words("lack", RoomLack.self),
        "lacking"
    )
    var lack: TraceWord<RoomLack>
    /// Whether it lacks it now.
    var isLacking: TraceFlag
}
