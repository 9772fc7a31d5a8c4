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
            } else if value.field("turns") != nil {
                for turn in self.turns(value, plan: plan) {
                    take(turn, in: &turns)
                    talk.append(
                        .monologue(
                            person: turn.person,
                            at: turn.span.lowerBound,
                            lasting: turn.span.upperBound - turn.span.lowerBound
                        )
                    )
                }
            } else {
                guard let person = refer(value["monologue"], to: .person),
                    let at = instant(value["at"]), let lasting = value["for"]?.duration,
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
        let span = span(value, plan: plan, "the conversation ends")
        guard let span, let (first, second) = pair else { return nil }
        let places = value["between"]?.entries.map(\.place) ?? []
        for (person, place) in zip([first, second], places) {
            let phone = plan.people.first { $0.name == person }?.phone
            let systems = vocabulary.language.apps.filter(\.usesLinks).map(\.system)
            guard let phone, let known = self.phone(named: phone),
                !systems.contains(where: known.has)
            else { continue }
            report(.otherApp(phone, needs: systems.joined(separator: " or ")), at: place)
            return nil
        }
        return ([first, second], span)
    }

    /// The turns of one person, each a stretch of speech.
    private mutating func turns(_ value: CheckedValue, plan: WorldPlan) -> [Turn] {
        let person = refer(value["turns"], to: .person)
        guard let span = span(value, plan: plan, "the turns end"), let person,
            let period = value["every"]?.duration, let lasting = value["for"]?.duration
        else { return [] }
        guard lasting < period else {
            let kind = QuantityKind.duration
            report(
                .turnTooLong(
                    lasting: kind.text(of: lasting.wholeNanoseconds),
                    every: kind.text(of: period.wholeNanoseconds)
                ),
                at: value["for"]?.place ?? value.place
            )
            return []
        }
        var turns: [Turn] = []
        var start = span.lowerBound
        while start + lasting <= span.upperBound {
            turns.append(Turn(person: person, span: start..<start + lasting, place: value.place))
            start += period
        }
        return turns
    }

    private mutating func warnOfMissingPath(
        _ people: [String],
        plan: WorldPlan,
        at place: Place
    ) {
        let phones = people.compactMap { name in
            plan.people.first { $0.name == name }?.phone
        }
        guard phones.count == 2, phones[0] != phones[1] else { return }
        let isLinked = plan.links.contains { link in
            [link.first, link.second] == phones || [link.second, link.first] == phones
        }
        if !isLinked { report(.noPath(people[0], people[1]), at: place) }
    }
}
