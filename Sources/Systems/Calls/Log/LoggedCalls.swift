import SansIO

/// The calls that go on in a phone's log, by who calls: a push in the middle of one comes from somebody else.
struct LoggedCalls {
    private struct Call {
        var caller: Int
        var rangAt: Instant
        var isAnswered = false
    }

    /// In the order in which they began to ring, or were answered.
    private var calls: [Call] = []
    /// How many callers there have to be.
    private(set) var callerCount = 0

    /// A call that nobody answered is over after this, whether or not the log says so.
    ///
    /// Kodama's own rings for 22 s (`calls.ring_timeout`).
    private static let ringMax = Duration.seconds(60)

    /// What a caller is called, counted from 0.
    static func name(of caller: Int) -> String {
        caller == 0 ? "caller" : "caller-\(caller + 1)"
    }

    /// A call begins to ring.
    ///
    /// - Returns: Who calls: the first who is in none.
    mutating func begin(at instant: Instant) -> Int {
        calls.removeAll { !$0.isAnswered && $0.rangAt.advanced(by: Self.ringMax) <= instant }
        let caller =
            (0...calls.count).first { place in !calls.contains { $0.caller == place } } ?? 0
        callerCount = max(callerCount, caller + 1)
        calls.append(Call(caller: caller, rangAt: instant))
        return caller
    }

    /// The user answers what rings.
    mutating func answer() {
        guard let place = ringing else { return }
        var call = calls.remove(at: place)
        call.isAnswered = true
        calls.append(call)
    }

    /// The user declines what rings.
    mutating func decline() {
        if let place = ringing { calls.remove(at: place) }
    }

    /// The user ends what they talk in.
    mutating func endOwn() {
        if let place = talking ?? ringing { calls.remove(at: place) }
    }

    /// The other side ends a call: for these reasons what rings, else what is talked in, if there is both.
    ///
    /// - Returns: Who ended it.
    mutating func endOther(_ reason: String) -> Int {
        let isOfRing = ["cancel", "unanswered", "missed", "timeout", "elsewhere"]
            .contains { reason.contains($0) }
        let place = isOfRing ? ringing ?? talking : talking ?? ringing
        return place.map { calls.remove(at: $0).caller } ?? 0
    }

    private var ringing: Int? { calls.lastIndex { !$0.isAnswered } }
    private var talking: Int? { calls.lastIndex(where: \.isAnswered) }
}
