import KodamaEvidence

/// Checks the finished stories of a run's sessions against all session invariants.
struct SessionInvariants: Sendable {
    private var oneConnectInFlight = Invariant(
        "session.one-connect-in-flight",
        """
        The app orders a room object to connect only when it holds no other one that is connecting, \
        connected or reconnecting.
        """,
        "RS-04, D-08"
    )
    private var oneReportPerLoss = Invariant(
        "session.one-report-per-loss",
        """
        A room object reports its end at most once per connect; handing over to the offline part and \
        taking back alternate, and what was never connected is not handed over.
        """,
        "RS-09"
    )
    private var nothingRevives = Invariant(
        "session.nothing-revives",
        """
        After the user has disconnected or logged out, or another took the identity, nothing \
        connects and no voice captured more than 1 s later is heard, until the user launches the app \
        anew, connects, signs in or taps a notification.
        """,
        "RS-05, D-08"
    )
    private var watchdogHolds = Invariant(
        "session.watchdog-holds",
        """
        While the conversation is wanted, the status never promises it for more than 10 s on end in \
        which neither side is heard.
        """,
        "K-01c"
    )
    private var agentSurvives = Invariant(
        "session.agent-survives",
        """
        An agent closes its session only because the room was closed or deleted, the user refused, \
        or the client said goodbye when the user did not want the conversation, the app was not in \
        front or the login had ended.
        """,
        "D-05; livekit/agents, voice/room_io/types.py"
    )
    private var noGhost = Invariant(
        "session.no-ghost",
        """
        While the conversation is wanted, the status never promises it for more than 10 s on end after \
        the last agent has gone and nothing is heard of any.
        """,
        "D-22"
    )
    private var nobodyOverhears = Invariant(
        "session.nobody-overhears",
        """
        Nothing from the phone is heard while it is muted, or while a call or another app has the \
        audio, when renderer and engine are off as well; microphone, renderer and engine are off \
        after the user has disconnected or logged out; 1 s late at most.
        """,
        "K-22"
    )
    private var partsSum = Invariant(
        "session.parts-sum",
        "The parts of each reconnect add up to the whole, and none is negative.",
        "K-01a"
    )
    private var attemptsEnd = Invariant(
        "session.attempts-end",
        """
        Each attempt ends before its room object begins another one, and within 120 s, unless the run \
        ends first.
        """,
        "RS-11; livekit/client-sdk-swift, Extensions/TimeInterval.swift"
    )

    /// The invariants, in the order in which reports list them.
    var all: [Invariant] {
        [
            oneConnectInFlight, oneReportPerLoss, nothingRevives, watchdogHolds, agentSurvives,
            noGhost, nobodyOverhears, partsSum, attemptsEnd,
        ]
    }

    /// Checks all phones of a run.
    mutating func check(_ readings: [SessionReading]) {
        for reading in readings {
            checkRooms(reading.entries)
            checkOffline(reading.entries)
            // Each loss is a chance to report it twice.
            oneReportPerLoss.addChances(reading.absences.count)
            checkRevivals(reading)
            checkWatchdog(reading)
            checkGhosts(reading)
            checkConduct(reading)
            checkParts(reading)
            checkAttempts(reading)
            checkAgents(AgentFate(reading))
        }
    }

    /// An agent that is still there when the run ends has survived whatever happened.
    private mutating func checkAgents(_ fate: AgentFate) {
        for close in fate.closes { agentSurvives.check(close.isRightful, close.entry) }
        for join in fate.joins.dropFirst(fate.closes.count) { agentSurvives.check(true, join) }
    }

    private mutating func checkRooms(_ entries: [SessionStory.Entry]) {
        var held: [Int64] = []
        var reported: [Int64] = []
        for entry in entries {
            switch entry.kind {
            case ConnectBegan.kind:
                let room = ConnectBegan(entry.record).room
                oneConnectInFlight.check(held.isEmpty, entry)
                held.append(room)
                reported.removeAll { $0 == room }
            case ConnectEnded.kind where ConnectEnded(entry.record).error.value != nil:
                let room = ConnectEnded(entry.record).room
                held.removeAll { $0 == room }
            case RoomLeft.kind:
                let room = RoomLeft(entry.record).room
                held.removeAll { $0 == room }
            case RoomDisconnected.kind:
                let room = RoomDisconnected(entry.record).room
                oneReportPerLoss.check(!reported.contains(room), entry)
                reported.append(room)
                held.removeAll { $0 == room }
            case AppTerminated.kind:
                held = []
                reported = []
            default:
                break
            }
        }
    }

    /// Who has left a room begins another conversation, in which there is nothing to take over yet.
    private mutating func checkOffline(_ entries: [SessionStory.Entry]) {
        var (isHandedOver, wasConnected) = (false, false)
        for entry in entries {
            switch entry.kind {
            case ConnectEnded.kind where ConnectEnded(entry.record).error.value == nil:
                wasConnected = true
            case RoomLeft.kind where RoomLeft(entry.record).manner.value == .disconnect:
                wasConnected = false
            case OfflineHandedOver.kind:
                oneReportPerLoss.check(!isHandedOver && wasConnected, entry)
                isHandedOver = true
            case OfflineTakenBack.kind, OfflineEnded.kind:
                oneReportPerLoss.check(isHandedOver, entry)
                isHandedOver = false
            case AppTerminated.kind:
                (isHandedOver, wasConnected) = (false, false)
            default:
                break
            }
        }
    }

    /// Voice is judged only in bans long enough for it to have settled: a second in which sound may be
    /// under way, one after which it is of no use, and what a loss at least lacks.
    private mutating func checkRevivals(_ reading: SessionReading) {
        for ban in reading.wishes.bans {
            let entries = reading.entries[ban.entries]
            let revival = entries.first {
                $0.kind == ConnectBegan.kind || $0.kind == AttemptBegan.kind
            }
            guard let first = entries.first else { continue }
            nothingRevives.check(revival == nil, revival ?? first)
            guard ban.span.length >= SessionBounds.silenceMin else { continue }
            let late = Span(start: ban.span.start + SessionBounds.goodbyeMax, end: ban.span.end)
            let isSilent =
                reading.heard.fromPhone.intersection(late).all.isEmpty
                && reading.heard.toPhone.intersection(late).all.isEmpty
            nothingRevives.check(isSilent, first)
        }
    }

    private mutating func checkWatchdog(_ reading: SessionReading) {
        let wanted = reading.promised.intersection(reading.wishes.wanted)
        for promise in wanted.all {
            let dead = reading.deadAir.intersection(promise).all
            let late = dead.first { $0.length > SessionBounds.watchdogMax }
            guard let entry = reading.entry(at: late?.start ?? promise.start) else { continue }
            watchdogHolds.check(late == nil, entry)
        }
    }

    /// Each time without an agent is a chance to talk to one that is not there.
    private mutating func checkGhosts(_ reading: SessionReading) {
        let talks = reading.ghostTalks.all
        for absence in reading.abandoned.all {
            let late = talks.first {
                $0.start >= absence.start && $0.end <= absence.end
                    && $0.length > SessionBounds.ghostMax
            }
            guard let entry = reading.entry(at: late?.start ?? absence.start) else { continue }
            noGhost.check(late == nil, entry)
        }
    }

    private mutating func checkConduct(_ reading: SessionReading) {
        for stretch in Conduct(reading).stretches {
            let instant = stretch.breach ?? stretch.span.start
            guard let entry = reading.entry(at: instant) else { continue }
            nobodyOverhears.check(stretch.breach == nil, entry)
        }
    }

    private mutating func checkParts(_ reading: SessionReading) {
        for absence in reading.absences {
            guard let whole = absence.whole, let entry = reading.entry(at: absence.start) else {
                continue
            }
            let span = Span(start: absence.start, end: absence.end)
            let parts = reading.activity.parts(of: span)
            partsSum.check(parts.reduce(0, +) == whole && parts.allSatisfy { $0 >= 0 }, entry)
        }
    }

    private mutating func checkAttempts(_ reading: SessionReading) {
        for (index, attempt) in reading.activity.attempts.enumerated() {
            let length = (attempt.ended ?? reading.end) - attempt.began.instant
            let isEnded =
                !reading.activity.unended.contains(index) && length <= SessionBounds.attemptMax
            attemptsEnd.check(isEnded, attempt.began)
        }
    }
}

extension Invariant {
    /// Counts one check at an entry of a story.
    fileprivate mutating func check(_ holds: Bool, _ entry: SessionStory.Entry) {
        check(holds, entry.record, at: entry.position)
    }
}
