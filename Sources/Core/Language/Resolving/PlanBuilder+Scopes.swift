import KodamaEvidence
import SansIO

// Which samples a gate bounds, and how sure it must be.

extension PlanBuilder {
    /// The scope of a gate on a metric, if it does not bound all samples.
    mutating func scope(
        _ value: CheckedValue,
        of metric: String,
        plan: WorldPlan
    ) -> GateScope? {
        if let each = value["each"], vocabulary.language.isPhoneless(metric) {
            report(.noDevice(metric), at: each.place)
        }
        var scope = GateScope(isEachDevice: value["each"] != nil)
        if let after = value["after"] {
            let event = refer(after["event"], to: .event)
            let component = refer(after["of"], to: .component)
            guard let event, let component, let count = after["count"]?.number,
                let delay = after["delay"]?.duration
            else { return nil }
            scope.window = .after(
                event: event,
                component: component,
                count: Int(count),
                delay: delay.wholeNanoseconds
            )
        } else if let written = value["lasts_until"] {
            guard let until = instant(written),
                within(plan.duration, until, "the moment", written)
            else { return nil }
            scope.window = .lasting(until: until.wholeNanoseconds)
        } else if let stretch = value["in"] {
            let span = span(stretch, plan: plan, "the stretch ends")
            guard let span else { return nil }
            scope.window = .between(
                from: span.lowerBound.wholeNanoseconds,
                until: span.upperBound.wholeNanoseconds
            )
        }
        return scope == GateScope() ? nil : scope
    }

    /// Lets a gate's interval clear the limit, if its figure has one.
    mutating func addConfidence(_ value: CheckedValue?, to placed: inout PlacedGate) {
        guard let value, let confidence = value.number else { return }
        guard placed.gate.offersInterval else {
            report(
                "'\(placed.name): \(placed.written)' has no interval that could be sure: \(Self.noInterval(placed.gate))",
                code: "no-interval",
                at: value
            )
            return
        }
        placed.gate.confidence = confidence
    }

    private static func noInterval(_ gate: Gate) -> String {
        gate.comparison == .equal
            ? "no figure is surely equal to another"
            : "one more run may always exceed an extreme; bound a quantile or a share"
    }
}
