import KodamaLanguage

extension Verb {
    /// A user writes.
    static let write = Verb(
        "write",
        "A user writes rows of their database.",
        .mapping(
            MappingShape(
                name: "write",
                noun: "'write'",
                summary: "A user writes rows, in the app on a phone or on the web.",
                fields: [
                    Field("on", replicaPhone, "The phone in whose app they are written."),
                    Field("web", .name, "The user who writes them on the web."),
                    Field(
                        "as",
                        .choice(kinds, noun: "kind of write"),
                        .means("new"),
                        "What is written."
                    ),
                    Field(
                        "row",
                        .name,
                        """
                        The row's name, under which it is written again. If the key is absent, \
                        what is edited or deleted is the last row that was written there.
                        """
                    ),
                    Field("rows", .integer(1...10_000, step: 1), .means("1"), "How many writes."),
                    Field("every", .span, .means("1s"), "The time from one to the next."),
                ],
                exactlyOne: ["on", "web"]
            )
        ),
        read: readWrite
    )

    private static let kinds = [
        Choice(word: "new", summary: "A row; on a phone that has it the write is refused."),
        Choice(word: "edit", summary: "Other words in a row."),
        Choice(word: "delete", summary: "The end of a row."),
    ]

    private static let replicaPhone = Shape.reference(.phoneRunning(ReplicaAppPlan.system))

    @Sendable
    private static func readWrite(_ body: CheckedValue, _ builder: inout PlanBuilder) -> Deed? {
        let phone = builder.refer(body["on"], to: .phoneRunning(ReplicaAppPlan.system))
        let user = builder.databaseOwner(body["web"])
        guard let kind = body["as"]?.text.flatMap(ReplicaWrite.Kind.init),
            let count = body["rows"]?.number, let pause = body["every"]?.duration
        else { return nil }
        if let rows = body["rows"], count > 1, kind != .edit, let row = body["row"]?.text {
            let end = kind == .new ? "made" : "deleted"
            builder.report(
                "the row '\(row)' would be \(end) \(count) times",
                code: "one-row",
                hint: "leave 'rows' or 'row' out",
                at: rows
            )
            return nil
        }
        let place = body["rows"]?.place ?? body.place
        guard builder.hasRoom(for: count, "writes", most: ReplicaWrite.countMax, at: place) else {
            return nil
        }
        let write = ReplicaWrite(kind: kind, row: body["row"]?.text)
        var deed = Deed()
        for index in 0..<Int(count) {
            if let phone {
                let app = AppPlan.component(ReplicaAppPlan.system, on: phone)
                let act = TimedAct(ReplicaAppAct.write(write), to: app, after: pause * index)
                deed.acts.append(act)
            } else if let user {
                let act = PrimaryAct.write(user: user, write)
                deed.acts.append(befall(act, after: pause * index))
            }
        }
        return deed.acts.isEmpty ? nil : deed
    }

    /// Something befalls a user's database at the server.
    static let primary = Verb(
        "primary",
        "Something befalls a user's database at the server.",
        .cases(
            of: "fault",
            [
                fault("fails", "It fails and comes back without what was not durable."),
                fault("trims", "It drops its log; replicas that lack some of it start anew."),
                fault("expires-tokens", "No token that was given for it is good any more."),
                fault(
                    "refuses",
                    "It refuses changes to a row for ever, as by a rule of the server's own.",
                    [Field("row", .name, .refused, "The row's name.")]
                ),
                fault("migrates", "It is brought to a newer schema, as by the web.", [version]),
            ],
            noun: "'primary'"
        )
    ) { body, builder in
        guard let user = builder.databaseOwner(body["of"]) else { return nil }
        switch body["fault"]?.text {
        case "fails": return Deed(befall(.fail(user: user)))
        case "trims": return Deed(befall(.trim(user: user)))
        case "refuses":
            guard let row = body["row"]?.text else { return nil }
            return Deed(befall(.close(user: user, row: row)))
        case "expires-tokens": return Deed(befall(.expireTokens(user: user)))
        case "migrates":
            guard let version = body["version"]?.number else { return nil }
            return Deed(befall(.migrate(user: user, version: Int(version))))
        default: return nil
        }
    }

    private static func befall(_ act: PrimaryAct, after delay: Duration = .zero) -> TimedAct {
        TimedAct(act, to: ReplicaServicesPlan.databaseName, after: delay)
    }

    private static let version = Field("version", versions, .refused, "The schema's version.")

    private static let versions = Shape.integer(ReplicaAppPlan.versionRange, step: 1)

    private static func fault(
        _ word: String,
        _ summary: String,
        _ more: [Field] = []
    ) -> MappingShape {
        MappingShape(
            name: "primary_" + word.replacing("-", with: "_"),
            noun: "'primary: \(word)'",
            summary: summary,
            fields: [
                Field(
                    "fault",
                    .choice([Choice(word: word, summary: "")], noun: "fault of a primary"),
                    .refused,
                    "What befalls it."
                ),
                Field("of", .name, .refused, "The user whose database it is."),
            ] + more
        )
    }

    /// A replica's file is damaged.
    static let replicaFile = Verb(
        "replica-file",
        "A replica's file is damaged, which its app finds at the next launch.",
        of: [
            Field("phone", replicaPhone, .refused, "The phone."),
            Field(
                "damage",
                .choice(damages, noun: "kind of damage"),
                .refused,
                "What is wrong with it."
            ),
        ]
    ) { body, builder in
        let phone = builder.refer(body["phone"], to: .phoneRunning(ReplicaAppPlan.system))
        guard let phone, let damage = body["damage"]?.text.flatMap(FileDamage.init) else {
            return nil
        }
        let app = AppPlan.component(ReplicaAppPlan.system, on: phone)
        return Deed(TimedAct(ReplicaAppAct.damage(damage), to: app))
    }

    private static let damages = [
        Choice(word: "header", summary: "Its header is zeroed: it is no database any more."),
        Choice(word: "cut", summary: "Its end is cut off."),
        Choice(word: "page", summary: "A page in the middle holds nonsense."),
        Choice(word: "outbox", summary: "What it keeps for the primary is nonsense."),
        Choice(word: "trigger", summary: "One bit of a trigger's name is flipped."),
        Choice(word: "index", summary: "One bit of an index is flipped."),
        Choice(word: "state", summary: "One bit of what the file says of itself is flipped."),
    ]

    /// A phone gets another version of the app.
    static let updateReplicaApp = Verb(
        "update-replica-app",
        "A phone gets another version of the app with a replica; its process ends.",
        of: [
            Field("phone", replicaPhone, .refused, "The phone."),
            Field("version", versions, .refused, "The version that the next launch has."),
        ]
    ) { body, builder in
        let phone = builder.refer(body["phone"], to: .phoneRunning(ReplicaAppPlan.system))
        guard let phone, let version = body["version"]?.number.map({ Int($0) }) else { return nil }
        let app = AppPlan.component(ReplicaAppPlan.system, on: phone)
        var deed = Deed(TimedAct(ReplicaAppAct.update(version: version), to: app))
        guard let first = builder.phone(named: phone)?.settings(of: ReplicaAppPlan.self) else {
            return deed
        }
        deed.vain = { before in
            var current = first.schemaVersion
            for act in before {
                if case .update(let version) = act as? ReplicaAppAct { current = version }
            }
            return current == version ? "the app has version \(version) already" : nil
        }
        return deed
    }
}
