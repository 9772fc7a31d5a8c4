import Evidence
import Models

extension ScenarioLanguage {
    /// What can be done to phones with sessions and to their servers.
    static let sessionActions: [Field] = [
        Field("outage", .mapping(outage), "A phone's radios go down and come back."),
        Field("block", .mapping(block), "Packets vanish for a while, and nobody says so."),
        Field("handover", .mapping(handover), "A phone goes on with another radio."),
        Field("radio", .mapping(radioSwitch), "One radio goes down or up."),
        Field("user", .mapping(user), "The user does something with the phone or its app."),
        Field("phone", .mapping(phoneChange), "A phone grants or refuses something."),
        Field("set-clock", .mapping(setClock), "A phone's clock jumps."),
        Field("server", server, "Something is done to the room server."),
        Field("api", api, "Something is done to the app's own server."),
    ]

    private static let phoneOrRadio = Field(
        "of",
        .reference(.phoneOrRadio),
        .refused,
        "The phone with all its radios, or one radio as phone/radio."
    )

    private static let phone = Field("of", .reference(.phone), .refused, "The phone.")

    /// When the phone's system speaks of a change of its network.
    private static let notice: [Field] = [
        Field(
            "notice",
            .word(
                Choice(word: "immediate", summary: "At once."),
                or: .word(Choice(word: "never", summary: "Not at all."), or: span)
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

    private static let outage = MappingShape(
        name: "outage",
        noun: "'outage'",
        summary: "Radios that are up lose their addresses, and get others at the end.",
        fields: [phoneOrRadio, Field("for", span, .refused, "How long.")] + notice
    )

    private static let block = MappingShape(
        name: "block",
        noun: "'block'",
        summary: "Packets vanish on a phone's radios, and nobody says so.",
        fields: [
            phoneOrRadio,
            Field(
                "traffic",
                .choice(
                    [
                        Choice(
                            word: "signalling",
                            summary: "Reliable streams: signalling, requests."
                        ),
                        Choice(word: "media", summary: "Datagrams: voice and its checks."),
                        Choice(word: "all", summary: "Everything."),
                    ],
                    noun: "kind of traffic"
                ),
                .means("all"),
                "Which packets."
            ),
            Field("for", span, .refused, "How long."),
        ]
    )

    private static let handover = MappingShape(
        name: "handover",
        noun: "'handover'",
        summary: "One radio comes up if it is not, and all others go down.",
        fields: [
            phone,
            Field("to", interface, .refused, "The radio that the phone goes on with."),
        ] + notice
    )

    private static let interface = Shape.choice(
        [
            Choice(word: "wifi", summary: "Wi-Fi."),
            Choice(word: "cellular", summary: "The cellular radio."),
        ],
        noun: "radio"
    )

    private static let radioSwitch = MappingShape(
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

    private static let user = MappingShape(
        name: "user",
        noun: "'user'",
        summary: "The user of a phone does something.",
        fields: [
            phone,
            Field(
                "does",
                .choice(CaseWords(of: UserAct.self).choices, noun: "act of a user"),
                .refused,
                "What the user does."
            ),
        ]
    )

    private static let server = Shape.cases(
        of: "does",
        [
            lasting("crash", "Is killed and started anew; everything is forgotten."),
            lasting("restart", "Is told to stop, tells everybody, and comes back."),
            lasting("drain", "Takes no new rooms."),
            lasting("full", "Refuses joins with 503."),
            lasting("block-ice", "Neither takes nor sends datagrams."),
            lasting("silent", "Accepts connections and says nothing."),
            MappingShape(
                name: "server_leave",
                noun: "'server: leave'",
                summary: "Sends a leave to one participant.",
                fields: [
                    does("leave"), phone,
                    Field(
                        "action",
                        .choice(CaseWords(of: LeaveRequest.Action.self).choices, noun: "action"),
                        .refused,
                        "What the phone is asked to do next."
                    ),
                    Field(
                        "reason",
                        .choice(CaseWords(of: DisconnectReason.self).choices, noun: "reason"),
                        .refused,
                        "The reason that is given."
                    ),
                ]
            ),
            MappingShape(
                name: "server_join_elsewhere",
                noun: "'server: join-elsewhere'",
                summary: "Somebody else joins with the phone's identity, and stays.",
                fields: [does("join-elsewhere"), phone]
            ),
        ],
        noun: "'server'"
    )

    private static func does(_ word: String) -> Field {
        Field(
            "does",
            .choice([Choice(word: word, summary: "")], noun: "act of a server"),
            .refused,
            "What the server does."
        )
    }

    private static func lasting(_ word: String, _ summary: String) -> MappingShape {
        MappingShape(
            name: "server_" + word.replacing("-", with: "_"),
            noun: "'server: \(word)'",
            summary: summary,
            fields: [does(word), Field("for", span, .refused, "How long.")]
        )
    }

    private static let api = Shape.cases(
        of: "does",
        [
            MappingShape(
                name: "api_silent",
                noun: "'api: silent'",
                summary: "Accepts connections and does not answer.",
                fields: [does("silent"), Field("for", span, .refused, "How long.")]
            )
        ],
        noun: "'api'"
    )

    /// What goes wrong by chance.
    static let faultMix = MappingShape(
        name: "fault_mix",
        noun: "an entry of faults",
        summary: "Faults of several kinds that come one after the other, drawn for each seed.",
        fields: [
            phone,
            Field("kinds", .mapping(faultKinds), .refused, "What may happen, and how often."),
            Field("every", span, .refused, "The mean time from the end of one to the next."),
            Field("from", .instant, .means("0s"), "When the first may begin."),
            Field("until", .instant, .meansRunEnd, "When the last has ended."),
        ]
    )

    private static let faultKinds = MappingShape(
        name: "fault_kinds",
        noun: "kinds of faults",
        summary: "How often each kind is drawn, relative to the others.",
        fields: RandomFault.allCases.map {
            Field($0.rawValue, .integer(1...1_000, step: 1), summary(of: $0))
        }
    )

    private static func summary(of fault: RandomFault) -> String {
        switch fault {
        case .outage: "The radios go down and the system says so; 1 to 60 s."
        case .blackHole: "Packets vanish and nobody says so; 1 to 60 s."
        case .signallingCut: "Only signalling is cut; 5 to 40 s."
        case .mediaCut: "Only media is cut; 5 to 40 s."
        case .handover: "The other radio takes over, with or without a socket error."
        case .flapping: "Three short outages within 10 s."
        case .loss: "10 % of packets are lost for 5 to 30 s."
        case .background: "The user leaves the app and comes back after 1 to 60 s."
        case .controlCentre: "Control Centre comes and goes."
        case .mute: "The user mutes, and unmutes after 1 to 20 s."
        case .hangUp: "The user ends the conversation, and begins another after 5 to 30 s."
        case .serverCrash: "The room server crashes and is back after 1 to 10 s."
        case .serverLeave: "The room server asks for a resume or a full reconnect."
        case .silentServer: "The room server falls silent for 5 to 30 s."
        }
    }
}
