import KodamaEvidence
import SansIO

/// Measures how soon the agent stops for a user who wants the word, and how often for one who doesn't.
struct TurnTakingMeter {
    private var stop = Measure.time(
        "turns.barge_in.time",
        """
        From the first sound of a user who interrupts the agent to the last sample of the agent's that they \
        hear of what they interrupted.
        """,
        "K-09",
        excluding: ["the agent had said all"]
    )
    private var falseStops = Measure.share(
        "turns.backchannel.stops",
        "Of the backchannels that users said into what they heard of the agent: those that broke it off.",
        "K-09",
        excluding: ["the user interrupts as well"]
    )

    /// What was said into the agent's words that are heard now.
    private struct Open {
        var bargeIns: [Occasion] = []
        var backchannels: [Occasion] = []
    }

    private var open: [ComponentIndex: Open] = [:]

    var metrics: [any AnyMeasure] { [stop, falseStops] }

    mutating func take(_ record: TraceRecord) {
        let app = record.component
        switch record.kind {
        case Interjected.kind:
            let form = Interjected(record)
            guard form.begins.isSet else { return }
            switch form.interjection.value {
            case .bargeIn:
                let occasion = stop.open(at: record.instant, of: app, record)
                open[app, default: Open()].bargeIns.append(occasion)
            case .backchannel:
                let occasion = falseStops.open(at: record.instant, of: app, record)
                open[app, default: Open()].backchannels.append(occasion)
            case nil: return
            }
        case AgentFellSilent.kind:
            guard let closed = open.removeValue(forKey: app) else { return }
            let form = AgentFellSilent(record)
            let isBrokenOff = form.isBrokenOff.isSet
            for occasion in closed.bargeIns {
                let length = occasion.start.duration(to: form.until).wholeNanoseconds
                if isBrokenOff {
                    stop.close(occasion, max(0, length), at: record.instant)
                } else {
                    stop.exclude(occasion, "the agent had said all", at: record.instant)
                }
            }
            for occasion in closed.backchannels {
                // Another interruption of the same words would be the reason.
                if isBrokenOff, !closed.bargeIns.isEmpty {
                    falseStops.exclude(occasion, "the user interrupts as well", at: record.instant)
                } else {
                    falseStops.close(occasion, isBrokenOff ? 1 : 0, of: 1, at: record.instant)
                }
            }
        default: break
        }
    }
}
