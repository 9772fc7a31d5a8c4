/// The session metrics of a run, added up over its phones.
struct SessionTotals: Sendable {
    private var reconnect = Distribution()
    private var recovery = Distribution()
    private var falselyConnected = Distribution()
    private var connect = Distribution()
    private var resume = Distribution()
    private var roundTrip = Distribution()
    private var unanswered = Proportion()
    private var unheard = Proportion()
    private var whole = Distribution()
    private var parts = Array(repeating: Distribution(), count: ReconnectPart.allCases.count)
    private var attempts = Distribution(resolution: 1)
    private var attemptRate = Distribution(resolution: 1)
    private var reported = Tally()
    private var silenced = Tally()
    private var lostTime = Distribution()
    private var lostShare = Proportion()
    private var unrecovered = Tally()

    /// Adds the phones of a run.
    mutating func add(_ readings: [SessionReading]) {
        for reading in readings {
            addWaits(reading)
            for absence in reading.absences {
                add(absence, reading.activity)
            }
            for stretch in reading.falsePromises.all {
                falselyConnected.add(stretch.length)
            }
            addLostTime(reading)
            addTurns(TurnMeter(reading))
            addAnswers(AnswerMeter(reading))
            addAgents(AgentFate(reading))
            addReports(reading.entries)
        }
        addAttemptRate(readings.flatMap { $0.activity.attempts.map(\.began.instant) })
    }

    /// The findings, in the order of the catalogue.
    var results: [MetricResult] {
        let values: [MetricValue] =
            [
                .distribution(reconnect), .distribution(recovery), .distribution(falselyConnected),
                .distribution(connect), .distribution(resume), .distribution(roundTrip),
                .proportion(unanswered), .proportion(unheard), .distribution(whole),
            ] + parts.map { .distribution($0) } + [
                .distribution(attempts), .distribution(attemptRate), .count(reported),
                .count(silenced), .distribution(lostTime), .proportion(lostShare),
                .count(unrecovered),
            ]
        return zip(MetricCatalog.session, values).map { metric, value in
            MetricResult(name: metric.name, unit: metric.unit, value: value)
        }
    }

    /// A wish that begins with audio waits for nothing, one that begins without is an absence.
    private mutating func addWaits(_ reading: SessionReading) {
        for wish in reading.wishes.wishes where !reading.silence.contains(wish.span.start) {
            switch wish.origin {
            case .launch: connect.add(0)
            case .resume: resume.add(0)
            }
        }
    }

    private mutating func add(_ absence: Absence, _ activity: ReconnectActivity) {
        absence.reconnectTimes.forEach { reconnect.add($0) }
        absence.recoveryTimes.forEach { recovery.add($0) }
        unrecovered.add(absence.isUnrecovered ? 1 : 0)
        switch absence.origin {
        case .launch: addWait(absence, to: &connect)
        case .resume: addWait(absence, to: &resume)
        case .loss: addReconnect(absence, activity)
        }
    }

    private func addWait(_ absence: Absence, to waits: inout Distribution) {
        guard !absence.awaitedSignIn else { return }
        let wait = absence.time(from: absence.start, leastIfOpen: SessionBounds.connectMax)
        wait.map { waits.add($0) }
    }

    private mutating func addReconnect(_ absence: Absence, _ activity: ReconnectActivity) {
        guard let time = absence.whole else { return }
        let span = Span(start: absence.start, end: absence.end)
        whole.add(time)
        for (part, share) in activity.parts(of: span).enumerated() {
            parts[part].add(share)
        }
        attempts.add(Int64(activity.attemptCount(in: span)))
    }

    private mutating func addLostTime(_ reading: SessionReading) {
        guard reading.hasTalked else { return }
        let losses = reading.absences.filter { $0.origin == .loss }
        let waits = reading.absences.filter { $0.origin != .loss }
        let lost = losses.reduce(0) { $0 + $1.end - $1.silentFrom }
        let waited = waits.reduce(0) { $0 + $1.end - $1.silentFrom }
        lostTime.add(lost)
        lostShare.add(lost, of: reading.wishes.wanted.length - waited)
    }

    private mutating func addTurns(_ turns: TurnMeter) {
        turns.roundTrips.forEach { roundTrip.add($0) }
        let count = turns.roundTrips.count + turns.unansweredCount
        unanswered.merge(
            Proportion(
                numerator: Int64(turns.unansweredCount),
                denominator: Int64(count),
                samples: count
            )
        )
    }

    private mutating func addAnswers(_ answers: AnswerMeter) {
        unheard.merge(
            Proportion(
                numerator: answers.unheard,
                denominator: answers.said,
                samples: answers.count
            )
        )
    }

    private mutating func addAgents(_ fate: AgentFate) {
        let count = fate.closes.count { $0.isWanted }
        silenced.merge(Tally(total: Int64(count), samples: fate.joins.count))
    }

    private mutating func addReports(_ entries: [SessionStory.Entry]) {
        let reports = entries.count {
            $0.kind == RoomDisconnected.kind && RoomDisconnected($0.record).error.value != nil
        }
        let connects = entries.count { $0.kind == ConnectBegan.kind }
        reported.merge(Tally(total: Int64(reports), samples: connects))
    }

    /// For each attempt of any phone, how many began in the second that ends with it.
    private mutating func addAttemptRate(_ instants: [Int64]) {
        let instants = instants.sorted()
        var oldest = 0
        for (index, instant) in instants.enumerated() {
            while instants[oldest] <= instant - 1_000_000_000 { oldest += 1 }
            attemptRate.add(Int64(index - oldest + 1))
        }
    }
}
