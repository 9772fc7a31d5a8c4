import AppCoordination
import KodamaEvidence
import KodamaLanguage
import KodamaPhone
import KodamaSession
import RealtimeVoice
import SansIO
import WakeFlow

extension Vocabulary {
    /// The coach, its phone on the night table and the person who sleeps beside it.
    static let coach: Vocabulary = {
        var vocabulary = Vocabulary(of: CoachAppPlan.system)
        vocabulary.app = AppShape(
            of: CoachAppPlan.system,
            "A coach that wakes its user and guides them out of bed.",
            fields: fields,
            read: { body, tuning, builder in read(body, tuning, &builder) }
        )
        vocabulary.app?.voices = [.sized, .reachability, .real]
        vocabulary.verbs = [
            .restart, .endProcess, .permit, .bedroom, .distract, .cloneVoice, .deleteVoice,
        ]
        vocabulary.userWords = logins
        vocabulary.chances = .coach
        vocabulary.parameters = .coach
        vocabulary.servers = ServicesPlan.componentNames
        vocabulary.dataNeeds = [
            .app(
                CoachAppPlan.self,
                of: [
                    "wake.*", "guide.*", "nudge.*", "battery.*", "coach.*", "account.*",
                    "entitlement.*", "mirror.*", "clone.*", "habit.*",
                    "onboarding.*", "selftalk.*",
                ]
            )
        ]
        vocabulary.start = FirstMorning.scenario
        return vocabulary
    }()

    private static let logins: [UserWord] = [
        login("sign-in-to-coach", "Signs in to the coach.", .signIn(asGuest: false)),
        login(
            "sign-in-to-coach-as-guest",
            "Somebody else signs in to the coach on this phone, and has another store.",
            .signIn(asGuest: true)
        ),
        login("sign-out-of-coach", "Signs out of the coach.", .signOut),
    ]

    /// What only an app with an account heeds.
    private static func login(_ word: String, _ summary: String, _ act: CoachAct) -> UserWord {
        var login = UserWord(word, summary, .inside(CoachAppPlan.system)) { _ in act }
        login.unheeded = { settings in
            guard let app = settings as? CoachAppPlan, app.account == nil else { return nil }
            return UserWord.Unheeded(
                reason: "the coach has no account",
                hint: "write 'account: mika' in its settings, or leave the act out"
            )
        }
        return login
    }

    private static let fields = [
        Field(
            "wakes",
            .list(of: .timeOfDay, counts: 1...20),
            .refused,
            "When the user wants to be woken, each day; each is a morning that is measured, unless an earlier one has roused them."
        ),
        Field(
            "bedtime",
            .timeOfDay,
            .means("22:30:00"),
            "When the user goes to bed, after a look at the app; the phone is locked then."
        ),
        Field(
            "ios",
            .choice(versions, noun: "version of iOS"),
            .means("ios-26-1"),
            "The version of iOS; there are system alarms from 26 on."
        ),
        Field(
            "alarms",
            .choice(statuses, noun: "permission"),
            .means("granted"),
            "Whether the user allows system alarms."
        ),
        Field(
            "notifications",
            .choice(statuses, noun: "permission"),
            .means("granted"),
            "Whether the user allows notifications."
        ),
        Field(
            "critical",
            .boolean,
            .means("false"),
            "Whether Apple has granted critical alerts, which it refuses wake apps as a rule."
        ),
        Field(
            "answer",
            .choice(
                [
                    Choice(word: "granted", summary: "They allow it."),
                    Choice(word: "denied", summary: "They refuse it."),
                ],
                noun: "answer"
            ),
            .means("granted"),
            "What the user says to a permission that is undetermined."
        ),
        Field(
            "focus",
            .choice(focuses, noun: "Focus"),
            .means("none"),
            "The Focus that is on all night."
        ),
        Field("muted", .boolean, .means("false"), "Whether the mute switch is on."),
        Field(
            "account",
            .name,
            """
            Who is signed in: the app keeps what the user says each evening, and what analytics count, and \
            reports it to the app's own server. Left out, there is no account.
            """
        ),
        Field(
            "realtime",
            .boolean,
            .means("false"),
            """
            Whether the agent guides, in a room of the room server; else the phone's own voice does. With \
            'voice: sized' the agent's voice comes in frames, and losses and jitter can pass for a lost link.
            """
        ),
        sound,
        Field(
            "onboards",
            .boolean,
            .means("false"),
            "Whether the app was just installed, so that the seven steps of its onboarding come first; needs an account."
        ),
    ]

    private static let sound = Field(
        "sound",
        .boolean,
        .means("false"),
        """
        With 'voice: real', whether lines and answers are recorded speech: the agent's pass libopus and come \
        in frames, and a recogniser hears what comes of the user's.
        """
    )

    private static let versions = [
        Choice(word: "ios-18", summary: "iOS 18: no system alarms."),
        Choice(word: "ios-26-0", summary: "iOS 26.0: alarms have a stop button."),
        Choice(word: "ios-26-1", summary: "iOS 26.1: alarms are stopped by a slide."),
    ]

    private static let statuses = [
        Choice(word: "granted", summary: "The user allowed it."),
        Choice(word: "denied", summary: "The user refused it."),
        Choice(word: "undetermined", summary: "The user was never asked."),
    ]

    private static let focuses = [
        Choice(word: "none", summary: "None."),
        Choice(word: "sleep", summary: "Sleep; time-sensitive notifications pass."),
        Choice(word: "strict", summary: "Sleep; the user keeps time-sensitive ones out."),
    ]

    @Sendable
    private static func read(
        _ body: CheckedValue,
        _ tuning: Tuning,
        _ builder: inout PlanBuilder
    ) -> CoachAppPlan {
        var app = CoachAppPlan()
        app.wakes = body["wakes"]?.entries.compactMap(\.timeOfDay) ?? []
        app.bedtime = body["bedtime"]?.timeOfDay ?? app.bedtime
        switch body["ios"]?.text {
        case "ios-18": app.version = IOSVersion(18)
        case "ios-26-0": app.version = IOSVersion(26)
        default: app.version = IOSVersion(26, 1)
        }
        app.alarms = body["alarms"]?.text.flatMap(PermissionCondition.Status.init) ?? .granted
        app.notifications =
            body["notifications"]?.text.flatMap(PermissionCondition.Status.init) ?? .granted
        app.hasCritical = body["critical"]?.boolean ?? false
        app.grantsWhenAsked = body["answer"]?.text != "denied"
        switch body["focus"]?.text {
        case "sleep": app.focus = Focus(.sleep)
        case "strict": app.focus = Focus(.sleep, allowsTimeSensitive: false)
        default: app.focus = nil
        }
        app.isMuted = body["muted"]?.boolean ?? false
        app.isOnline = body["realtime"]?.boolean ?? false
        app.account = body["account"]?.text
        app.onboards = body["onboards"]?.boolean ?? false
        if let onboards = body["onboards"], app.onboards, app.account == nil {
            builder.report(
                "'onboards' does nothing: the steps are kept in the store of an account",
                code: "onboards-nobody",
                hint: "write 'account: mika' as well, or leave 'onboards' out",
                at: onboards
            )
        }
        app.hasSound = body["sound"]?.boolean ?? false
        app.bedroom = tuning[BedroomConfiguration.self]
        app.wake = tuning[WakeConfiguration.self]
        app.alarmFaults = tuning[AlarmFaultRates.self]
        app.guide = tuning[OfflineGuideConfiguration.self]
        app.nudge = tuning[NudgeConfiguration.self]
        app.center = tuning[NotificationConfiguration.self]
        app.allowances = tuning[AllowanceConfiguration.self]
        app.billing = tuning[BillingConfiguration.self]
        app.mirror = tuning[MirrorConfiguration.self]
        app.habit = tuning[HabitConfiguration.self]
        app.voice.audio = tuning[AudioAdaptation.self]
        return app
    }
}
