import KodamaEvidence
import SansIO

/// Measures nudges: at which link each was lost, how long an intervention takes, and the way back.
struct NudgeMeter {
    private var shown = Measure.share(
        "nudge.chain.shown",
        "Of the nudges that the app sent: those that came to the screen.",
        "K-06",
        better: .higher,
        occasions: .atOnce
    )
    private var opened = Measure.share(
        "nudge.chain.opened",
        "Of these: those that the user tapped.",
        "K-06",
        better: .higher
    )
    private var done = Measure.share(
        "nudge.chain.done",
        "Of these: those whose instruction was done.",
        "K-06",
        better: .higher
    )
    private var response = Measure.share(
        "nudge.response.rate",
        """
        Of the nudges that the app sent: those whose instruction was done; the product of \
        nudge.chain.*.
        """,
        "K-06",
        better: .higher
    )
    private var appRate = Measure.share(
        "nudge.response.app_rate",
        """
        Of the nudges that were over for the app: those that it has as done. A nudge that is \
        tapped after the app has taken it back leads to its intervention and counts for nothing.
        """,
        "D-26, AN-09",
        better: .higher,
        occasions: .atOnce
    )
    private var complete = Measure.time(
        "nudge.complete.time",
        """
        From the tap on a nudge to the end of what it asked for; where that did not come, it is open \
        where the user broke it off or the app ended it.
        """,
        "K-07, D-17"
    )
    private var firstWord = Measure.time(
        "nudge.tap_to_word.time",
        """
        From the tap on a nudge to the first word of its intervention; where that did not come, it is open \
        where the user broke it off or the app ended it.
        """,
        "K-07, K-04"
    )
    private var agentLeads = Measure.share(
        "nudge.agent.rate",
        "Of the interventions that began: those whose first word was the agent's.",
        "AN-03",
        better: .higher,
        occasions: .atOnce
    )
    private var intervention = Measure.time(
        "nudge.intervention.time",
        """
        From the tap on a nudge to the end of its intervention, where what it asked for was done: 30 to 60 s \
        in the full form.
        """,
        "K-07",
        occasions: .atOnce
    )
    private var back = Measure.share(
        "nudge.return.rate",
        """
        Of the nudges whose intervention came to its end: those after which the user was back, \
        within 60 s, in the app that they came from.
        """,
        "D-24",
        better: .higher,
        excluding: ["the user broke it off", "its intervention came to no end"]
    )
    private var unended = Measure.count(
        "nudge.unended",
        "Nudges that no other metric counts, since the run ended before them; of all that came.",
        "HN-01",
        occasions: .atOnce
    )

    private struct Nudge {
        let record: TraceRecord
        let isShown: Bool
        var tapped: Instant?
        var hasBegun = false
        var finished: Instant?
        var isDone = false
        var isBroken = false
        /// Whether the app has ended its intervention and invited the user to go back.
        var hasEnded = false
        var isBack = false
    }

    private var nudges: [ComponentIndex: Nudge] = [:]

    var metrics: [any AnyMeasure] {
        [
            shown, opened, done, response, appRate, complete, firstWord, agentLeads, intervention,
            back, unended,
        ]
    }

    mutating func take(_ record: TraceRecord) {
        let app = record.component
        switch record.kind {
        case NudgeCame.kind:
            close(app)
            nudges[app] = Nudge(record: record, isShown: NudgeCame(record).isShown.isSet)
        case NudgeActed.kind:
            switch NudgeActed(record).deed.value {
            case .taps: nudges[app]?.tapped = record.instant
            case .breaksOff, .takesCall:
                nudges[app]?.isBroken = true
                finish(app, at: record.instant)
            case .tapsBreadcrumb, .reopens: nudges[app]?.isBack = true
            default: return
            }
        case InterventionBegan.kind:
            let isOnline = InterventionBegan(record).isOnline.isSet
            agentLeads.add(isOnline ? 1 : 0, of: 1, at: Occurrence(record))
            guard let tapped = nudges[app]?.tapped, nudges[app]?.hasBegun == false else { return }
            nudges[app]?.hasBegun = true
            let wait = tapped.duration(to: record.instant).wholeNanoseconds
            firstWord.add(wait, at: Occurrence(from: tapped, until: record.instant, of: app))
        case InterventionEnded.kind:
            nudges[app]?.hasEnded = true
            guard let tapped = nudges[app]?.tapped, InterventionEnded(record).isDone.isSet
            else { return }
            let length = tapped.duration(to: record.instant).wholeNanoseconds
            intervention.add(length, at: Occurrence(from: tapped, until: record.instant, of: app))
        case InstructionDone.kind:
            nudges[app]?.isDone = true
            finish(app, at: record.instant)
        case NudgeEnded.kind:
            let reach = NudgeEnded(record).reach.value
            appRate.add(reach == .done ? 1 : 0, of: 1, at: Occurrence(record))
            // One that was tapped too late for the app goes on nevertheless.
            guard reach != .unopened || nudges[app]?.tapped == nil else { return }
            finish(app, at: record.instant)
            close(app)
        default: return
        }
    }

    /// The run is over: what waits is censored.
    mutating func end(at now: Instant) {
        for app in nudges.keys.sorted(by: { $0.index < $1.index }) {
            if nudges[app]?.finished != nil { close(app) }
            guard let nudge = nudges[app] else { continue }
            let place = Occurrence(nudge.record)
            unended.add(1, at: place)
            shown.add(nudge.isShown ? 1 : 0, of: 1, at: place)
            response.censor(0, of: 1, at: place)
            guard nudge.isShown else { continue }
            guard let tapped = nudge.tapped else {
                opened.censor(0, of: 1, at: place)
                continue
            }
            opened.add(1, of: 1, at: place)
            done.censor(0, of: 1, at: place)
            if !nudge.hasBegun {
                firstWord.censor(
                    tapped.duration(to: now).wholeNanoseconds,
                    at: Occurrence(from: tapped, until: now, of: app)
                )
            }
            complete.censor(
                tapped.duration(to: now).wholeNanoseconds,
                at: Occurrence(from: tapped, until: now, of: app)
            )
        }
        nudges = [:]
    }

    private mutating func finish(_ app: ComponentIndex, at now: Instant) {
        if nudges[app]?.finished == nil { nudges[app]?.finished = now }
    }

    private mutating func close(_ app: ComponentIndex) {
        guard let nudge = nudges.removeValue(forKey: app) else { return }
        let place = Occurrence(nudge.record)
        func one(_ isSo: Bool) -> Int64 { isSo ? 1 : 0 }
        unended.add(0, at: place)
        response.add(one(nudge.isShown && nudge.tapped != nil && nudge.isDone), of: 1, at: place)
        shown.add(one(nudge.isShown), of: 1, at: place)
        guard nudge.isShown else { return }
        opened.add(one(nudge.tapped != nil), of: 1, at: place)
        guard let tapped = nudge.tapped else { return }
        done.add(one(nudge.isDone), of: 1, at: place)
        if let finished = nudge.finished {
            if !nudge.hasBegun {
                let wait = tapped.duration(to: finished).wholeNanoseconds
                let app = nudge.record.component
                firstWord.censor(wait, at: Occurrence(from: tapped, until: finished, of: app))
            }
            complete.add(
                tapped.duration(to: finished).wholeNanoseconds,
                isOpen: !nudge.isDone,
                at: Occurrence(from: tapped, until: finished, of: nudge.record.component)
            )
        }
        if nudge.hasEnded {
            back.add(one(nudge.isBack), of: 1, at: place)
        } else {
            let isBroken = nudge.isBroken
            let reason = isBroken ? "the user broke it off" : "its intervention came to no end"
            back.exclude(reason, at: place)
        }
    }
}
