import SansIO

/// A room object that is connected, and what is known of it.
struct LiveRoom: Sendable, Equatable {
    /// Whether voice can be carried.
    enum Link: Sendable, Equatable {
        /// Signs of life came in; the next one is due before `until`, if the watchdog is on.
        case live(until: Instant?)
        /// None has come in since `since`; the object is given up at `until`, if ever.
        case lost(since: Instant, until: Instant?)
    }

    let id: RoomID
    var link: Link
    var microphone = MicrophoneControl()
    /// How many remote audio tracks are subscribed; a new one may come before the old one goes.
    var remoteTracks: Int
    /// Since when voice has been missing that a connect should bring, if none has been heard since; where
    /// nobody counts packets a track is taken for its voice.
    private(set) var speechlessSince: Instant?
    /// Since when the status may have said, with nothing heard, that there is somebody to talk to.
    private var promisedSince: Instant
    /// When the latest quick reconnect was completed, if one was.
    ///
    /// After one the SDK sends no signal pings any more, so that it never notices when signalling dies
    /// again (client-sdk-swift 2.16, `Core/SignalClient.swift`).
    var resumedAt: Instant?
    /// Whether the microphone is meant to be open.
    var isMeantOpen = false
    /// Whether signalling was opened anew since that changed, or the SDK was asked to.
    var isSignallingRenewed = false
    /// Whether signalling is doubted anew since it was last opened, or asked to be.
    var isSignallingSuspect = false
    /// When the session last ordered a resume, until the SDK says that it has begun one.
    var resumeOrderedAt: Instant?
    /// Whether the reconnect that goes on was ordered by the session, and is no sign of a loss.
    var isRenewing = false
    /// When that should have got in, where the SDK's token may have run out.
    var resumeDueAt: Instant?
    /// Whether TCP gets through, as long as that is asked.
    var renewal: SignallingRenewal?
    /// Since when the microphone has not been opened for whose sake it is asked, if one has not.
    var openingAskedSince: Instant?
    /// Since when signalling may be dead unnoticed, if anything speaks for it: the interface changed, or
    /// media was silent for a while, as when it moves from Wi-Fi to cellular by itself.
    var signallingDoubtedSince: Instant?
    /// The same by the latest that speaks for it: until the SDK would have noticed, it is doubted.
    private var signallingDoubtedLast: Instant?
    /// Whether voice was ever carried both ways.
    var hasLived = false
    /// Whether no agent is called to the room any more: it was joined before, or one has come (D-18).
    var callsNoAgent: Bool
    /// Whether the renderer hears it.
    var isRendering = false
    /// When the room is left whose agent has gone, as its server says.
    var partsAt: Instant?
    /// Until when the room is kept for the agent that was called to it, once that is late.
    var agentAwaitedUntil: Instant?
    /// Since when the SDK has been reconnecting, if it is.
    var resumingSince: Instant?
    /// When voice that was lost was said to be back while the SDK was still reconnecting, if it was.
    var returnedAt: Instant?
    /// Whether the SDK began to reconnect, and nothing has come in since that shows a path.
    var suspectsPath = false
    /// Since when the SDK may have joined anew by itself, if nothing has shown that it is through.
    var rejoiningSince: Instant?
    /// Until when the user reads that the link is restored.
    var restoredUntil: Instant?
    /// Since when transports go over to other pairs because they are new, or ICE began anew.
    var pairsSoughtSince: Instant
    /// From when on statistics that show no life are the object's own fault, if a probe was answered.
    var blamedFrom: Instant?
    /// The latest statistics.
    var statistics = RoomStatistics()
    /// When they came; growth in the next ones is later.
    var statisticsAt: Instant
    /// When statistics last showed a sign of life.
    private(set) var livedAt: Instant
    /// When the object was joined.
    let joinedAt: Instant
    /// Until when the token serves by which it was joined: the server sends none that ends before.
    let joinedUntil: Instant
    /// When statistics last showed an answered check, if any did over the present transports.
    private var answeredAt: Instant?
    /// When the statistics last showed voice that came in, if they ever did.
    private(set) var voiceAt: Instant?
    /// From when on they counted it: it may have ended right after.
    private var voiceFrom: Instant?
    /// When they last showed voice after some that had shown none.
    private var voiceBackAt: Instant?
    /// Whether the latest have shown none: the next voice may come by another interface, and TCP does not
    /// come with it.
    ///
    /// An agent sends through its silence, too. Consent checks prove nothing here: they go on along the
    /// pair in reserve.
    private var isVoiceless = false
    /// Since when voice has been due because the link is alive again.
    var voiceAwaitedSince: Instant?
    /// Whether statistics ever counted a check of the server's, in this room or one before.
    var countsServerChecks = false
    /// When the server was last known to be heard: by voice, a check of its own, or a reconnect.
    var serverHeardAt: Instant
    /// Until when the room is kept for ICE to bring back, if the server is cut off (`isCutOff`).
    var cutOffUntil: Instant?
    /// Whether TCP gets through meanwhile.
    var inquiry = Inquiry.none
    /// Whether the next statistics only say where counting begins.
    var awaitsBaseline = false

    init(
        id: RoomID,
        link: Link,
        remoteTracks: Int,
        isRejoined: Bool,
        awaitsVoice: Bool,
        tokenUntil: Instant,
        at now: Instant
    ) {
        self.id = id
        self.link = link
        self.remoteTracks = remoteTracks
        callsNoAgent = isRejoined || remoteTracks > 0
        statisticsAt = now
        livedAt = now
        serverHeardAt = now
        joinedAt = now
        joinedUntil = tokenUntil
        pairsSoughtSince = now
        speechlessSince = awaitsVoice ? now : nil
        promisedSince = now
    }

    /// The transports were made anew: voice is due as after a connect.
    mutating func awaitVoice(at now: Instant) {
        agentAwaitedUntil = nil
        voiceAt = nil
        voiceFrom = nil
        isVoiceless = false
        speechlessSince = now
        promisedSince = now
    }

    /// How much later a track may come, and its voice have the time that it had.
    ///
    /// With the 6 s after which voice is missed, the status is not wrong for 10 s (K-01c).
    private static let trackTime = Duration.seconds(3)

    /// A track came: its voice has the time that it had, or nearly so where the status has long promised it.
    mutating func trackCame(at now: Instant) {
        remoteTracks += 1
        callsNoAgent = true
        if isLost || isLeftAlone { promisedSince = now }
        agentAwaitedUntil = nil
        guard speechlessSince != nil else { return }
        speechlessSince = min(now, promisedSince.advanced(by: Self.trackTime))
    }

    /// A track went: whoever was heard before is missed as any voice that ends.
    mutating func trackWent(awaitsVoice: Bool, at now: Instant) {
        remoteTracks = max(0, remoteTracks - 1)
        guard awaitsVoice, remoteTracks == 0, voiceAt == nil, speechlessSince == nil else { return }
        speechlessSince = now
        promisedSince = now
    }

    /// Since when something has been missing that a connect should bring, either way.
    var unopenedSince: Instant? {
        guard let ours = microphone.unopenedSince else { return speechlessSince }
        return speechlessSince.map { min($0, ours) } ?? ours
    }

    /// Whether TCP is asked for before the object is given up whose microphone is not opened.
    var isOpeningAsked: Bool {
        microphone.unopenedSince != nil && microphone.unopenedSince == openingAskedSince
    }

    /// Whether the latest statistics have shown voice.
    var hearsVoice: Bool { voiceAt != nil && !isVoiceless }

    /// Counts anew how long what a connect should bring is missing: what was before proves nothing.
    mutating func restartOpening(at now: Instant) {
        if isOpeningAsked { microphone.forgiveFailures() }
        microphone.restartOpening(at: now)
        guard speechlessSince != nil else { return }
        speechlessSince = now
        promisedSince = now
    }

    /// Whether voice that was lost comes in again while only signalling is being brought back.
    ///
    /// A reconnect that brings voice back is complete a moment later: it has to show once more.
    var isHeardAgain: Bool {
        guard let returnedAt else { return false }
        return statisticsAt > returnedAt && !isVoiceless
    }

    /// Whether the latest statistics have shown no voice, although it came in before.
    var missesKnownVoice: Bool { isVoiceless && voiceAt != nil }

    /// Whether no check has been answered for `patience`, although voice comes in.
    ///
    /// After an outage both ways voice is back before statistics show an answer.
    func isUnanswered(for patience: Duration) -> Bool {
        guard let answeredAt else { return false }
        let due = answeredAt.advanced(by: patience)
        let shown = voiceBackAt.map { $0.advanced(by: Self.answerShownTime) }
        return statisticsAt >= max(due, shown ?? due)
    }

    /// When voice that came in before and does not any more has been missing for `patience`, or, while its
    /// track is there, for long enough since the link is back; `nil` if it comes.
    func voiceOverdue(after patience: Duration) -> Instant? {
        guard isVoiceless, let voiceAt else { return nil }
        let due = voiceAt.advanced(by: patience)
        guard remoteTracks > 0 else { return due }
        return voiceAwaitedSince.map { max(due, $0.advanced(by: Self.voiceReturnTime)) } ?? due
    }

    /// Whether somebody who is there, and is not muted as far as is known, has not been heard for longer than
    /// a change of path takes: they may have gone, and have joined anew.
    func missesVoice(at now: Instant) -> Bool {
        guard isVoiceless, statistics.audibleTracks ?? 0 > 0 else { return false }
        return now >= (voiceAt ?? joinedAt).advanced(by: Self.voiceReturnTime)
    }

    /// How long after the first sign of life an agent that is there is heard again: a pair that receives
    /// nothing is given up after 2.5 s (libwebrtc, `p2p/base/p2p_constants.cc`).
    static let voiceReturnTime = Duration.seconds(3)

    /// Whether a check was answered so late before `due` that the path lives then.
    ///
    /// Statistics show an answer up to their interval after it, and the next answer is one interval
    /// of checks later. That statistics tick proves nothing: they do so in a black hole, too.
    func showsLife(at due: Instant) -> Bool {
        livedAt >= due.advanced(by: .zero - Self.answerShownTime)
    }

    /// The time between checks where no voice comes in (libwebrtc, `p2p/base/p2p_constants.cc`).
    private static let checkInterval = Duration.milliseconds(2_500)

    /// How long it takes at most until statistics show an answer, on a path that lives.
    private static var answerShownTime: Duration { checkInterval + statisticsInterval }

    /// Whether the room holds nobody to talk to, although its link lives.
    var isLeftAlone: Bool { partsAt != nil || agentAwaitedUntil != nil }

    /// Whether no voice can be carried.
    var isLost: Bool {
        switch link {
        case .live: false
        case .lost: true
        }
    }

    /// When the link's state is to be doubted.
    var linkDeadline: Instant? {
        switch link {
        case .live(let until), .lost(_, let until): until
        }
    }

    var deadline: Deadline? {
        var earliest = linkDeadline.map { Deadline($0, isLost ? "give up" : "silence") }
        earliest = .earliest(earliest, restoredUntil.map { Deadline($0, "restored") })
        earliest = .earliest(earliest, partsAt.map { Deadline($0, "agent gone") })
        earliest = .earliest(earliest, resumeDueAt.map { Deadline($0, "ordered resume") })
        earliest = .earliest(earliest, renewal?.deadline)
        return .earliest(earliest, microphone.deadline)
    }

    /// Brings the instant at which the link's state is doubted forward, never back.
    mutating func shorten(to until: Instant) {
        switch link {
        case .live(let present): link = .live(until: present.map { min($0, until) })
        case .lost(let since, let present):
            link = .lost(since: since, until: present.map { min($0, until) })
        }
    }

    /// Doubts signalling from `since` on, or from earlier if it was doubted already.
    private mutating func doubtSignalling(since: Instant) {
        isSignallingSuspect = true
        guard let first = signallingDoubtedSince else {
            signallingDoubtedSince = since
            signallingDoubtedLast = since
            return
        }
        signallingDoubtedSince = min(first, since)
        signallingDoubtedLast = max(signallingDoubtedLast ?? first, since)
    }

    /// Takes the silence so far for what it was: the app had no audio to hear with.
    mutating func excuseSilence(at now: Instant) {
        guard isVoiceless, voiceAt != nil else { return }
        isVoiceless = false
        voiceAt = now
        voiceFrom = now
    }

    /// Doubts signalling from the last sign of life on.
    mutating func doubtSignalling() {
        doubtSignalling(since: livedAt)
    }

    /// Whether signalling may be dead with nobody to notice.
    ///
    /// As long as the SDK pings, it notices within `MicrophoneControl.signallingDoubt`: what it has not
    /// complained of by then lives.
    mutating func isUnheard(at now: Instant) -> Bool {
        guard let since = signallingDoubtedSince else { return false }
        let last = signallingDoubtedLast ?? since
        if resumedAt == nil, now >= last.advanced(by: MicrophoneControl.signallingDoubt) {
            signallingDoubtedSince = nil
        }
        return signallingDoubtedSince != nil && resumingSince == nil
    }

    /// Ends what was doubted of signalling before something was sent by it that the server has answered.
    mutating func signallingAnswered(whatWasSentAt sentAt: Instant) {
        if let last = signallingDoubtedLast ?? signallingDoubtedSince, last > sentAt { return }
        signallingDoubtedSince = nil
        signallingDoubtedLast = nil
        isSignallingSuspect = false
        isSignallingRenewed = true
    }

    /// Notes that a quick reconnect has opened signalling anew.
    mutating func signallingResumed(at now: Instant) {
        resumedAt = now
        isSignallingRenewed = true
        isSignallingSuspect = false
        // If its transports are back, statistics have yet to show it.
        if answeredAt != nil { answeredAt = now }
    }

    /// From when on a switch may have been told to nobody, if the SDK reconnects since `start`.
    ///
    /// While the SDK pings, signalling may have been dead for `MicrophoneControl.signallingDoubt`.
    /// After a resume it sends no pings: for as long as it has been open, but for its first second.
    func untoldFrom(reconnectAt start: Instant) -> Instant {
        let doubted = start.advanced(by: .zero - MicrophoneControl.signallingDoubt)
        guard let resumedAt else { return doubted }
        return min(doubted, resumedAt.advanced(by: MicrophoneControl.answerTime))
    }

    /// Whether voice stopped when the SDK began to reconnect, and nothing has come in from `previous` to
    /// the latest statistics.
    ///
    /// A server whose process has ended takes voice and signalling in one instant. Consent checks are
    /// too rare to say so in a second; where no voice came in before, nothing can be said.
    func fellSilent(since previous: Instant) -> Bool {
        guard !isLost, !isRenewing, let resumingSince, let voiceAt, isVoiceless else {
            return false
        }
        return previous >= resumingSince
            && voiceAt >= resumingSince.advanced(by: .zero - Self.statisticsInterval)
    }

    /// The longest time between two statistics.
    static let statisticsInterval = Duration.milliseconds(1_050)

    /// Doubts signalling if media has gone over to another pair: the socket may have stayed on the path that
    /// was left, and nothing on it says so.
    private mutating func noteRoute(
        _ latest: RoomStatistics,
        since previous: RoomStatistics,
        from countedFrom: Instant,
        at now: Instant
    ) {
        guard let changes = latest.pairChanges, let before = previous.pairChanges,
            changes > before, resumingSince == nil,
            now >= pairsSoughtSince.advanced(by: Self.pairsSettleTime(by: latest.roundTrip))
        else { return }
        doubtSignalling(since: countedFrom.advanced(by: .zero - Self.receivingTimeout))
    }

    /// The silence after which another pair takes over: 2.5 s (libwebrtc, `p2p/base/p2p_constants.h`).
    private static let receivingTimeout = Duration.milliseconds(2_500)
    /// In which new transports find their pair: an offer and its answer, a check and its nomination, and the
    /// checks of the other pairs; an assumption.
    private static func pairsSettleTime(by roundTrip: Duration?) -> Duration {
        max(.seconds(5), (roundTrip ?? .zero) * 5)
    }

    /// Takes statistics; returns whether they show a sign of life since the ones before.
    mutating func note(_ latest: RoomStatistics, at now: Instant) -> Bool {
        let previous = statistics
        let isLate = now > statisticsAt.advanced(by: Self.statisticsInterval)
        let countedFrom = isLate ? now : statisticsAt
        statistics = latest
        statisticsAt = now
        guard !awaitsBaseline else {
            awaitsBaseline = false
            answeredAt = nil
            return false
        }
        noteRoute(latest, since: previous, from: countedFrom, at: now)
        let hearsVoice = latest.packetsReceived ?? 0 > previous.packetsReceived ?? 0
        let isTrackVoice = latest.packetsReceived == nil && remoteTracks > 0
        let checksCame = latest.serverChecks ?? 0 > previous.serverChecks ?? 0
        if hearsVoice || isTrackVoice { speechlessSince = nil }
        if hearsVoice {
            // Who was muted, as the server said, was not to be heard.
            if isVoiceless, previous.audibleTracks != 0, let voiceFrom {
                doubtSignalling(since: voiceFrom)
            }
            if isVoiceless { voiceBackAt = now }
            voiceAt = now
            voiceFrom = countedFrom
        }
        isVoiceless = !hearsVoice
        let isBack = cutOffUntil != nil && checksCame
        if hearsVoice || checksCame { hearServer(at: now) }
        let hasAnswers = latest.consentResponses > previous.consentResponses
        // What nobody counted meanwhile proves nothing (law L4).
        if hasAnswers || isLate && answeredAt != nil { answeredAt = now }
        // Where the server is cut off, it is another way that answers.
        let isAnswered = cutOffUntil == nil && hasAnswers
        guard hearsVoice || isBack || isAnswered else { return false }
        livedAt = now
        return true
    }
}
