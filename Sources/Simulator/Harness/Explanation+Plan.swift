import Evidence
import SansIO
import Scenarios
import Simulation

extension WorldPlan {
    /// A sentence with what the plan knows and no record says: how much longer a slowed link takes.
    ///
    /// Where several entries of the timeline may be meant and differ, nothing is added.
    func completed(_ sentence: Sentence) -> Sentence {
        let slowings = timeline.compactMap { entry -> (trigger: TimelineTrigger, by: Duration)? in
            guard entry.target == sentence.component,
                case .disrupt(.slowed(let amount), _, let length)? = entry.act as? LinkAct,
                sentence.text == "the link takes longer for \(Self.text(length))"
            else { return nil }
            return (entry.trigger, amount)
        }
        let now = TimelineTrigger.at(Instant.zero.duration(to: sentence.at))
        let due = slowings.filter { $0.trigger == now }
        let meant = due.isEmpty ? slowings : due
        guard let amount = meant.first?.by, meant.allSatisfy({ $0.by == amount }) else {
            return sentence
        }
        var told = sentence
        told.text = "the link takes \(Self.text(amount)) longer"
        told.text += sentence.text.dropFirst("the link takes longer".count)
        return told
    }

    private static func text(_ length: Duration) -> String {
        MetricUnit.nanoseconds.text(length.wholeNanoseconds)
    }
}
