import KodamaEvidence
import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import Yams

extension Verb {
    /// Does something to the room server.
    static let server = Verb(
        "server",
        "Something is done to the room server.",
        .cases(
            of: "does",
            [
                lasting("crash", "Is killed and started anew; sockets are reset."),
                lasting("dark", "Its machine goes dark and comes up anew."),
                lasting("restart", "Is told to stop, tells everybody, and comes back."),
                lasting("drain", "Takes no new rooms."),
                lasting("closed", "Resets who connects; what is connected goes on."),
                lasting("full", "Refuses joins with 503."),
                lasting("block-ice", "Neither takes nor sends datagrams."),
                lasting("silent", "Accepts connections and says nothing."),
                leave, joinElsewhere,
            ],
            noun: "'server'"
        ),
        read: readServer
    )

    /// Does something to a phone's agent.
    static let agent = Verb(
        "agent",
        "Something is done to the agent that serves a phone.",
        .cases(
            of: "does",
            [
                MappingShape(
                    name: "agent_leave",
                    noun: "'agent: leave'",
                    summary: "Ends its job and leaves the room; the phone is not asked.",
                    fields: [does("leave"), phone]
                ),
                lasting(
                    "restart",
                    of: "agent",
                    "The process that runs all agents ends: none is called to a room made meanwhile."
                ),
                MappingShape(
                    name: "agent_skip",
                    noun: "'agent: skip'",
                    summary: "No agent is called to a room that the phone makes meanwhile.",
                    fields: [does("skip"), phone, Field("for", .span, .refused, "How long.")]
                ),
            ],
            noun: "'agent'"
        )
    ) { body, builder in
        let lasting = body["for"]?.duration
        if body["does"]?.text == "restart" {
            return lasting.map {
                Deed(TimedAct(AgentAct.restart(downtime: $0), to: ServicesPlan.agentsName))
            }
        }
        let session = NameKind.phoneRunning(SessionAppPlan.system)
        return builder.refer(body["of"], to: session).map { phone in
            let act = lasting.map { AgentAct.skip(phone: phone, lasting: $0) }
            return Deed(TimedAct(act ?? .leave(phone: phone), to: ServicesPlan.agentsName))
        }
    }

    /// Does something to the signal connection that a phone has.
    static let signal = Verb(
        "signal",
        "A box in the middle does something to a phone's signal connection; all else goes on.",
        .cases(
            of: "does",
            [
                MappingShape(
                    name: "signal_reset",
                    noun: "'signal: reset'",
                    summary: "Resets it at both ends, as a firewall does.",
                    fields: [does("reset"), guest]
                ),
                MappingShape(
                    name: "signal_forget",
                    noun: "'signal: forget'",
                    summary: "Forgets it, as a router does: its packets vanish both ways.",
                    fields: [does("forget"), guest]
                ),
            ],
            noun: "'signal'"
        )
    ) { body, builder in
        builder.refer(body["of"], to: .roomGuest).map { phone in
            let isReset = body["does"]?.text == "reset"
            let act: SignalAct = isReset ? .reset(phone: phone) : .forget(phone: phone)
            return Deed(TimedAct(act, to: ServicesPlan.roomsName))
        }
    }

    /// Does something to the app's own server.
    static let api = Verb(
        "api",
        "Something is done to the app's own server.",
        .cases(
            of: "does",
            [
                lasting("silent", of: "api", "Accepts connections and does not answer."),
                lasting("dark", of: "api", "Is gone from the network."),
            ],
            noun: "'api'"
        )
    ) { body, _ in
        guard let word = body["does"]?.text, let lasting = body["for"]?.duration else { return nil }
        let isDark = word == "dark"
        let act: APIServerAct = isDark ? .goDark(lasting: lasting) : .silence(lasting: lasting)
        return Deed(TimedAct(act, to: ServicesPlan.apiName))
    }

    private static let phone = Field(
        "of",
        .reference(.phoneRunning(SessionAppPlan.system)),
        .refused,
        "The phone."
    )

    /// Of a phone with both apps the one of sessions is meant.
    private static let guest = Field("of", .reference(.roomGuest), .refused, "The phone.")

    private static let leave = MappingShape(
        name: "server_leave",
        noun: "'server: leave'",
        summary: "Sends a leave to one participant.",
        fields: [
            does("leave"), guest,
            Field(
                "action",
                .choice(CaseWords(of: LeaveRequest.Action.self).choices, noun: "action"),
                .refused,
                "What the phone is asked to do next."
            ),
            Field(
                "reason",
                .choice(reasons, noun: "reason"),
                .refused,
                "The reason that is given."
            ),
        ]
    )

    /// What a server may give of its own accord: that the client wished it is no such reason.
    private static let reasons: [Choice] = {
        let words = CaseWords(of: DisconnectReason.self)
        return zip(words.values, words.choices).filter { $0.0 != .clientInitiated }.map { $0.1 }
    }()

    private static let joinElsewhere = MappingShape(
        name: "server_join_elsewhere",
        noun: "'server: join-elsewhere'",
        summary: "Somebody else joins with the phone's identity, and stays.",
        fields: [does("join-elsewhere"), guest]
    )

    private static func does(_ word: String) -> Field {
        Field(
            "does",
            .choice([Choice(word: word, summary: "")], noun: "act of a server"),
            .refused,
            "What the server does."
        )
    }

    private static func lasting(
        _ word: String,
        of server: String = "server",
        _ summary: String
    ) -> MappingShape {
        MappingShape(
            name: "\(server)_" + word.replacing("-", with: "_"),
            noun: "'\(server): \(word)'",
            summary: summary,
            fields: [does(word), Field("for", .span, .refused, "How long.")]
        )
    }
}

extension Verb {
    @Sendable
    private static func readServer(_ body: CheckedValue, _ builder: inout PlanBuilder) -> Deed? {
        let phone = builder.refer(body["of"], to: .roomGuest)
        guard let word = body["does"]?.text else { return nil }
        if let lasting = body["for"]?.duration { return fault(word, lasting: lasting) }
        guard let phone else { return nil }
        let hasSession = builder.phone(named: phone)?.has(SessionAppPlan.system) ?? false
        let system = hasSession ? SessionAppPlan.system : Tenant.calls
        switch word {
        case "leave":
            let action = body["action"]?.text.flatMap {
                CaseWords(of: LeaveRequest.Action.self)[$0]
            }
            let reason = body["reason"]?.text.flatMap { CaseWords(of: DisconnectReason.self)[$0] }
            guard let action, let reason else { return nil }
            var deed = Deed(befall(.leave(identity: phone, LeaveRequest(action, reason))))
            deed.guest = (phone, system)
            return deed
        case "join-elsewhere":
            var deed = Deed(befall(.joinElsewhere(identity: phone)))
            deed.guest = (phone, system)
            return deed
        default:
            return nil
        }
    }

    /// A fault that lasts a while; the end of one would end any other.
    private static func fault(_ word: String, lasting: Duration) -> Deed? {
        var deed: Deed
        switch word {
        case "crash": deed = Deed(befall(.crash(downtime: lasting)))
        case "dark": deed = Deed(befall(.goDark(downtime: lasting)))
        case "closed":
            deed = Deed(befall(.refuseConnections), befall(.clear, after: lasting))
        case "restart": deed = Deed(befall(.restart(downtime: lasting)))
        case "drain": deed = Deed(befall(.drain), befall(.clear, after: lasting))
        case "full": deed = Deed(befall(.full), befall(.clear, after: lasting))
        case "block-ice": deed = Deed(befall(.blockIce), befall(.clear, after: lasting))
        case "silent": deed = Deed(befall(.goSilent), befall(.clear, after: lasting))
        default: return nil
        }
        deed.claim = lasting
        if ["crash", "dark", "restart"].contains(word) { deed.downtime = lasting }
        return deed
    }

    private static func befall(
        _ fault: RoomServerFault,
        after delay: Duration = .zero
    ) -> TimedAct {
        TimedAct(fault, to: ServicesPlan.roomsName, after: delay)
    }
}
