import AppCoordination
import KodamaEvidence
import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import KodamaSimulation
import RealtimeVoice
import SansIO

extension Vocabulary {
    /// The voice session with an agent in a room, and the servers that it needs.
    static let session: Vocabulary = {
        var vocabulary = Vocabulary(of: SessionAppPlan.system)
        var app = AppShape(
            of: SessionAppPlan.system,
            "A conversation with a voice agent in a room.",
            fields: [
                Field(
                    "account",
                    .name,
                    "The account that its user signs in with; without the key one of the phone's own."
                )
            ],
            read: { body, tuning, _ in
                var app = SessionAppPlan()
                app.account = body["account"]?.text
                app.configuration = tuning[VoiceAppConfiguration.self]
                app.configuration.audio = tuning[AudioAdaptation.self]
                app.sdk = tuning[RoomClientConfiguration.self]
                app.listener = tuning[ListenerConfiguration.self]
                return app
            }
        )
        app.voices = [.sized, .reachability, .real]
        app.needsRadio = true
        app.usesRooms = true
        vocabulary.app = app
        vocabulary.verbs = [.server, .agent, .signal, .api]
        vocabulary.userWords = acts + muting
        vocabulary.chances = .session
        vocabulary.servers = ServicesPlan.componentNames
        vocabulary.parameters = ParameterCatalog(joining: [.session, .audio, .listener, .servers])
        vocabulary.asSpecified = { $0[VoiceAppConfiguration.self] = .asSpecified }
        vocabulary.dataNeeds = [
            .app(SessionAppPlan.self, of: ["session.*", "conduct.*"] + answered),
            .talk(of: answered),
            DataNeed(of: ["session.sound.*"]) { plan in
                plan.voice == .real ? nil : "'voice: \(plan.voice.rawValue)' makes no sound"
            },
        ]
        vocabulary.phonelessMetrics = [
            "session.storm.peak.share", "session.agent.silenced", "session.rooms.doubled",
        ]
        vocabulary.start = FirstSession.scenario
        return vocabulary
    }()

    /// The metrics of what the agent answers.
    private static let answered: [NamePattern] = [
        "voice.round_trip.time", "voice.turns.unanswered", "voice.answers.unheard",
    ]

    private static let muting = UserWord.muting(
        SessionAppPlan.system,
        mute: SessionAppAct.mute,
        unmute: SessionAppAct.unmute
    )

    private static let acts: [UserWord] = [
        word("connect", "Asks for the conversation.", .connect),
        word("disconnect", "Ends the conversation.", .disconnect),
        login("sign-in", "Signs in.", .signIn),
        login("sign-in-as-guest", "Somebody else signs in on this phone.", .signInAsGuest),
        login("log-out", "Logs out.", .logOut),
    ]

    /// What only an app heeds that has a login; the judge would still take it for the user's wish.
    private static func login(
        _ word: String,
        _ summary: String,
        _ act: SessionAppAct
    ) -> UserWord {
        var login = self.word(word, summary, act)
        login.unheeded = { settings in
            guard let app = settings as? SessionAppPlan, app.configuration.login != .signedIn
            else { return nil }
            return UserWord.Unheeded(
                reason: "whoever holds the device may connect, by 'session.login'",
                hint: "write 'session.login: signed-in' under 'parameters', or leave the act out"
            )
        }
        return login
    }

    private static func word(
        _ word: String,
        _ summary: String,
        _ act: SessionAppAct
    ) -> UserWord {
        UserWord(word, summary, .inside(SessionAppPlan.system)) { _ in act }
    }
}

extension [Chance] {
    /// What goes wrong in a session and its servers.
    static let session: [Chance] = [
        Chance(
            "mute",
            "The user mutes, and unmutes after 1 to 20 s.",
            app: .system(SessionAppPlan.system)
        ) { draw in
            let app = AppPlan.component(SessionAppPlan.system, on: draw.phone.name)
            let length = draw.seconds(1...20)
            draw.add(SessionAppAct.mute, then: SessionAppAct.unmute, to: app, apart: length)
        },
        Chance(
            "hang-up",
            "The user ends the conversation, and begins another after 5 to 30 s.",
            app: .system(SessionAppPlan.system)
        ) { draw in
            let app = AppPlan.component(SessionAppPlan.system, on: draw.phone.name)
            let length = draw.seconds(5...30)
            draw.add(SessionAppAct.disconnect, then: SessionAppAct.connect, to: app, apart: length)
        },
        Chance(
            "server-crash",
            "The room server's process crashes and is back after 1 to 10 s.",
            app: .system(SessionAppPlan.system)
        ) { draw in
            let downtime = draw.seconds(1...10)
            draw.add(.crash(downtime: downtime), at: draw.begin)
            draw.end = draw.begin.advanced(by: downtime)
        },
        Chance(
            "server-dark",
            "The room server's machine goes dark and is back after 1 to 10 s.",
            app: .system(SessionAppPlan.system)
        ) { draw in
            let downtime = draw.seconds(1...10)
            draw.add(.goDark(downtime: downtime), at: draw.begin)
            draw.end = draw.begin.advanced(by: downtime)
        },
        Chance(
            "server-leave",
            "The room server asks for a resume or a full reconnect.",
            app: .system(SessionAppPlan.system)
        ) { draw in
            let request: LeaveRequest =
                draw.random.uniform(below: 2) == 0
                ? LeaveRequest(.resume, .migration) : LeaveRequest(.reconnect, .stateMismatch)
            draw.add(.leave(identity: draw.phone.name, request), at: draw.begin)
        },
        Chance(
            "agent-leaves",
            "The agent ends its job and leaves the room.",
            app: .system(SessionAppPlan.system)
        ) { draw in
            let act = AgentAct.leave(phone: draw.phone.name)
            draw.add(act, to: ServicesPlan.agentsName, at: draw.begin)
        },
        Chance(
            "ghost",
            "The way down to the phone is dead for 5 to 20 s; 2 s after it begins the agent leaves.",
            radios: 1,
            app: .system(SessionAppPlan.system)
        ) { draw in
            let length = draw.seconds(5...20)
            draw.end = draw.begin.advanced(by: length)
            for radio in draw.phone.radios {
                let act = LinkAct.disrupt(.stopped, .backward, lasting: length)
                draw.add(act, to: "\(draw.phone.name)/\(radio.interface)", at: draw.begin)
            }
            let leave = AgentAct.leave(phone: draw.phone.name)
            draw.add(leave, to: ServicesPlan.agentsName, at: draw.begin.advanced(by: .seconds(2)))
        },
        Chance(
            "silent-api",
            "The app's own server accepts connections and does not answer for 5 to 30 s.",
            app: .servedByAPI
        ) { draw in
            let length = draw.seconds(5...30)
            draw.end = draw.begin.advanced(by: length)
            draw.add(
                APIServerAct.silence(lasting: length),
                to: ServicesPlan.apiName,
                at: draw.begin
            )
        },
        Chance(
            "dark-api",
            "The app's own server is gone from the network for 5 to 30 s.",
            app: .servedByAPI
        ) { draw in
            let length = draw.seconds(5...30)
            draw.end = draw.begin.advanced(by: length)
            draw.add(APIServerAct.goDark(lasting: length), to: ServicesPlan.apiName, at: draw.begin)
        },
        Chance(
            "silent-server",
            "The room server falls silent for 5 to 30 s.",
            app: .system(SessionAppPlan.system)
        ) { draw in
            draw.end = draw.begin.advanced(by: draw.seconds(5...30))
            draw.add(.goSilent, at: draw.begin)
            draw.add(.clear, at: draw.end)
        },
        Chance(
            "captive-portal",
            "The phone's connections are taken and not answered, and datagrams vanish, for 1 to 60 s.",
            radios: 1,
            app: .system(SessionAppPlan.system)
        ) { $0.addWall(.portal) },
        Chance(
            "firewall",
            "The phone's connects are reset, and datagrams vanish, for 1 to 60 s.",
            radios: 1,
            app: .system(SessionAppPlan.system)
        ) { $0.addWall(.firewall) },
    ]
}

extension Chance.AppNeed {
    /// One that asks the app's own server.
    fileprivate static let servedByAPI = Self.oneOf([
        Tenant.calls, Tenant.replica, SessionAppPlan.system,
    ])
}

extension ChanceDraw {
    /// Keeps the phone, and no other, from the servers.
    fileprivate mutating func addWall(_ wall: Wall) {
        let length = seconds(1...60)
        end = begin.advanced(by: length)
        add(PhoneAct.wall(wall, lasting: length), to: phone.name, at: begin)
    }

    /// Lets a fault befall the room server.
    fileprivate mutating func add(_ fault: RoomServerFault, at instant: Instant) {
        add(fault, to: ServicesPlan.roomsName, at: instant)
    }
}
