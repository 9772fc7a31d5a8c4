/// One value of a kind of record.
public struct TraceField: Sendable, Equatable, ExpressibleByStringLiteral {
    /// The name, ending in the unit where there is one.
    public let name: String
    /// What its numbers stand for, if they are no amounts.
    public let legend: TraceLegend?

    /// Describes a value whose numbers have a legend.
    init(_ name: String, _ legend: TraceLegend) {
        self.name = name
        self.legend = legend
    }

    /// Describes a value whose numbers are amounts or ordinals.
    public init(stringLiteral name: String) {
        self.name = name
        legend = nil
    }
}

/// The words that numbers of a field stand for, in the text form written instead of them.
///
/// Records hold numbers, which metrics compare; people read words. A number without a word, such as
/// an HTTP status, is written as it is.
public struct TraceLegend: Sendable, Equatable {
    /// The number of the first word.
    public let first: Int64
    /// The words of consecutive numbers; each once, none of them a number.
    public let words: [String]

    init(from first: Int64 = 0, _ words: String) {
        self.first = first
        self.words = words.split(separator: " ").map(String.init)
    }

    /// The word of a number, if it has one.
    public func word(of number: Int64) -> String? {
        let (place, overflow) = number.subtractingReportingOverflow(first)
        return !overflow && words.indices.contains(Int(place)) ? words[Int(place)] : nil
    }

    /// The number of a word, if it is one of them.
    public func number(of word: String) -> Int64? {
        words.firstIndex(of: word).map { first + Int64($0) }
    }
}

// Evidence does not see whose numbers these are; TraceLegendTests and TraceNumbersTests hold them
// against their owners.
extension TraceLegend {
    static let scenePhase = TraceLegend("active inactive background")
    static let stage = TraceLegend(
        """
        disconnected preparing-device device-identity-failed signed-out asking-for-microphone \
        microphone-refused starting-engine engine-failed fetching-token token-failed connecting \
        connected reconnecting reconnected could-not-connect taken-over audio-taken
        """
    )
    static let interface = TraceLegend(from: -1, "none wifi cellular")
    static let pathLoss = TraceLegend("interface link signalling media server")
    static let direction = TraceLegend("from-phone to-phone")
    static let tokenOutcome = TraceLegend(from: -4, "malformed connection-lost timed-out offline")
    static let roomError = TraceLegend(
        from: -1,
        """
        none validation service-not-found network timed-out invalid-state duplicate-identity \
        server-shutdown participant-removed room-deleted state-mismatch join-failure \
        server-ping-timed-out unknown cancelled
        """
    )
    static let leaving = TraceLegend("disconnect let-go")
    static let roomState = TraceLegend(
        "disconnected connecting reconnecting connected disconnecting"
    )
    static let detection = TraceLegend("signal-closed signal-ping-timeout transport server-leave")
    static let attemptKind = TraceLegend("connect quick full")
    static let attemptFailure = TraceLegend(
        from: -1,
        """
        none offline socket-timeout join-timeout refused server-leave socket-broken \
        transport-timeout cancelled
        """
    )
    static let userAct = TraceLegend(
        """
        open-app leave-app open-control-centre close-control-centre kill-app phone-call-begins \
        phone-call-ends connect disconnect mute unmute tap-notification sign-in log-out
        """
    )
    static let disconnectReason = TraceLegend(
        """
        unknown-reason client-initiated duplicate-identity server-shutdown participant-removed \
        room-deleted state-mismatch join-failure migration signal-close room-closed \
        user-unavailable user-rejected sip-trunk-failure connection-timeout
        """
    )
    static let sessionFault = TraceLegend(
        """
        black-hole signalling-cut media-cut radio-down radio-up server-down server-drained \
        server-full ice-blocked silent-server server-cleared server-leave join-elsewhere silent-api
        """
    )
    static let linkChange = TraceLegend("stopped slowed jammed changed restored")
    static let gateState = TraceLegend("idle attack talking release")
    static let packetContent = TraceLegend("voice keepalive end-mark control")
    static let path = TraceLegend("local internet")
    static let dropReason = TraceLegend("loss queue-full queue-managed down too-large")
    static let concealmentMeans = TraceLegend("extrapolated repaired stretched")
    static let discardReason = TraceLegend("late duplicate stale overflow stopped")
}
