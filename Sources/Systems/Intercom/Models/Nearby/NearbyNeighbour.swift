import GroupSecurity
import KodamaNetwork
import KodamaPhone
import SansIO

/// A phone nearby as a session keeps it in mind.
struct Neighbour: Sendable, Equatable {
    let host: UInt32
    /// The number of its session, as it said last.
    var session: UInt64 = 0
    /// What it showed last, and what it showed when it was first heard of.
    var shown: [UInt8] = []
    var shownFirst: [UInt8] = []
    /// The period of that by its clock, if the phone is of the group that is sought.
    var period: SignPeriod?
    /// When something came from it last.
    var heard = Instant.zero
    /// When the two radios have found each other, or had at the last attempt.
    var warmAt: Instant?
    /// Since when one of the two is to invite the other.
    var waitsSince: Instant?
    /// Until when it is not let in.
    var cutUntil: Instant?
    var attempt: NearbyAttempt?
    var connection: NearbyConnection?

    /// Whether it can be forgotten: nothing is under way with it, and it may come in.
    func isSpare(at now: Instant) -> Bool {
        attempt == nil && connection == nil && cutUntil.map { $0 <= now } ?? true
    }

    /// Whether one of the two has invited the other, and nothing has come of it yet.
    var isPending: Bool { connection == nil && attempt.map { !$0.isAccepted } ?? false }
}

/// A connection that is being set up.
struct NearbyAttempt: Sendable, Equatable {
    let number: UInt64
    /// Whether this phone invited.
    let isOwn: Bool
    let expiry: Instant
    /// When the radios can carry it; the one who invites knows.
    var ready: Instant?
    var retriesLeft = 0
    var isAccepted = false

    var deadline: Deadline {
        guard isAccepted, let ready, ready < expiry else { return Deadline(expiry, "invitation") }
        return Deadline(ready, "set-up")
    }
}

/// A connection that stands, as far as this side knows.
struct NearbyConnection: Sendable, Equatable {
    let number: UInt64
    /// The session at its other end.
    var session: UInt64
    var heard: Instant
    /// After how much silence its loss is noticed; `nil` if never.
    let patience: Duration?

    var deadline: Deadline? {
        patience.map { Deadline(heard.advanced(by: $0), "silence") }
    }
}
