import IncomingCalls
import KodamaBackend
import KodamaLanguage
import KodamaNetwork
import KodamaPhone

extension Verb {
    /// One user calls another.
    static let call = Verb(
        "call",
        "A user calls another.",
        .mapping(
            MappingShape(
                name: "call",
                noun: "'call'",
                summary: "A user calls another, in the app, which is opened for it.",
                fields: [
                    Field(
                        "from",
                        .reference(.phoneRunning(CallAppPlan.system)),
                        .refused,
                        "The phone that calls."
                    ),
                    Field("to", .name, .refused, "The user who is called."),
                    Field("video", .boolean, .means("false"), "Whether it is a video call."),
                ]
            )
        )
    ) { body, builder in
        let phone = builder.refer(body["from"], to: .phoneRunning(CallAppPlan.system))
        guard let phone, let user = builder.refer(body["to"], toUserOf: CallAppPlan.system)
        else { return nil }
        if builder.phone(named: phone)?.settings(of: CallAppPlan.self)?.user == user {
            builder.reportCallToSelf(user, at: body["to"])
            return nil
        }
        let dial = CallDial(user, hasVideo: body["video"]?.boolean ?? false)
        let app = AppPlan.component(CallAppPlan.system, on: phone)
        return Deed(TimedAct(CallAppAct.dial(dial), to: app))
    }

    /// Something befalls the push service.
    static let pushService = Verb(
        "push-service",
        "Something befalls the push service.",
        .mapping(
            MappingShape(
                name: "push_service",
                noun: "'push-service'",
                summary: "Something befalls the push service.",
                fields: [
                    Field("fault", fault, .refused, "What befalls it."),
                    Field(
                        "for",
                        .time,
                        .means("10s"),
                        "For how long it refuses or says nothing."
                    ),
                ]
            )
        )
    ) { body, _ in
        let lasting = body["for"]?.duration ?? .seconds(10)
        let fault: PushServiceFault? =
            switch body["fault"]?.text {
            case "silent": .goSilent(for: lasting)
            case "unavailable": .refuse(.serviceUnavailable, for: lasting)
            case "forbidden": .refuse(.expiredProviderToken, for: lasting)
            case "bad-token": .refuse(.badDeviceToken, for: lasting)
            case "too-many": .refuse(.tooManyRequests, for: lasting)
            case "closes": .closeConnections
            default: nil
            }
        return fault.map { Deed(TimedAct(PushAct.service($0), to: CallServicesPlan.pushName)) }
    }

    private static let fault = Shape.choice(
        [
            Choice(word: "silent", summary: "It says nothing to the provider."),
            Choice(word: "unavailable", summary: "It answers 503."),
            Choice(word: "forbidden", summary: "It answers 403: the provider's token is too old."),
            Choice(word: "bad-token", summary: "It answers 400: the device's token is none."),
            Choice(word: "too-many", summary: "It answers 429: too many pushes for one device."),
            Choice(word: "closes", summary: "It closes the provider's connections."),
        ],
        noun: "fault of the push service"
    )

    /// A payload that the app's server never makes.
    static let pushPayload = Verb(
        "push-payload",
        "A VoIP push comes with a payload that the app's server never makes.",
        .mapping(
            MappingShape(
                name: "push_payload",
                noun: "'push-payload'",
                summary: "A VoIP push with a payload of somebody's own.",
                fields: [
                    receiver("The phone that it is for."),
                    Field("payload", .sentence, .refused, "The payload: JSON, or what it is."),
                ]
            )
        )
    ) { body, builder in
        let phone = builder.refer(body["to"], to: .phoneRunning(CallAppPlan.system))
        guard let phone, let payload = body["payload"]?.text else { return nil }
        let act = PushAct.payload(phone: phone, payload)
        return Deed(TimedAct(act, to: CallServicesPlan.providerName))
    }

    /// A token that is replaced.
    static let pushToken = Verb(
        "push-token",
        "A phone's app gets another push token.",
        .mapping(
            MappingShape(
                name: "push_token",
                noun: "'push-token'",
                summary: "A phone's token is replaced, as after a restored backup.",
                fields: [
                    receiver("The phone."),
                    Field(
                        "gap",
                        .time,
                        """
                        How long the app has none: the system takes the old token back, which it \
                        tells the app if that runs, and asks for another only so much later. \
                        The push service takes pushes to the old one for up to an hour more. If \
                        the key is absent, the new token is there at once, and the app is told \
                        nothing else.
                        """
                    ),
                ]
            )
        )
    ) { body, builder in
        let phone = builder.refer(body["to"], to: .phoneRunning(CallAppPlan.system))
        guard let phone else { return nil }
        guard let gap = body["gap"]?.duration else {
            let act = PushAct.invalidateToken(phone: phone)
            return Deed(TimedAct(act, to: CallServicesPlan.pushName))
        }
        return Deed(
            TimedAct(PushAct.withdrawToken(phone: phone), to: CallServicesPlan.pushName),
            TimedAct(PhoneAct.withdrawPushToken(CallAppPlan.system, lasting: gap), to: phone)
        )
    }

    /// A message that is no VoIP push says that a call is over.
    static let endSignal = Verb(
        "end-signal",
        "A background notification says that the call placed last is over.",
        .mapping(
            MappingShape(
                name: "end_signal",
                noun: "'end-signal'",
                summary: """
                    A background notification says at a phone that the call placed last is over, \
                    rightly or not. It reaches an app that runs; any other never gets it.
                    """,
                fields: [
                    receiver("The phone that it reaches."),
                    Field("reason", endReason, .means("cancelled"), "What it says of the end."),
                ]
            )
        )
    ) { body, builder in
        let phone = builder.refer(body["to"], to: .phoneRunning(CallAppPlan.system))
        guard let phone else { return nil }
        let reason: CallEndReason =
            switch body["reason"]?.text {
            case "unanswered": .unanswered
            case "answered-elsewhere": .answeredElsewhere
            case "declined-elsewhere": .declinedElsewhere
            default: .cancelled
            }
        let act = PushAct.endSignal(phone: phone, reason)
        return Deed(TimedAct(act, to: CallServicesPlan.providerName))
    }

    private static let endReason = Shape.choice(
        [
            Choice(word: "cancelled", summary: "The caller has given up."),
            Choice(word: "unanswered", summary: "It rang too long."),
            Choice(word: "answered-elsewhere", summary: "Another phone has answered."),
            Choice(word: "declined-elsewhere", summary: "Another phone has declined."),
        ],
        noun: "reason of a call's end"
    )

    private static func receiver(_ summary: String) -> Field {
        Field("to", .reference(.phoneRunning(CallAppPlan.system)), .refused, summary)
    }
}

extension PlanBuilder {
    /// Reports that a user is to call themselves, which the app's server refuses.
    mutating func reportCallToSelf(_ user: String, at value: CheckedValue?) {
        guard let value else { return }
        report(
            "'\(user)' is the user who calls",
            code: "call-to-self",
            hint: "name another user",
            at: value
        )
    }
}
