import KodamaSimulation
import SansIO

extension PlanBuilder {
    /// Who talks when.
    mutating func talk(
        _ root: CheckedValue,
        plan: WorldPlan,
        warnsOfMissingPaths: Bool
    ) -> [TalkPlan] {
        var talk: [TalkPlan] = []
        var turns: [String: DisjointSpans] = [:]
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
                for turn in self.turns(value, plan: plan, after: talk.count) {
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
    private mutating func take(_ turn: Turn, in turns: inout [String: DisjointSpans]) {
        let clash = turns[turn.person, default: DisjointSpans()].insert(turn.span, at: turn.place)
        guard let clash else { return }
        let report = Report(
            problem: .alreadyTalks(turn.person, first: clash.location),
            place: turn.place
        )
        // Of many turns of one entry one is enough.
        if reports.last != report { reports.append(report) }
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

    /// The turns of one person, each a stretch of speech; none after a report.
    private mutating func turns(
        _ value: CheckedValue,
        plan: WorldPlan,
        after earlier: Int
    ) -> [Turn] {
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
        let length = span.upperBound - span.lowerBound
        let count = length.wholeNanoseconds / period.wholeNanoseconds
        let place = value["every"]?.place ?? value.place
        guard count <= TalkPlan.countMax - earlier else {
            report(.tooMany(Int(clamping: count), of: "turns", most: TalkPlan.countMax), at: place)
            return []
        }
        guard hasRoom(for: count, "turns", most: TalkPlan.countMax, at: place) else { return [] }
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
        guard isLinked || reachFar(phones, plan: plan) else {
            return report(.noPath(people[0], people[1]), at: place)
        }
        for app in vocabulary.language.apps where app.usesLinks {
            let settings = phones.compactMap { name in
                plan.phones.first { $0.name == name }?.apps
                    .first { $0.name == app.system }?.settings
            }
            let circles = settings.compactMap { app.circle($0) }
            guard circles.count == 2 else { continue }
            if circles[0] != circles[1] {
                report(.otherCircles(people[0], people[1]), at: place)
            } else if app.reachesFar(settings[0]) != app.reachesFar(settings[1]) {
                report(.unlikeSeals(people[0], people[1]), at: place)
            }
        }
    }

    /// Whether the users of phones may hear one another over the Internet, wherever they are.
    private func reachFar(_ phones: [String], plan: WorldPlan) -> Bool {
        vocabulary.language.apps.contains { app in
            phones.allSatisfy { name in
                guard let phone = plan.phones.first(where: { $0.name == name }) else {
                    return false
                }
                return !phone.radios.isEmpty
                    && phone.apps.contains {
                        $0.name == app.system && app.reachesFar($0.settings)
                    }
            }
        }
    }
}
