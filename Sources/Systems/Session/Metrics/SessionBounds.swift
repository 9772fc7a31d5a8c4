import KodamaEvidence

/// The figures that decide what counts as a sample, from the rows that they belong to.
enum SessionBounds {
    /// The longest outage of the path after which K-01a asks for a reconnect in time.
    static let shortOutageMax: Int64 = 15_000_000_000
    /// The longest outage of the path after which K-01b asks for a recovery in time.
    static let outageMax: Int64 = 600_000_000_000
    /// A path usable for less than this, the time that K-01b grants, does not end an outage.
    static let usableMin: Int64 = 10_000_000_000

    /// An absence that ends without audio is unrecovered if the path was usable this long.
    static let unrecoveredAtEnd: Int64 = 30_000_000_000
    /// An absence is unrecovered if the path was usable this long at a stretch, whatever followed.
    static let unrecoveredMax: Int64 = 600_000_000_000

    /// The pause after which a turn of the user's counts as unanswered.
    static let answerMax: Int64 = 10_000_000_000

    /// The longest that a status may promise a live conversation while voice flows neither way.
    ///
    /// The default watchdog speaks up 6 s after the last sign of life, looks once a second, and
    /// leaves room for the time-outs below it.
    static let watchdogMax: Int64 = 10_000_000_000
    /// The longest that a status may promise a conversation with an agent that has gone (D-22).
    static let ghostMax: Int64 = 10_000_000_000
    /// The longest attempt on the longest path of the shipped scenarios, whose round trip takes 4 s: a socket and two
    /// transports, to each of which the client gives eight round trips there, a join of 7 s and a data channel of 15 s
    /// (livekit/client-sdk-swift, Extensions/TimeInterval.swift), and 2 s to spare.
    static let attemptMax: Int64 = 120_000_000_000
    /// Sound captured so long after a goodbye was not on its way any more.
    static let goodbyeMax: Int64 = 1_000_000_000
    /// The shortest time after a goodbye of which it can be said that nothing was heard.
    static let silenceMin: Int64 = 2_500_000_000
}
