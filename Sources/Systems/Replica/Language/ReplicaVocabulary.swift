import KodamaEvidence
import KodamaLanguage
import KodamaSession
import KodamaSimulation
import ReplicaSync

extension Vocabulary {
    /// Replicas of users' databases, and the server that keeps those.
    static let replica: Vocabulary = {
        var vocabulary = Vocabulary(of: ReplicaAppPlan.system)
        var app = AppShape(
            of: ReplicaAppPlan.system,
            "A file that replicates the database which its user has at the app's server.",
            fields: [
                Field("user", .name, .refused, "The user whose database it is."),
                Field(
                    "signed_in",
                    .boolean,
                    .means("true"),
                    "Whether the user is signed in at the start."
                ),
                Field(
                    "version",
                    .integer(ReplicaAppPlan.versionRange, step: 1),
                    .means("1"),
                    "The app's version, which is its schema's, at the start."
                ),
            ],
            read: { body, tuning, builder in
                var app = ReplicaAppPlan()
                app.user = body["user"]?.text ?? ""
                builder.signIn(body["user"], to: ReplicaAppPlan.system)
                app.isSignedIn = body["signed_in"]?.boolean ?? true
                app.schemaVersion = Int(body["version"]?.number ?? 1)
                app.configuration = tuning[ReplicaConfiguration.self]
                app.disk = tuning[ReplicaDiskTiming.self]
                app.configuration.schema = ReplicaAppPlan.schema(version: app.schemaVersion)
                return app
            }
        )
        // It carries no voice, whatever other apps carry beside it.
        app.voices = [.reachability]
        app.needsRadio = true
        vocabulary.app = app
        vocabulary.verbs = [.write, .primary, .replicaFile, .updateReplicaApp]
        vocabulary.userWords = acts
        vocabulary.chances = .replica
        vocabulary.servers = [ServicesPlan.apiName] + ReplicaServicesPlan.componentNames
        vocabulary.bystanders = [ServicesPlan.roomsName, ServicesPlan.agentsName]
        vocabulary.parameters = ParameterCatalog(joining: [.replica, .databases])
        vocabulary.review = { orders, root, builder in builder.checkRows(orders, root) }
        vocabulary.dataNeeds = [
            .app(ReplicaAppPlan.self, of: ["replica.*"]),
            DataNeed(of: written) { $0.writesOnPhones ? nil : "nobody writes on a phone" },
            DataNeed(of: ["replica.damage-reported"]) {
                $0.damagesReplicas ? nil : "no replica's file is damaged"
            },
        ]
        vocabulary.asSpecified = {
            // It syncs at the interval and on demand only; a write waits for either.
            let interval = $0[ReplicaConfiguration.self].syncInterval
            $0[ReplicaConfiguration.self].writeDelay = interval
        }
        vocabulary.start = FirstReplica.scenario
        return vocabulary
    }()

    /// What is measured of what users write on phones.
    private static let written: [NamePattern] = [
        "replica.writes.lost", "replica.write.arrival.time", "replica.order-kept",
        "replica.only-what-was-written",
    ]

    private static let acts: [UserWord] = [
        word("sync-replica", "Asks the app for what is new.", .sync),
        word("read-replica", "Looks at the rows in the app.", .read),
        signOut,
        word("sign-in-to-replica", "Signs in to the app with the replica.", .signIn),
        word(
            "sign-in-to-replica-as-guest",
            "Somebody else signs in to the app with the replica, whose file is its first user's.",
            .signInAsGuest
        ),
        word(
            "interrupt-migration",
            "Throws the app out in the middle of the next migration of its file.",
            .interruptMigration
        ),
    ]

    /// What only who is signed in can do; a login may run out, so that signing in is never in vain.
    private static let signOut: UserWord = {
        var signOut = word(
            "sign-out-of-replica",
            "Signs out of the app with the replica.",
            .signOut
        )
        signOut.vain = { settings, before in
            var isSignedIn = (settings as? ReplicaAppPlan)?.isSignedIn ?? true
            for act in before {
                switch act as? ReplicaAppAct {
                case .signIn, .signInAsGuest: isSignedIn = true
                case .signOut: isSignedIn = false
                default: break
                }
            }
            return isSignedIn ? nil : "nobody is signed in there"
        }
        return signOut
    }()

    private static func word(
        _ word: String,
        _ summary: String,
        _ act: ReplicaAppAct
    ) -> UserWord {
        UserWord(word, summary, .inside(ReplicaAppPlan.system)) { _ in act }
    }
}

extension [Chance] {
    /// That somebody writes, and what goes wrong at the primary.
    static let replica: [Chance] = [
        Chance(
            "write",
            "The user writes a row in the app, or the last one anew, or deletes it.",
            app: .system(ReplicaAppPlan.system)
        ) { draw in
            let app = AppPlan.component(ReplicaAppPlan.system, on: draw.phone.name)
            let write = ReplicaWrite(kind: draw.kindOfWrite())
            draw.add(ReplicaAppAct.write(write), to: app, at: draw.begin)
        },
        Chance(
            "disk-full",
            "The phone's disk is full for 5 to 60 s.",
            app: .system(ReplicaAppPlan.system)
        ) { draw in
            let (full, free) = (PhoneAct.disk(isFull: true), PhoneAct.disk(isFull: false))
            draw.add(full, then: free, to: draw.phone.name, apart: draw.seconds(5...60))
        },
        Chance(
            "web-write",
            "The user writes a row on the web, or the last one anew, or deletes it.",
            app: .system(ReplicaAppPlan.system)
        ) { draw in
            let write = ReplicaWrite(kind: draw.kindOfWrite())
            draw.addToPrimary { .write(user: $0, write) }
        },
        Chance(
            "primary-fails",
            "The user's primary fails and comes back without what was not durable.",
            app: .system(ReplicaAppPlan.system)
        ) { draw in
            draw.addToPrimary { .fail(user: $0) }
        },
    ]
}

extension ChanceDraw {
    /// Mostly a new row; of eight writes two edit the last one, and one deletes it.
    fileprivate mutating func kindOfWrite() -> ReplicaWrite.Kind {
        switch random.uniform(below: 8) {
        case 0: .delete
        case 1, 2: .edit
        default: .new
        }
    }

    /// Does something to the primary of the phone's user.
    fileprivate mutating func addToPrimary(_ act: (String) -> PrimaryAct) {
        guard let user = phone.settings(of: ReplicaAppPlan.self)?.user else { return }
        add(act(user), to: ReplicaServicesPlan.databaseName, at: begin)
    }
}

extension WorldPlan {
    /// Whether somebody writes in an app with a replica.
    fileprivate var writesOnPhones: Bool {
        let isOrdered = timeline.contains { entry in
            guard case .write = entry.act as? ReplicaAppAct else { return false }
            return true
        }
        return isOrdered || faults.contains { $0.shares.contains { $0.chance.name == "write" } }
    }

    /// Whether a replica's file is damaged.
    fileprivate var damagesReplicas: Bool {
        timeline.contains { entry in
            guard case .damage = entry.act as? ReplicaAppAct else { return false }
            return true
        }
    }
}
