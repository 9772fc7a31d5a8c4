import KodamaEvidence
import SansIO

/// The session metrics of a run, added up over its phones.
///
/// *Two-way audio* is there while what the phone captures is heard by the agent, and what the agent
/// says is heard at the phone, each in time (`AudioLine`); 200 ms of missing sound in a row end it, and it is
/// back at the ear's time. Less than that, under way when the wish ends, is no loss either. While
/// the microphone is muted only the agent's side counts. The conversation is *wanted* while the app
/// runs in front and the user has asked for it last, except during calls and after another took the
/// identity (D-08); only then does anything count. What has not ended when the run, or the
/// wish, does is censored at its length so far: it cannot vanish.
struct SessionMeasures: Sendable {
    private var reconnect = Measure.time(
        "session.reconnect.time",
        """
        For each loss of two-way audio, and each outage of the path of up to 15 s in it: from path \
        lost, or from the last audio without an outage, to two-way audio. Usable times under 10 s \
        do not end an outage.
        """,
        "K-01a",
        excluding: [
            "wanted no more before the path was back",
            "the app waited for its user at the end",
            "no path for more than 15 s",
        ]
    )
    private var recovery = Measure.time(
        "session.recovery.time",
        """
        For each outage of the path of up to 10 min that ends while two-way audio is absent, or was \
        in it: from path usable to two-way audio, less what the app waited for its own server's \
        token while that was gone, or for a room server that turned it away, full or closed; 0 if \
        that was sooner.
        """,
        "K-01b",
        excluding: [
            "wanted no more before the path was back",
            "the app waited for its user at the end",
            "no path for more than 10 min",
        ]
    )
    private var falselyConnected = Measure.time(
        "session.false_connected.time",
        """
        Each stretch in which the app's last status is connected or reconnected, and the \
        conversation wanted, while two-way audio is absent.
        """,
        "K-01c"
    )
    private var falseShare = Measure.share(
        "session.false_connected.share",
        "Share of these stretches in the time in which the conversation is wanted.",
        "K-01c",
        occasions: .atOnce
    )
    private var connect = Measure.time(
        "session.connect.time",
        """
        From each launch of the app to the first two-way audio, less the time in which the app \
        could only wait for its user to sign in or to allow the microphone.
        """,
        "K-02",
        excluding: [
            "wanted no more before the path was back",
            "the app waited for its user at the end",
        ]
    )
    private var resume = Measure.time(
        "session.resume.time",
        """
        From each return of the user (opens the app again, connects, taps a notification, ends a \
        call) to two-way audio, less what the app waited for its user; from path usable where \
        there was none upon the return; 0 if it never went away.
        """,
        "RS-06, RS-13",
        excluding: [
            "wanted no more before the path was back",
            "the app waited for its user at the end",
        ]
    )
    private var roundTrip = Measure.time(
        "voice.round_trip.time",
        """
        From the end of the user's speech to the first sample of the agent's answer that reaches the \
        phone's speaker, whatever was lost before it, if that comes before the user speaks again.
        """,
        "K-09",
        excluding: ["muted", "not wanted any more"]
    )
    private var unanswered = Measure.share(
        "voice.turns.unanswered",
        """
        Share of the user's turns in a wanted conversation after which 10 s pass without speech and \
        without an answer; where the user speaks again before, their silences count together.
        """,
        "K-09",
        excluding: ["muted", "not wanted any more"]
    )
    private var unheard = Measure.share(
        "voice.answers.unheard",
        """
        Share, by length, of what the agent says in answers in a wanted conversation that the phone \
        does not hear within 1 s, or twice what a longer path takes; less than 200 ms in a row count \
        as heard.
        """,
        "K-09",
        occasions: .atOnce
    )
    private var whole = Measure.time(
        "session.reconnect.whole.time",
        """
        Each loss of two-way audio, whatever signalling did, after an outage of any length: from path lost, or from the last \
        audio, to two-way audio. The parts of each add up to it exactly; each gives a sample to each \
        part, often 0.
        """,
        "K-01a"
    )
    private var parts = ReconnectPart.allCases.map(\.measure)
    private var attempts = Measure.number(
        "session.attempts.count",
        "Attempts of any kind that begin within each whole reconnect.",
        "RS-11"
    )
    private var attemptRate = Measure.number(
        "session.attempts.rate",
        """
        For each attempt: how many, of all phones, began in the second that ends with it; the \
        maximum is the peak of any second.
        """,
        "RS-11",
        occasions: .atOnce
    )
    private var reported = Measure.count(
        "session.disconnects.reported",
        "Ends of room objects reported to the app that it had not asked for.",
        "RS-09",
        occasions: .atOnce
    )
    private var silenced = Measure.count(
        "session.agent.silenced",
        "Agents that closed their session while the conversation was wanted.",
        "D-05",
        occasions: .atOnce
    )
    private var lostTime = Measure.time(
        "session.audio.lost.time",
        "For each phone that ever had two-way audio: the sum of its losses in the run.",
        "K-10",
        excluding: ["never two-way audio"]
    )
    private var lostShare = Measure.share(
        "session.audio.lost.share",
        "Share of losses in the wanted time after the first two-way audio.",
        "K-10",
        excluding: ["never two-way audio"]
    )
    private var unrecovered = Measure.count(
        "session.unrecovered",
        """
        Times without two-way audio that ended without it although the path had been usable for \
        their last 30 s, or in which it was usable for 10 min on end; not while the app waited for \
        its own server, which was gone, nor while no agent was called to its rooms and none was there, \
        nor while it had to connect by a Wi-Fi that let no signalling pass, \
        nor while it could only wait for its user to sign in, to allow the microphone, to put Control Centre \
        away, or to open it again after a start without the keychain or the engine, nor while it tried to start \
        an engine that failed.
        """,
        "K-01b, D-19",
        excluding: ["the app waited for its user at the end"]
    )

    private static var second: Int64 { 1_000_000_000 }

    private var probes = ProbeTotals()
    private var storm = StormTotals()
    private var connections = ConnectionTotals()
    private var conduct = ConductTotals()
    /// How sessions sound, where voices are real.
    var sound = SoundMeasures(of: "session", "K-09, K-10")

    /// The metrics, in the order in which reports list them.
    var all: [any AnyMeasure] {
        [
            reconnect, recovery, falselyConnected, falseShare, connect, resume, roundTrip,
            unanswered, unheard,
            whole,
        ] + parts as [any AnyMeasure] + [
            attempts, attemptRate, reported, silenced, lostTime, lostShare, unrecovered,
        ] + probes.all + storm.all + connections.all + conduct.all + sound.all
    }

    /// Adds the phones of a run, and the instants at which its room server came back.
    mutating func add(_ readings: [SessionReading], serverReturns: [Int64]) {
        for reading in readings {
            addWaits(reading)
            for absence in reading.absences {
                add(absence, reading)
            }
            for stretch in reading.falsePromises.all {
                falselyConnected.add(stretch, endsWith: reading)
            }
            addFalseShare(reading)
            addLostTime(reading)
            addTurns(TurnMeter(reading), reading)
            addAnswers(AnswerMeter(reading).answers, reading)
            addAgents(AgentFate(reading))
            addReports(reading.entries)
            probes.add(reading.entries)
            connections.add(reading)
            conduct.add(reading)
            addSound(reading)
        }
        storm.add(readings, returns: serverReturns)
        addAttemptRate(readings.flatMap { $0.activity.attempts.map(\.began.record) })
    }

    /// A wish that begins with audio waits for nothing, one that begins without is an absence.
    private mutating func addWaits(_ reading: SessionReading) {
        for wish in reading.wishes.wishes where !reading.silence.contains(wish.span.start) {
            switch wish.origin {
            case .launch: connect.add(0, at: reading.start(of: wish))
            case .resume: resume.add(0, at: reading.start(of: wish))
            }
        }
    }

    private mutating func add(_ absence: Absence, _ reading: SessionReading) {
        for wait in absence.reconnects { reconnect.add(wait, of: reading) }
        for wait in absence.recoveries { recovery.add(wait, of: reading) }
        addUnrecovered(absence, reading)
        switch absence.origin {
        case .launch: connect.add(absence.time(from: absence.start), of: reading)
        case .resume: resume.add(absence.time(from: absence.pathFrom), of: reading)
        case .loss: addReconnect(absence, reading)
        }
    }

    private mutating func addUnrecovered(_ absence: Absence, _ reading: SessionReading) {
        let occurrence = reading.occurrence(Span(start: absence.start, end: absence.end))
        if absence.isUnrecovered {
            unrecovered.add(1, at: occurrence)
        } else if !absence.isCutByRun {
            unrecovered.add(0, at: occurrence)
        } else if absence.awaitsUser {
            // However long the run is, it stays so.
            unrecovered.exclude("the app waited for its user at the end", at: occurrence)
        } else {
            unrecovered.censor(0, at: occurrence)
        }
    }

    private mutating func addFalseShare(_ reading: SessionReading) {
        let wanted = reading.wishes.wanted.length
        guard wanted > 0 else { return }
        let stretches = reading.falsePromises
        let longest = stretches.all.max { $0.length < $1.length }
        let run = Span(start: 0, end: reading.end)
        falseShare.add(stretches.length, of: wanted, at: reading.occurrence(longest ?? run))
    }

    private mutating func addReconnect(_ absence: Absence, _ reading: SessionReading) {
        let span = Span(start: absence.start, end: absence.end)
        let occurrence = reading.occurrence(span)
        let count = Int64(reading.activity.attemptCount(in: span))
        whole.add(span.length, isOpen: absence.isOpen, at: occurrence)
        for (part, share) in reading.activity.parts(of: span).enumerated() {
            parts[part].add(share, isOpen: absence.isOpen, at: occurrence)
        }
        attempts.add(count, isOpen: absence.isOpen, at: occurrence)
    }

    /// A phone on which nobody wants a conversation, as one without the app, is no occasion.
    private mutating func addLostTime(_ reading: SessionReading) {
        guard !reading.wishes.wishes.isEmpty else { return }
        guard reading.hasTalked else {
            let run = reading.occurrence(Span(start: 0, end: reading.end))
            lostTime.exclude("never two-way audio", at: run)
            lostShare.exclude("never two-way audio", at: run)
            return
        }
        let losses = reading.absences.filter { $0.origin == .loss }
        let waits = reading.absences.filter { $0.origin != .loss }
        let lost = losses.reduce(0) { $0 + $1.end - $1.silentFrom }
        let waited = waits.reduce(0) { $0 + $1.end - $1.silentFrom }
        let wanted = reading.wishes.wanted.length - waited
        guard let first = losses.first, let last = losses.last,
            let longest = losses.max(by: { $0.end - $0.silentFrom < $1.end - $1.silentFrom })
        else {
            let occurrence = reading.occurrence(Span(start: 0, end: reading.end))
            lostTime.add(lost, at: occurrence)
            lostShare.add(lost, of: wanted, at: occurrence)
            return
        }
        // A sum of seconds is shown with the time that holds them all; of a share the longest loss
        // is where to look.
        let all = Span(start: first.silentFrom, end: last.end)
        lostTime.add(lost, at: reading.occurrence(all))
        let most = Span(start: longest.silentFrom, end: longest.end)
        lostShare.add(lost, of: wanted, at: reading.occurrence(most))
    }

    private mutating func addTurns(_ turns: TurnMeter, _ reading: SessionReading) {
        for span in turns.roundTrips {
            roundTrip.add(span.length, at: reading.occurrence(span))
            unanswered.add(0, of: 1, at: reading.occurrence(span))
        }
        for span in turns.unanswered {
            roundTrip.censor(span.length, at: reading.occurrence(span))
            unanswered.add(1, of: 1, at: reading.occurrence(span))
        }
        for span in turns.open {
            roundTrip.censor(span.length, at: reading.occurrence(span))
            unanswered.censor(0, of: 1, at: reading.occurrence(span))
        }
        for (span, reason) in turns.excluded {
            roundTrip.exclude(reason, at: reading.occurrence(span))
            unanswered.exclude(reason, at: reading.occurrence(span))
        }
    }

    private mutating func addAnswers(_ answers: [AnswerMeter.Answer], _ reading: SessionReading) {
        for answer in answers {
            unheard.add(answer.unheard, of: answer.said, at: reading.occurrence(answer.span))
        }
    }

    /// What a phone's session sounded like, to its user and to the agent.
    private mutating func addSound(_ reading: SessionReading) {
        let (pair, lacks) = reading.sound
        guard pair.toPhone.isOpen || pair.fromPhone.isOpen else { return }
        let (wanted, end) = (reading.wishes.wanted, reading.end)
        sound.add(
            pair.toPhone,
            lacks: lacks.toPhone,
            said: reading.answers,
            wanted: wanted,
            end: end
        ) { Occurrence($0, of: reading.phone, about: pair.agents) }
        sound.add(
            pair.fromPhone,
            lacks: lacks.fromPhone,
            said: reading.spoken,
            wanted: wanted,
            end: end
        ) { Occurrence($0, of: pair.agents, about: reading.phone) }
    }

    private mutating func addAgents(_ fate: AgentFate) {
        for join in fate.joins { silenced.add(0, at: Occurrence(join.record)) }
        for close in fate.closes where close.isWanted {
            silenced.add(1, samples: 0, at: Occurrence(close.entry.record))
        }
    }

    private mutating func addReports(_ entries: [SessionStory.Entry]) {
        for entry in entries {
            switch entry.kind {
            case ConnectBegan.kind:
                reported.add(0, at: Occurrence(entry.record))
            case RoomDisconnected.kind where RoomDisconnected(entry.record).error.value != nil:
                reported.add(1, samples: 0, at: Occurrence(entry.record))
            default:
                break
            }
        }
    }

    /// For each attempt of any phone, how many began in the second that ends with it.
    private mutating func addAttemptRate(_ attempts: [TraceRecord]) {
        let attempts = attempts.enumerated().sorted {
            ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset)
        }.map(\.element)
        var oldest = 0
        for (index, attempt) in attempts.enumerated() {
            let second = attempt.instant.nanoseconds - Self.second
            while attempts[oldest].instant.nanoseconds <= second { oldest += 1 }
            attemptRate.add(Int64(index - oldest + 1), at: Occurrence(attempt))
        }
    }
}

extension Measure where Finding == Distribution {
    /// Adds what a wait for two-way audio came to.
    fileprivate mutating func add(_ wait: Absence.Wait, of reading: SessionReading) {
        switch wait {
        case .ended(let span): add(span.length, at: reading.occurrence(span))
        case .censored(let span): censor(span.length, at: reading.occurrence(span))
        case .excluded(let span, let reason): exclude(reason, at: reading.occurrence(span))
        }
    }

    /// Adds a stretch of time; one that lasts when the run ends is censored.
    mutating func add(_ stretch: Span, endsWith reading: SessionReading) {
        add(
            stretch.length,
            isOpen: stretch.end >= reading.end,
            at: reading.occurrence(stretch)
        )
    }
}
