/// Checks the finished stories of a run's sessions against all session invariants.
struct SessionInvariants: Sendable {
    private var tallies = SessionInvariant.allCases.map { _ in Findings() }

    private struct Findings {
        var checkedCount = 0
        var broken: [SessionStory.Entry] = []
    }

    private var directory = TraceDirectory(names: [])

    /// The findings, in the order of the catalogue.
    var results: [InvariantResult] {
        zip(InvariantCatalog.session, tallies).map { invariant, findings in
            var result = InvariantResult(name: invariant.name)
            result.checkedCount = findings.checkedCount
            result.violationCount = findings.broken.count
            result.violations = findings.broken
                .sorted { $0.position < $1.position }
                .prefix(InvariantResult.keptViolationCount)
                .map { .init(position: $0.position, line: TraceText.line($0.record, directory)) }
            return result
        }
    }

    /// Checks all phones of a run.
    mutating func check(_ readings: [SessionReading], _ directory: TraceDirectory) {
        self.directory = directory
        for reading in readings {
            checkRooms(reading.entries)
            checkOffline(reading.entries)
            // Each loss is a chance to report it twice.
            tallies[SessionInvariant.oneReportPerLoss.rawValue].checkedCount +=
                reading.absences.count
            checkRevivals(reading)
            checkWatchdog(reading)
            checkParts(reading)
            checkAttempts(reading)
            checkAgents(AgentFate(reading))
        }
    }

    /// An agent that is still there when the run ends has survived whatever happened.
    private mutating func checkAgents(_ fate: AgentFate) {
        for close in fate.closes { check(.agentSurvives, close.isRightful, close.entry) }
        for join in fate.joins.dropFirst(fate.closes.count) { check(.agentSurvives, true, join) }
    }

    private mutating func checkRooms(_ entries: [SessionStory.Entry]) {
        var held: [Int64] = []
        var reported: [Int64] = []
        for entry in entries {
            switch entry.kind {
            case ConnectBegan.kind:
                let room = ConnectBegan(entry.record).room
                check(.oneConnectInFlight, held.isEmpty, entry)
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
                check(.oneReportPerLoss, !reported.contains(room), entry)
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

    private mutating func checkOffline(_ entries: [SessionStory.Entry]) {
        var isHandedOver = false
        for entry in entries {
            switch entry.kind {
            case OfflineHandedOver.kind:
                check(.oneReportPerLoss, !isHandedOver, entry)
                isHandedOver = true
            case OfflineTakenBack.kind, OfflineEnded.kind:
                check(.oneReportPerLoss, isHandedOver, entry)
                isHandedOver = false
            case AppTerminated.kind:
                isHandedOver = false
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
            check(.nothingRevives, revival == nil, revival ?? first)
            guard ban.span.length >= SessionBounds.silenceMin else { continue }
            let late = Span(start: ban.span.start + SessionBounds.goodbyeMax, end: ban.span.end)
            let isSilent =
                reading.heard.fromPhone.intersection(late).all.isEmpty
                && reading.heard.toPhone.intersection(late).all.isEmpty
            check(.nothingRevives, isSilent, first)
        }
    }

    private mutating func checkWatchdog(_ reading: SessionReading) {
        let wanted = reading.promised.intersection(reading.wishes.wanted)
        for promise in wanted.all {
            let dead = reading.deadAir.intersection(promise).all
            let late = dead.first { $0.length > SessionBounds.watchdogMax }
            guard let entry = reading.entry(at: late?.start ?? promise.start) else { continue }
            check(.watchdogHolds, late == nil, entry)
        }
    }

    private mutating func checkParts(_ reading: SessionReading) {
        for absence in reading.absences {
            guard let whole = absence.whole, let entry = reading.entry(at: absence.start) else {
                continue
            }
            let span = Span(start: absence.start, end: absence.end)
            let parts = reading.activity.parts(of: span)
            check(.partsSum, parts.reduce(0, +) == whole && parts.allSatisfy { $0 >= 0 }, entry)
        }
    }

    private mutating func checkAttempts(_ reading: SessionReading) {
        for (index, attempt) in reading.activity.attempts.enumerated() {
            let length = (attempt.ended ?? reading.end) - attempt.began.instant
            let isEnded =
                !reading.activity.unended.contains(index) && length <= SessionBounds.attemptMax
            check(.attemptsEnd, isEnded, attempt.began)
        }
    }

    private mutating func check(
        _ invariant: SessionInvariant,
        _ holds: Bool,
        _ entry: SessionStory.Entry
    ) {
        tallies[invariant.rawValue].checkedCount += 1
        if !holds { tallies[invariant.rawValue].broken.append(entry) }
    }
}
