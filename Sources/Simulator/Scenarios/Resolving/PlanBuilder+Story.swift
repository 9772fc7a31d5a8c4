import SansIO
import Simulation

extension PlanBuilder {
    /// Who talks when.
    mutating func talk(
        _ root: CheckedValue,
        plan: WorldPlan,
        warnsOfMissingPaths: Bool
    ) -> [TalkPlan] {
        var talk: [TalkPlan] = []
        var turns: [Turn] = []
        for value in root["talk"]?.entries ?? [] {
            if value.field("conversation") != nil {
                guard let (people, span) = conversation(value, plan: plan) else { continue }
                if warnsOfMissingPaths {
                    warnOfMissingPath(
                        people,
                        plan: plan,
                        at: value["between"]?.place ?? value.place
                    )
                }
                for person in people {
                    take(Turn(person: person, span: span, place: value.place), in: &turns)
                }
                talk.append(
                    .conversation(people: people, from: span.lowerBound, until: span.upperBound)
                )
            } else {
                guard let person = refer(value["monologue"], to: .person),
                    let at = value["at"]?.duration, let lasting = value["for"]?.duration,
                    within(plan.duration, at + lasting, "the monologue ends", value["for"])
                else { continue }
                take(Turn(person: person, span: at..<at + lasting, place: value.place), in: &turns)
                talk.append(.monologue(person: person, at: at, lasting: lasting))
            }
        }
        return talk
    }

    /// A stretch of time in which a person talks or may talk.
    struct Turn {
        var person: String
        var span: Range<Duration>
        var place: Place
    }

    /// Adds a turn, unless the person talks already.
    private mutating func take(_ turn: Turn, in turns: inout [Turn]) {
        let clash = turns.first { $0.person == turn.person && $0.span.overlaps(turn.span) }
        if let clash {
            report(.alreadyTalks(turn.person, first: clash.place.location), at: turn.place)
        }
        turns.append(turn)
    }

    private mutating func conversation(
        _ value: CheckedValue,
        plan: WorldPlan
    ) -> (people: [String], span: Range<Duration>)? {
        let pair = pair(value["between"], of: .person, inside: "'between'")
        let untilIsSound = value.field("until").map { $0.value != nil } ?? true
        guard let from = value["from"]?.duration, untilIsSound else { return nil }
        let until = value["until"]?.duration ?? plan.duration
        guard within(plan.duration, until, "the conversation ends", value["until"]) else {
            return nil
        }
        guard from < until else {
            let kind = QuantityKind.duration
            report(
                .emptyInterval(
                    from: kind.text(of: from.wholeNanoseconds),
                    until: kind.text(of: until.wholeNanoseconds)
                ),
                at: value["from"]?.place ?? value.place
            )
            return nil
        }
        guard let (first, second) = pair else { return nil }
        return ([first, second], from..<until)
    }

    private mutating func warnOfMissingPath(
        _ people: [String],
        plan: WorldPlan,
        at place: Place
    ) {
        let devices = people.compactMap { name in
            plan.people.first { $0.name == name }?.device
        }
        guard devices.count == 2, devices[0] != devices[1] else { return }
        let isLinked = plan.links.contains { link in
            [link.first, link.second] == devices || [link.second, link.first] == devices
        }
        if !isLinked { report(.noPath(people[0], people[1]), at: place) }
    }

    /// Whether a time lies in the run; if not, a report says so.
    private mutating func within(
        _ duration: Duration,
        _ time: Duration,
        _ what: String,
        _ value: CheckedValue?
    ) -> Bool {
        guard time > duration else { return true }
        let kind = QuantityKind.duration
        if let value {
            report(
                .outsideRun(
                    what: what,
                    time: kind.text(of: time.wholeNanoseconds),
                    duration: kind.text(of: duration.wholeNanoseconds)
                ),
                at: value.place
            )
        }
        return false
    }

    /// What is done to the world, and when.
    mutating func timeline(_ root: CheckedValue, plan: WorldPlan) -> [TimelineEntry] {
        var timeline: [TimelineEntry] = []
        for (index, value) in (root["timeline"]?.entries ?? []).enumerated() {
            let trigger = trigger(value, plan: plan)
            guard let order = value["do"] else { continue }
            let path = "timeline[\(index)].do"
            let action = action(order, trigger: trigger, plan: plan, path: path)
            guard let trigger, let action else { continue }
            timeline.append(TimelineEntry(trigger: trigger, action: action))
        }
        return timeline
    }

    private mutating func trigger(_ value: CheckedValue, plan: WorldPlan) -> TimelineTrigger? {
        if let at = value["at"], let time = at.duration {
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

    private mutating func action(
        _ value: CheckedValue,
        trigger: TimelineTrigger?,
        plan: WorldPlan,
        path: String
    ) -> TimelineAction? {
        guard let field = value.fields.first, let body = field.value else { return nil }
        let link = refer(body["link"], to: .link)
        if field.key == "change" {
            let shaped = shapedProfile(body)
            guard let link, let shaped else { return nil }
            let origin = ValueOrigin.file(body["link"]?.place.location ?? body.place.location)
            expansions["\(path).change"] = .mapping(
                [.init("link", .value(link, origin))] + shaped.entries
            )
            return .change(link: link, to: shaped.profile)
        }
        guard let link, let lasting = body["for"]?.duration else { return nil }
        if case .at(let start) = trigger,
            !within(plan.duration, start + lasting, "the disruption ends", body["for"])
        {
            return nil
        }
        switch field.key {
        case "stop": return .disrupt(link: link, .stopped, lasting: lasting)
        case "jam": return .disrupt(link: link, .jammed, lasting: lasting)
        default:
            return body["by"]?.duration.map {
                .disrupt(link: link, .slowed(by: $0), lasting: lasting)
            }
        }
    }
}
