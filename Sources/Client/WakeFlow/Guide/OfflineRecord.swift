public import SansIO

/// What was talked about while the agent could not be heard; the agent's memory is brought up to date
/// with it.
public struct OfflineSummary: Sendable, Hashable {
    /// The same whenever it is sent: the server keeps one of each key.
    public var key: String
    /// When the phone took over.
    public var beganAt: WallTime
    /// When it gave back, or spoke last.
    public var endedAt: WallTime
    /// The numbers of the lines that it began to say.
    public var lines: [Int] = []
    /// What the user was heard saying, up to 64 utterances.
    public var heard: [String] = []
    /// The user, by the name in their session; `nil` if nobody had signed in yet.
    public var user: String?

    /// Makes a summary of a stretch that begins.
    public init(key: String, beganAt: WallTime, user: String? = nil) {
        self.key = key
        self.beganAt = beganAt
        endedAt = beganAt
        self.user = user
    }
}

/// What the offline guide keeps over the death of the process.
public struct OfflineRecord: Sendable, Equatable {
    /// The stretch that goes on.
    public var open: OfflineSummary?
    /// Summaries that the server doesn't have yet, as far as is known, of whichever user; the oldest first.
    public var unsent: [OfflineSummary] = []
    /// How many stretches there were, which makes keys distinct.
    public var stretches: UInt32 = 0
    /// The voice that was announced last.
    public var mode = VoiceMode.standard
    /// How often it changed.
    public var modeChanges: UInt32 = 0
    /// The user who has signed in last, by the name in their session; `nil` if nobody has.
    public var user: String?

    /// The place of the oldest summary of this user in `unsent`; `nil` if the server has all.
    package var nextUnsent: Int? {
        guard !unsent.isEmpty else { return nil }
        let bytes = user.map { Array($0.utf8) }
        return unsent.firstIndex { $0.user.map { Array($0.utf8) } == bytes }
    }

    /// Whether this user has signed in last, to the byte.
    func isUsed(by user: String) -> Bool { self.user?.utf8.elementsEqual(user.utf8) ?? false }

    /// Makes a record of an app that was just installed.
    public init() {}
}

/// How quickly the phone takes over and gives back.
public struct OfflineGuideConfiguration: Sendable, Equatable {
    /// How long after a sign of loss the phone waits before it speaks, 0 to 1 s.
    ///
    /// AN-05 leaves 1 s, of which the system voice needs some to start; an assumption.
    public var doubtPatience: Duration = .milliseconds(500)
    /// How long no packet of the agent's may come in while a line of its is awaited, 0.1 to 10 s.
    ///
    /// An agent sends through its silence: each 20 ms, with DTX each 400 ms (RFC 6716 §2.1.9). With
    /// `countInterval` and the start of the system voice this keeps AN-05's second; swept in
    /// `Scenarios/coach/agent-jitter`.
    public var silenceMax: Duration = .milliseconds(500)
    /// How long the first packet of a conversation may take, 0.1 to 10 s.
    ///
    /// The agent's track opens some round trips after the session is connected. An assumption.
    public var firstSilenceMax: Duration = .seconds(2)
    /// How long packets must have come in from count to count until the agent counts as back, 0 to 10 s.
    ///
    /// Doubled with each time that they stayed away again in the conversation. An assumption.
    public var steadyMin: Duration = .milliseconds(500)
    /// How often packets are counted then; libwebrtc serves statistics that are up to 50 ms old
    /// (`pc/rtc_stats_collector.cc`), so that less brings nothing.
    public var countInterval: Duration = .milliseconds(100)
    /// How long the system voice may go on with its line once the agent is back, 0 to 10 s.
    ///
    /// Then it is cut off, and the agent says the line again. An assumption.
    public var handBackPatience: Duration = .seconds(3)
    /// How long an answer to a summary may take.
    public var sendPatience: Duration = .seconds(10)
    /// The pause before a summary is sent again; doubled each time.
    public var sendPause: Duration = .seconds(2)
    /// The longest such pause.
    public var sendPauseMax: Duration = .seconds(300)

    /// The default preset.
    public init() {}
}
