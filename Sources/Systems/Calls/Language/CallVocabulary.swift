import AppCoordination
import KodamaBackend
import KodamaEvidence
import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import KodamaSession
import SansIO

extension Vocabulary {
    /// Calls between users, and the servers that they need.
    static let calls: Vocabulary = {
        var vocabulary = Vocabulary(of: CallAppPlan.system)
        var app = AppShape(
            of: CallAppPlan.system,
            "Calls to other users, which ring by push on their phones.",
            fields: [
                Field("user", .name, .refused, "The user who is signed in."),
                Field("contact", .name, "Whom the user calls by chance (`faults`)."),
                Field(
                    "answers",
                    .time,
                    "How long the user lets a call ring before answering; without it nobody answers."
                ),
                Field(
                    "hangs_up",
                    .time,
                    "How long after both sides are joined the user ends a call; without it nobody does."
                ),
            ],
            read: { body, tuning, builder in
                var app = CallAppPlan()
                app.user = body["user"]?.text ?? ""
                app.contact = body["contact"]?.text
                builder.signIn(body["user"], to: CallAppPlan.system)
                builder.expectUser(body["contact"], of: CallAppPlan.system)
                if let contact = app.contact, contact == app.user {
                    builder.reportCallToSelf(contact, at: body["contact"])
                }
                app.answersAfter = body["answers"]?.duration
                app.hangsUpAfter = body["hangs_up"]?.duration
                app.configuration = tuning[CallAppConfiguration.self]
                app.sdk = tuning[RoomClientConfiguration.self]
                return app
            }
        )
        // What is heard in a call follows from the state of the paths in either of the first two.
        app.voices = [.sized, .reachability, .real]
        app.needsRadio = true
        app.usesRooms = true
        vocabulary.app = app
        vocabulary.verbs = [.call, .pushService, .pushPayload, .pushToken, .endSignal]
        let login = [
            word("log-out-of-calls", "Logs out of the calling app.", .logOut),
            word("sign-in-to-calls", "Signs in to the calling app, which asks for it.", .signIn),
        ]
        vocabulary.userWords = login + callScreen + appButtons + focus
        vocabulary.chances = .calls
        vocabulary.servers = ServicesPlan.componentNames + CallServicesPlan.componentNames
        vocabulary.parameters = ParameterCatalog(joining: [.calls, .pushes])
        vocabulary.dataNeeds = [
            .app(CallAppPlan.self, of: ["call.*"]),
            DataNeed(of: ["call.sound.*"]) { plan in
                plan.voice == .real ? nil : "'voice: \(plan.voice.rawValue)' makes no sound"
            },
        ]
        vocabulary.phonelessMetrics = [
            "call.answer.time", "call.conduct.breaches", "call.push.needless",
        ]
        vocabulary.asSpecified = {
            let bundleId = CallAppPlan().configuration.bundleId
            $0[CallAppConfiguration.self] = .asSpecified(bundleId: bundleId)
        }
        vocabulary.start = FirstCall.scenario
        return vocabulary
    }()

    /// What the user does on the system's call screen, where no other app's calls are.
    private static let callScreen: [UserWord] = [
        onPhone("answer-call", "Answers the call that rings; another is held.", .call(.answer)),
        onPhone(
            "end-and-answer-call",
            "Answers the call that rings and ends the other.",
            .call(.endAndAnswer)
        ),
        onPhone("decline-call", "Declines the call that rings.", .call(.decline)),
        onPhone("end-call", "Ends the call that is going on.", .call(.hangUp)),
        onPhone("mute-call", "Mutes the call that is going on.", .call(.mute)),
        onPhone("unmute-call", "Unmutes it.", .call(.unmute)),
        onPhone("hold-call", "Puts the call that is going on on hold.", .call(.hold)),
        onPhone("unhold-call", "Takes a held call back.", .call(.unhold)),
    ]

    /// The same by the app's own buttons; the app is opened for it, and asks the system.
    private static let appButtons: [UserWord] = [
        word("answer-call-in-app", "Answers, in the app, its call that rings.", .choose(.answer)),
        word(
            "decline-call-in-app",
            "Declines, in the app, its call that rings.",
            .choose(.decline)
        ),
        word("end-call-in-app", "Ends, in the app, its call that is going on.", .choose(.hangUp)),
        word("mute-call-in-app", "Mutes, in the app, its call that is going on.", .choose(.mute)),
        word("unmute-call-in-app", "Unmutes it in the app.", .choose(.unmute)),
        word("hold-call-in-app", "Puts, in the app, its call on hold.", .choose(.hold)),
        word("unhold-call-in-app", "Takes, in the app, its held call back.", .choose(.unhold)),
    ]

    /// What the user does about Do Not Disturb, which only calls notice.
    private static let focus: [UserWord] = [
        onPhone("focus-on", "Turns Do Not Disturb on.", .focus(isOn: true)),
        onPhone("focus-off", "Turns Do Not Disturb off.", .focus(isOn: false)),
        inFocus(
            "allow-in-focus",
            "Lets the app's calls ring in spite of Do Not Disturb.",
            isAllowed: true
        ),
        inFocus(
            "silence-in-focus",
            "Lets Do Not Disturb silence the app's calls again.",
            isAllowed: false
        ),
    ]

    private static func word(_ word: String, _ summary: String, _ act: CallAppAct) -> UserWord {
        UserWord(word, summary, .inside(CallAppPlan.system)) { _ in act }
    }

    private static func onPhone(_ word: String, _ summary: String, _ act: PhoneAct) -> UserWord {
        UserWord(word, summary, .phone, needs: CallAppPlan.system) { _ in act }
    }

    private static func inFocus(
        _ word: String,
        _ summary: String,
        isAllowed: Bool
    ) -> UserWord {
        UserWord(word, summary, .appFromOutside, needs: CallAppPlan.system) {
            PhoneAct.allowInFocus($0, isAllowed: isAllowed)
        }
    }
}

extension [Chance] {
    /// What goes wrong around calls, and that somebody calls at all.
    static let calls: [Chance] = [
        Chance(
            "call",
            "The user calls their contact; without one nothing happens.",
            app: .system(CallAppPlan.system)
        ) { draw in
            guard let contact = draw.phone.settings(of: CallAppPlan.self)?.contact else { return }
            let app = AppPlan.component(CallAppPlan.system, on: draw.phone.name)
            draw.add(CallAppAct.dial(CallDial(contact)), to: app, at: draw.begin)
        },
        Chance(
            "focus",
            "The phone's user turns Do Not Disturb on, and off after 1 to 60 s.",
            app: .system(CallAppPlan.system)
        ) { draw in
            draw.end = draw.begin.advanced(by: draw.seconds(1...60))
            draw.add(PhoneAct.focus(isOn: true), to: draw.phone.name, at: draw.begin)
            draw.add(PhoneAct.focus(isOn: false), to: draw.phone.name, at: draw.end)
        },
        Chance(
            "decline",
            "The user declines whatever rings then.",
            app: .system(CallAppPlan.system)
        ) { draw in
            draw.add(PhoneAct.call(.decline), to: draw.phone.name, at: draw.begin)
        },
        Chance(
            "silent-push",
            "The push service says nothing to the provider for 5 to 60 s.",
            app: .system(CallAppPlan.system)
        ) { draw in
            let length = draw.seconds(5...60)
            draw.end = draw.begin.advanced(by: length)
            let silence = PushAct.service(.goSilent(for: length))
            draw.add(silence, to: CallServicesPlan.pushName, at: draw.begin)
        },
    ]
}
