import KodamaEvidence
import KodamaLanguage
import KodamaSimulation
import SansIO

extension WorldPlan {
    /// A sentence with what the plan knows and no record says of a disrupted link.
    ///
    /// That is how much longer a slowed link takes, and that only one of its ways is disrupted.
    /// Where several entries of the timeline may be meant and differ, nothing is added; one that is
    /// due at another time is not meant.
    func completed(_ sentence: Sentence) -> Sentence {
        let planned = timeline.compactMap { entry -> (trigger: TimelineTrigger, text: String)? in
            guard entry.target == sentence.component,
                case .disrupt(let disruption, let ways, let length)? = entry.act as? LinkAct,
                sentence.text == disruption.sentence(for: length)
            else { return nil }
            let way = way(ways, of: entry.target)
            return (entry.trigger, disruption.sentence(way, for: length, isWhole: true))
        }
        let now = TimelineTrigger.at(Instant.zero.duration(to: sentence.at))
        let due = planned.filter { $0.trigger == now }
        let untimed = planned.filter { if case .after = $0.trigger { true } else { false } }
        let meant = due.isEmpty ? untimed : due
        guard let text = meant.first?.text, meant.allSatisfy({ $0.text == text }) else {
            return sentence
        }
        var told = sentence
        told.text = text
        return told
    }

    /// Which way of a link is meant, with a space before it; nothing if both are.
    private func way(_ ways: LinkWays, of link: String) -> String {
        let ends = link.split(separator: "/").map(String.init)
        guard ways != .both, ends.count == 2 else { return "" }
        guard phones.contains(where: { $0.name == ends[1] }) else {
            return ways == .forward ? " from the phone" : " to the phone"
        }
        let (from, to) = ways == .forward ? (ends[0], ends[1]) : (ends[1], ends[0])
        return " from \(from) to \(to)"
    }
}

extension LinkDisruption {
    /// What is told of a link: as records say it, or as a whole.
    fileprivate func sentence(
        _ way: String = "",
        for length: Duration,
        isWhole: Bool = false
    ) -> String {
        let time = Self.text(length)
        switch self {
        case .stopped: return "nothing passes over the link\(way) any more for \(time)"
        case .slowed(let amount):
            let more = isWhole ? " \(Self.text(amount))" : ""
            return "the link takes\(more) longer\(way) for \(time)"
        case .jammed:
            return "the link holds everything back\(way) for \(time), to hand it on all at once"
        }
    }

    private static func text(_ length: Duration) -> String {
        MetricUnit.nanoseconds.text(length.wholeNanoseconds)
    }
}
