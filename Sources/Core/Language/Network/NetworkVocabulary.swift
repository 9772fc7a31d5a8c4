import KodamaEvidence
import KodamaSimulation
import SansIO

extension Vocabulary {
    /// Links: those between phones, and those of a phone's radios.
    static let network: Vocabulary = {
        var vocabulary = Vocabulary(of: "network")
        vocabulary.verbs = [.stop, .slow, .jam, .change, .attack]
        vocabulary.dataNeeds = [
            DataNeed(of: ["network.up.*", "network.down.*"]) { plan in
                plan.phones.contains { !$0.radios.isEmpty } ? nil : "no phone has a radio"
            },
            DataNeed(of: ["network.peer.*"]) { plan in
                plan.links.isEmpty ? "no two phones are linked" : nil
            },
        ]
        return vocabulary
    }()
}

extension Verb {
    fileprivate static let stop = disruption(
        "stop",
        "Nothing passes; what is sent is lost.",
        "What is sent is lost."
    ) { _ in .stopped }

    fileprivate static let slow = disruption(
        "slow",
        "Every packet takes longer.",
        "Every packet takes longer.",
        [
            Field(
                "by",
                .quantity(.duration, 1...LinkDirection.delayMax.wholeNanoseconds, step: 1),
                .refused,
                "How much longer every packet takes."
            )
        ]
    ) { $0["by"]?.duration.map { .slowed(by: $0) } }

    fileprivate static let jam = disruption(
        "jam",
        "Packets are held back and all delivered at the end.",
        "Packets are held back."
    ) { _ in .jammed }

    private static let link = Field(
        "link",
        .reference(.link),
        .refused,
        "The link, as first/second, or phone/radio."
    )

    static let ways = Field(
        "ways",
        .choice(
            [
                Choice(word: "both", summary: "Both directions."),
                Choice(word: "forward", summary: "From the first phone, or up from the phone."),
                Choice(word: "backward", summary: "To the first phone, or down to the phone."),
            ],
            noun: "direction"
        ),
        .means("both"),
        "Which directions."
    )

    private static func disruption(
        _ key: String,
        _ summary: String,
        _ shapeSummary: String,
        _ more: [Field] = [],
        read: @escaping @Sendable (CheckedValue) -> LinkDisruption?
    ) -> Verb {
        let shape = MappingShape(
            name: key,
            noun: "'\(key)'",
            summary: shapeSummary,
            fields: [link, Field("for", .span, .refused, "How long."), ways] + more
        )
        return Verb(key, summary, .mapping(shape)) { body, builder in
            let link = builder.refer(body["link"], to: .link)
            guard let link, let lasting = body["for"]?.duration, let disruption = read(body)
            else { return nil }
            var ways = body["ways"]?.text.flatMap { LinkWays(rawValue: $0) } ?? .both
            if builder.isTurned(body["link"], link) { ways = ways.turned }
            return Deed(TimedAct(LinkAct.disrupt(disruption, ways, lasting: lasting), to: link))
        }
    }

    fileprivate static let attack: Verb = {
        let kinds = [
            Choice(word: "replay", summary: "Packets that were sent before, as they were."),
            Choice(word: "reflect", summary: "The same, back to whoever sent them."),
            Choice(word: "forge", summary: "Packets that were sent before, one bit changed."),
            Choice(word: "flood", summary: "Bytes drawn by chance, as many as a packet has."),
        ]
        let shape = MappingShape(
            name: "attack",
            noun: "'attack'",
            summary:
                "Somebody on the air, who hears all datagrams and has no key, sends into a link.",
            fields: [
                link,
                Field("by", .choice(kinds, noun: "attack"), .refused, "What is sent, both ways."),
                // No frame leaves a radio in much less.
                Field(
                    "every",
                    .quantity(.duration, 100_000...ScenarioLanguage.durationMax, step: 1),
                    .means("20ms"),
                    "From one packet to the next."
                ),
                Field("for", .span, .refused, "How long."),
            ]
        )
        return Verb("attack", shape.summary, .mapping(shape)) { body, builder in
            let link = builder.refer(body["link"], to: .link)
            guard let link, let kind = body["by"]?.text.flatMap(LinkAttack.init),
                let period = body["every"]?.duration, let lasting = body["for"]?.duration
            else { return nil }
            if kind != .flood { builder.warnOfUnsealedVoice(at: body["by"]?.place ?? body.place) }
            let act = LinkAct.attack(kind, every: period, lasting: lasting)
            return Deed(TimedAct(act, to: link))
        }
    }()

    fileprivate static let change = Verb(
        "change",
        "The link gets another profile from now on.",
        .mapping(
            MappingShape(
                name: "change",
                noun: "'change'",
                summary: "A link gets another profile; the changes are as in 'links'.",
                fields: [link] + LinkShapes.shaping,
                exclusive: LinkShapes.directionExclusive
            )
        )
    ) { body, builder in
        let link = builder.refer(body["link"], to: .link)
        let shaped = builder.shapedProfile(body)
        guard let link, let shaped else { return nil }
        let isTurned = builder.isTurned(body["link"], link)
        let profile = isTurned ? shaped.profile.turned : shaped.profile
        let origin = ValueOrigin.file(body["link"]?.place.location ?? body.place.location)
        // The directions below belong to the name that the file has, and so does what is done to phones alike.
        let given = body["link"]
        let isAsGiven = isTurned || given?.text != given?.written
        let name = isAsGiven ? given?.written ?? link : link
        var deed = Deed(TimedAct(LinkAct.change(to: profile), to: link))
        deed.resolved = .mapping([.init("link", .value(name, origin))] + shaped.entries)
        return deed
    }
}

extension PlanBuilder {
    /// Warns of copied or forged packets where no seal of the voice between phones tells them.
    fileprivate mutating func warnOfUnsealedVoice(at place: Place) {
        guard let voiceMode, voiceMode != .real else { return }
        let apps = vocabulary.language.apps.filter(\.usesLinks).map(\.system)
        guard apps.contains(where: { systemsInUse.contains($0) }) else { return }
        report(.voiceUnsealed(voiceMode), at: place)
    }
}

extension LinkProfile {
    /// The same as seen from the link's other end.
    fileprivate var turned: LinkProfile {
        var profile = self
        profile.forward = backward
        profile.backward = forward
        return profile
    }
}
