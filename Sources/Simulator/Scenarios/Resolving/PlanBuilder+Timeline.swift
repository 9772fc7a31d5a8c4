import Models
import SansIO
import Simulation

extension PlanBuilder {
    /// What is done to the world, and when.
    ///
    /// An entry may become several: an outage is a radio's end and its return.
    mutating func timeline(_ root: CheckedValue, plan: WorldPlan) -> [TimelineEntry] {
        var orders: [Order] = []
        for (index, value) in (root["timeline"]?.entries ?? []).enumerated() {
            let trigger = trigger(value, plan: plan)
            guard let verb = value["do"]?.fields.first, let body = verb.value else { continue }
            let path = "timeline[\(index)].do"
            // Checked even where the trigger is not sound: names are still worth it.
            let act = act(verb.key, body, trigger: trigger, plan: plan, path: path)
            guard let trigger, let act else { continue }
            orders.append(Order(trigger: trigger, act: act, place: body.place))
        }
        checkServerFaults(orders)
        var radios = RadioStates(plan.phones)
        return radios.expand(orders) { report($0.problem, at: $0.place) }
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
            let delay = after["delay"]?.duration
        else { return nil }
        return .after(event: event, of: component, count: Int(count), delay: delay)
    }

    /// Something that the timeline orders.
    struct Order {
        var trigger: TimelineTrigger
        var act: Act
        var place: Place
    }

    /// What is ordered, before it is known which radios are up at that time.
    enum Act {
        /// One action.
        case single(TimelineAction)
        /// An action, and another one so much later.
        case pair(TimelineAction, TimelineAction, after: Duration)
        /// Those of these radios that are up go down, and come back.
        case outage([String], lasting: Duration, PathNotice)
        /// One radio comes up, and a phone's others go down.
        case handover(String, among: [String], PathNotice)

        /// How long the room server is not itself, if that is what is done.
        var serverFault: Duration? {
            switch self {
            case .pair(.rooms, .rooms, after: let lasting): lasting
            case .single(.rooms(.crash(let downtime))): downtime
            case .single(.rooms(.restart(let downtime))): downtime
            case .single, .pair, .outage, .handover: nil
            }
        }
    }

    private mutating func act(
        _ verb: String,
        _ body: CheckedValue,
        trigger: TimelineTrigger?,
        plan: WorldPlan,
        path: String
    ) -> Act? {
        // A link's change says elsewhere when it ends: never.
        let lasting = body["for"]?.duration
        if let lasting, case .at(let start) = trigger,
            !within(plan.duration, start + lasting, "the disruption ends", body["for"])
        {
            return nil
        }
        switch verb {
        case "outage", "block", "handover", "radio", "user", "phone", "set-clock", "server",
            "api":
            return sessionAct(verb, body, lasting: lasting, plan: plan)
        default:
            return linkAct(verb, body, lasting: lasting, path: path).map { .single($0) }
        }
    }

    private mutating func linkAct(
        _ verb: String,
        _ body: CheckedValue,
        lasting: Duration?,
        path: String
    ) -> TimelineAction? {
        let link = refer(body["link"], to: .link)
        if verb == "change" {
            let shaped = shapedProfile(body)
            guard let link, let shaped else { return nil }
            let origin = ValueOrigin.file(body["link"]?.place.location ?? body.place.location)
            expansions["\(path).change"] = .mapping(
                [.init("link", .value(link, origin))] + shaped.entries
            )
            return .change(link: link, to: shaped.profile)
        }
        guard let link, let lasting else { return nil }
        switch verb {
        case "stop": return .disrupt(link: link, .stopped, lasting: lasting)
        case "jam": return .disrupt(link: link, .jammed, lasting: lasting)
        default:
            return body["by"]?.duration.map {
                .disrupt(link: link, .slowed(by: $0), lasting: lasting)
            }
        }
    }

    /// Reports faults of the room server that lie in each other's way: `clear` ends all.
    private mutating func checkServerFaults(_ orders: [Order]) {
        var busy: [(span: Range<Duration>, place: Place)] = []
        for order in orders {
            guard case .at(let start) = order.trigger, let lasting = order.act.serverFault
            else { continue }
            let span = start..<start + lasting
            if let earlier = busy.first(where: { $0.span.overlaps(span) }) {
                report(.serverFaultsOverlap(first: earlier.place.location), at: order.place)
            }
            busy.append((span, order.place))
        }
    }
}
