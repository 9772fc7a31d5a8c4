import KodamaNetwork
import KodamaPhone
import SansIO

extension Verb {
    /// A phone's radios go down and come back.
    static let outage = Verb(
        "outage",
        "A phone's radios go down and come back.",
        .mapping(
            MappingShape(
                name: "outage",
                noun: "'outage'",
                summary: "Radios that are up lose their addresses, and get others at the end.",
                fields: [phoneOrRadio, Field("for", .span, .refused, "How long."), address] + notice
            )
        )
    ) { body, builder in
        let radios = builder.radios(body["of"])
        guard let radios, let lasting = body["for"]?.duration, let notice = PathNotice(body)
        else { return nil }
        let keepsAddress = body["address"].map { $0.text == "kept" } ?? (notice == .never)
        guard !keepsAddress || notice == .never else {
            let problem = Problem.excludesEachOther("address: kept", "notice", inside: "'outage'")
            builder.report(problem, at: body["address"]?.place ?? body.place)
            return nil
        }
        // Where nobody says anything, packets merely vanish.
        guard !keepsAddress else {
            return Deed(
                TimedAct(
                    PhoneAct.block(radios.interface, nil, lasting: lasting),
                    to: radios.phone
                )
            )
        }
        return Deed(.outage(of: radios.names, lasting: lasting, notice))
    }

    /// Packets vanish for a while.
    static let block = Verb(
        "block",
        "Packets vanish for a while, and nobody says so.",
        .mapping(
            MappingShape(
                name: "block",
                noun: "'block'",
                summary: "Packets vanish on a phone's radios, and nobody says so.",
                fields: [
                    phoneOrRadio, traffic, Field("for", .span, .refused, "How long."), ways,
                ]
            )
        )
    ) { body, builder in
        let radios = builder.radios(body["of"])
        guard let radios, let lasting = body["for"]?.duration, let word = body["traffic"]?.text
        else { return nil }
        let traffic = CaseWords(of: TrafficClass.self)[word]
        let ways = body["ways"]?.text.flatMap { LinkWays(rawValue: $0) } ?? .both
        return Deed(
            TimedAct(
                PhoneAct.block(radios.interface, traffic, ways, lasting: lasting),
                to: radios.phone
            )
        )
    }

    /// A phone goes on with another radio.
    static let handover = Verb(
        "handover",
        "A phone goes on with another radio.",
        .mapping(
            MappingShape(
                name: "handover",
                noun: "'handover'",
                summary: "One radio comes up if it is not, and all others go down.",
                fields: [
                    Field("of", .reference(.phone), .refused, "The phone."),
                    Field("to", interface, .refused, "The radio that the phone goes on with."),
                ] + notice
            )
        )
    ) { body, builder in
        let phone = builder.refer(body["of"], to: .phone)
        guard let phone, let word = body["to"]?.text, let notice = PathNotice(body),
            let known = builder.phone(named: phone)
        else { return nil }
        guard known.radios.contains(where: { "\($0.interface)" == word }) else {
            if known.isSound {
                builder.report(.noRadio(phone, needs: word), at: body["to"]?.place ?? body.place)
            }
            return nil
        }
        let names = known.radios.map { "\(phone)/\($0.interface)" }
        return Deed(.handover(to: "\(phone)/\(word)", among: names, notice))
    }

    /// One radio goes down or up.
    static let radio = Verb(
        "radio",
        "One radio goes down or up.",
        .mapping(
            MappingShape(
                name: "radio_switch",
                noun: "'radio'",
                summary: "One radio loses its address or gets another.",
                fields: [
                    Field("of", .reference(.radio), .refused, "The radio, as phone/radio."),
                    Field(
                        "is",
                        .choice(
                            [
                                Choice(word: "down", summary: "It loses its address."),
                                Choice(word: "up", summary: "It gets an address."),
                            ],
                            noun: "state of a radio"
                        ),
                        .refused,
                        "What it is from then on."
                    ),
                ] + notice
            )
        )
    ) { body, builder in
        guard let name = builder.refer(body["of"], to: .radio),
            let radio = builder.radio(named: name), let state = body["is"]?.text,
            let notice = PathNotice(body)
        else { return nil }
        let act = PhoneAct.radio(radio.interface, isUp: state == "up", notice)
        return Deed(TimedAct(act, to: radio.phone))
    }
}

// MARK: - Their keys

extension Verb {
    private static let phoneOrRadio = Field(
        "of",
        .reference(.phoneOrRadio),
        .refused,
        "The phone with all its radios, or one radio as phone/radio."
    )

    private static let address = Field(
        "address",
        .choice(
            [
                Choice(
                    word: "kept",
                    summary: "It stays, and packets vanish; only where nobody says so."
                ),
                Choice(word: "lost", summary: "It is gone, and another one comes at the end."),
            ],
            noun: "fate of an address"
        ),
        "What becomes of the radios' addresses; kept if the notice is never, else lost."
    )

    static let interface = Shape.choice(
        [
            Choice(word: "wifi", summary: "Wi-Fi."),
            Choice(word: "cellular", summary: "The cellular radio."),
        ],
        noun: "radio"
    )

    private static let traffic = Field(
        "traffic",
        .choice(
            [
                Choice(word: "signalling", summary: "Reliable streams: signalling, requests."),
                Choice(word: "media", summary: "Datagrams: voice and its checks."),
                Choice(word: "all", summary: "Everything."),
            ],
            noun: "kind of traffic"
        ),
        .means("all"),
        "Which packets."
    )

    /// When the phone's system speaks of a change of its network.
    static let notice: [Field] = [
        Field(
            "notice",
            .word(
                Choice(word: "immediate", summary: "At once."),
                or: .word(Choice(word: "never", summary: "Not at all."), or: .span)
            ),
            .means("immediate"),
            "When the system tells the app: immediate, never, or so long after the change."
        ),
        Field(
            "sockets",
            .choice(
                [
                    Choice(word: "break", summary: "They report an error at once."),
                    Choice(word: "silent", summary: "They fall silent."),
                ],
                noun: "fate of sockets"
            ),
            "What becomes of sockets of a lost address; break if the notice is immediate."
        ),
    ]
}

extension PathNotice {
    /// When and how the phone's system speaks of what a verb does.
    init?(_ body: CheckedValue) {
        guard let value = body["notice"] else { return nil }
        let breaks = body["sockets"]?.text.map { $0 == "break" }
        switch value.text {
        case "immediate": self.init(delay: .zero, breaksSockets: breaks ?? true)
        case "never": self.init(delay: nil, breaksSockets: breaks ?? false)
        default: self.init(delay: value.duration, breaksSockets: breaks ?? false)
        }
    }
}

extension PlanBuilder {
    /// A phone with all its radios or with one.
    fileprivate struct RadioChoice {
        var phone: String
        /// The one, if one is named.
        var interface: NetworkInterface?
        /// The names of all that are meant.
        var names: [String]
    }

    /// The radios that a phone's name, or a radio's, stands for; `nil` after a report.
    fileprivate mutating func radios(_ value: CheckedValue?) -> RadioChoice? {
        guard let name = refer(value, to: .phoneOrRadio) else { return nil }
        if let radio = radio(named: name) {
            return RadioChoice(phone: radio.phone, interface: radio.interface, names: [name])
        }
        guard let known = phone(named: name) else { return nil }
        if known.radios.isEmpty {
            if known.isSound, let value { report(.noRadio(name, needs: "radio"), at: value.place) }
            return nil
        }
        return RadioChoice(
            phone: name,
            interface: nil,
            names: known.radios.map { "\(name)/\($0.interface)" }
        )
    }
}
