import KodamaEvidence

/// How `room.left` says the app ended a room object.
enum Leaving: Int64, Sendable, CaseIterable {
    /// It disconnected the object.
    case disconnect
    /// It let go of the object.
    case letGo
}
