extension PlanBuilder {
    /// What is done to the world, and when.
    ///
    /// An entry may become several: one for each phone of phones alike, and an outage is a radio's end
    /// and its return. `gaps` is what people's ways order.
    mutating func timeline(
        _ root: CheckedValue,
        plan: WorldPlan,
        after gaps: [Order]
    ) -> [TimelineEntry] {
        let reportCount = reports.count
        var orders = gaps
        for (index, value) in (root["timeline"]?.entries ?? []).enumerated() {
            for (copy, value) in copies(ofOrder: value).enumerated() {
                guard var order = order(value, path: "timeline[\(index)]", plan: plan) else {
                    break
                }
                order.isCopy = copy > 0
                orders.append(order)
            }
        }
        checkClaims(orders)
        for system in vocabulary.language.systems { system.review?(orders, root, &self) }
        warnOfOrdersInVain(orders, root)
        warnOfActsInVain(orders)
        var states = RadioStates(radios)
        let entries = states.expand(orders) { report($0.problem, at: $0.place) }
        triggers = Self.triggers(of: orders, entries)
        if orders.contains(where: \.isCopy) { reportOnce(since: reportCount) }
        return entries.flatMap(\.self)
    }

    /// What an entry of the timeline orders; `nil` after a report.
    private mutating func order(_ value: CheckedValue, path: String, plan: WorldPlan) -> Order? {
        let trigger = trigger(value, plan: plan)
        guard let field = value["do"]?.fields.first, let body = field.value,
            let verb = vocabulary.language.verbs.first(where: { $0.key == field.key })
        else { return nil }
        // Checked even where the trigger is not sound: names are still worth it.
        let isWithin = ends(body, after: trigger, within: plan.duration)
        guard let deed = verb.read(body, &self), isWithin else { return nil }
        if let resolved = deed.resolved { expansions["\(path).do.\(verb.key)"] = resolved }
        guard isServed(deed, at: body), let trigger else { return nil }
        return Order(
            trigger: trigger,
            deed: deed,
            place: body.place,
            cue: value["after"]?.place
        )
    }

    /// What orders wait for; `entries` are those of each order.
    private static func triggers(
        of orders: [Order],
        _ entries: [[TimelineEntry]]
    ) -> [PlannedTrigger] {
        var (triggers, position): ([PlannedTrigger], Int) = ([], 0)
        for (order, entries) in zip(orders, entries) {
            defer { position += entries.count }
            guard case .after(let event, let component, let count, _) = order.trigger,
                let cue = order.cue, !entries.isEmpty
            else { continue }
            triggers.append(
                PlannedTrigger(
                    event: event,
                    component: component,
                    count: count,
                    entry: position,
                    location: cue.location
                )
            )
        }
        return triggers
    }

    /// Something that the timeline orders.
    package struct Order {
        package var trigger: TimelineTrigger
        package var deed: Deed
        package var place: Place
        /// Where it says after what it is done, if it waits for something.
        var cue: Place?
        /// Whether it is the same for another phone of phones alike, but for the first.
        var isCopy = false
    }

    /// Whether what is ordered of a server finds one: only what some phone's app talks to is there.
    private mutating func isServed(_ deed: Deed, at body: CheckedValue) -> Bool {
        for act in deed.acts where phonesAreSound {
            let systems = vocabulary.language.systems.filter { $0.servers.contains(act.target) }
            guard !systems.isEmpty, !systems.contains(where: { systemsInUse.contains($0.system) })
            else { continue }
            let apps = systems.map { "'\($0.system)'" }.joined(separator: " or ")
            report(
                "there is no server '\(act.target)': no phone has the app \(apps)",
                code: "server-of-nobody",
                at: body
            )
            return false
        }
        return true
    }

    private mutating func trigger(_ value: CheckedValue, plan: WorldPlan) -> TimelineTrigger? {
        if let at = value["at"] {
            guard let time = instant(at) else { return nil }
            return within(plan.duration, time, "this is due", at) ? .at(time) : nil
        }
        guard let after = value["after"] else { return nil }
        let event = refer(after["event"], to: .event)
        let component = refer(after["of"], to: .component)
        guard let event, let component, let count = after["count"]?.number,
            let delay = after["delay"]?.duration,
            within(plan.duration, delay, "at the earliest this is due", after["delay"])
        else { return nil }
        return .after(event: event, of: component, count: Int(count), delay: delay)
    }

    /// Whether what lasts a while, or is on its way for one, is over within the run.
    private mutating func ends(
        _ body: CheckedValue,
        after trigger: TimelineTrigger?,
        within duration: Duration
    ) -> Bool {
        guard case .at(let start) = trigger else { return true }
        if let way = body["takes"], let taken = way.duration, let copies = body["copies"]?.number {
            return within(duration, start + taken * Int(copies), "this arrives", way)
        }
        if let rows = body["rows"], let count = rows.number, let pause = body["every"]?.duration {
            return within(duration, start + pause * (count - 1), "the last write is due", rows)
        }
        guard let lasting = body["for"]?.duration else { return true }
        return within(duration, start + lasting, "the disruption ends", body["for"])
    }

    /// Warns of what is done to a phone's place at a server where the phone cannot have one.
    private mutating func warnOfOrdersInVain(_ orders: [Order], _ root: CheckedValue) {
        let absences = orders.filter { $0.deed.downtime != nil }
        for order in orders where !order.isCopy {
            guard case .at(let time) = order.trigger, let guest = order.deed.guest,
                let target = order.deed.acts.first?.target
            else { continue }
            let absence = absences.first { other in
                guard case .at(let start) = other.trigger, let downtime = other.deed.downtime,
                    other.deed.acts.first?.target == target
                else { return false }
                // As it comes back nobody is there yet.
                return start < time && time <= start + downtime
            }
            if let absence {
                report(
                    .orderInVain(because: "the server is away then", absence.place.location),
                    at: order.place
                )
            } else if !mayRun(guest.phone, guest.system, before: time, orders, root) {
                let reason = "the \(guest.system) app of '\(guest.phone)' does not run before"
                report(.orderInVain(because: reason, nil), at: order.place)
            }
        }
    }

    /// Warns of what a user does in an app for nothing, after what was done to the app before.
    ///
    /// Where something is done to it after an event nobody can say what came before.
    private mutating func warnOfActsInVain(_ orders: [Order]) {
        for (index, order) in orders.enumerated() where !order.isCopy {
            guard let vain = order.deed.vain, let target = order.deed.acts.first?.target else {
                continue
            }
            var before: [(time: Duration, act: any SystemAct)] = []
            var isKnown = true
            for (other, earlier) in orders.enumerated() where other != index {
                let acts = earlier.deed.acts.filter { $0.target == target }
                guard !acts.isEmpty else { continue }
                guard case .at(let start) = earlier.trigger, case .at(let now) = order.trigger
                else {
                    isKnown = false
                    break
                }
                for act in acts where (start + act.delay, other) < (now, index) {
                    before.append((start + act.delay, act.act))
                }
            }
            let inOrder = before.enumerated()
                .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
                .map { $0.element.act }
            if isKnown, let reason = vain(inOrder) {
                report(.orderInVain(because: reason, nil), at: order.place)
            }
        }
    }

    /// Whether an app may run before an instant, as far as the scenario says.
    ///
    /// Whatever is done to the phone may open its apps.
    private func mayRun(
        _ phone: String,
        _ system: String,
        before time: Duration,
        _ orders: [Order],
        _ root: CheckedValue
    ) -> Bool {
        guard phonesAreSound, let known = phones[phone],
            let app = known.apps.first(where: { $0.name == system })
        else { return true }
        switch app.start {
        case .open: return true
        case .opened(let opening) where opening < time: return true
        case .opened, .closed: break
        }
        let faulty = (root["faults"]?.entries ?? []).compactMap { $0["of"]?.text }
        if faulty.contains(where: { $0 == phone || alike[$0]?.contains(phone) ?? false }) {
            return true
        }
        return orders.contains { order in
            let isOfPhone = order.deed.acts.contains { act in
                act.target == phone || act.target.hasPrefix("\(phone).")
            }
            guard isOfPhone, case .at(let start) = order.trigger else { return isOfPhone }
            return start < time
        }
    }

    /// Reports orders of the same target that lie in each other's way.
    private mutating func checkClaims(_ orders: [Order]) {
        var busy: [String: DisjointSpans] = [:]
        for order in orders {
            guard case .at(let start) = order.trigger, let lasting = order.deed.claim,
                let target = order.deed.acts.first?.target
            else { continue }
            let span = start..<start + lasting
            let clash = busy[target, default: DisjointSpans()].insert(span, at: order.place)
            if let clash {
                report(.faultsOverlap(target, first: clash.location), at: order.place)
            }
        }
    }
}
