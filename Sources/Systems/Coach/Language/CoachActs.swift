import KodamaLanguage
import KodamaPhone
import SansIO

/// What is done to the coach, its phone or the bedroom.
enum CoachAct: SystemAct {
    /// The phone is off for so long, and locked until it is opened after that.
    case restart(off: Duration)
    /// The system ends the app's process: for memory, or to update the app.
    case endProcess
    /// The user changes a permission in Settings.
    case grant(CoachPermission, isGranted: Bool)
    /// The user hides the app or locks it with Face ID, or does not any more.
    case protect(Bool)
    /// The ringer's slider is moved.
    case ringer(percent: Int)
    /// The mute switch is turned.
    case mute(Bool)
    /// The room is so loud from now on, in dBA.
    case noise(decibels: Int)
    /// The phone sees a face that looks at it, or does not any more.
    case face(isSeen: Bool)
    /// A headset is connected, in the ears or not, or is taken away.
    case headset(isConnected: Bool, isWorn: Bool)
    /// Sound goes to a car by Bluetooth, whose loudspeakers others hear.
    case car
    /// The user is distracted, and the phone notices.
    case distract
    /// The user wants a clone of their voice, or has it deleted.
    case voice(isWanted: Bool)
    /// The user signs in again, or another one does in the same app.
    case signIn(asGuest: Bool)
    /// The user signs out.
    case signOut
    /// The user is in another zone: local time is this many seconds later than at the start.
    case zone(secondsLater: Int64)
    /// The battery has so much charge, or the phone begins or ends to be charged.
    case battery(percent: Int)
    case charge(Bool)
    /// Low Power Mode is switched.
    case lowPower(Bool)
    /// Low Data Mode is switched for the network in use.
    case lowData(Bool)
}

/// What a user can allow a coach or refuse it.
enum CoachPermission: String, Sendable, CaseIterable {
    case alarms, notifications, critical
}

extension [Chance] {
    /// That a user is distracted.
    static let coach: [Chance] = [
        Chance(
            "distraction",
            "The user is distracted by another app, and the phone notices.",
            app: .system(CoachAppPlan.system)
        ) { draw in
            let app = AppPlan.component(CoachAppPlan.system, on: draw.phone.name)
            draw.add(CoachAct.distract, to: app, at: draw.begin)
        }
    ]
}

extension Verb {
    /// A phone is switched off and on again.
    static let restart = Verb(
        "restart",
        "A phone with the coach goes off and comes on again; it is locked then.",
        of: [
            phone("of"),
            Field("off", .span, .means("40s"), "How long it is off."),
        ]
    ) { body, builder in
        deed(body, &builder) { body["off"]?.duration.map { .restart(off: $0) } }
    }

    /// The system ends the coach's process.
    static let endProcess = Verb(
        "end-process",
        "The system ends the coach's process, for memory or to update the app; nobody launches it.",
        of: [phone("of")]
    ) { body, builder in
        deed(body, &builder) { .endProcess }
    }

    /// A user is distracted.
    static let distract = Verb(
        "distract",
        "The user of a coach is distracted by another app, and the phone notices.",
        of: [phone("of")]
    ) { body, builder in
        deed(body, &builder) { .distract }
    }

    /// A user has their voice cloned.
    static let cloneVoice = Verb(
        "clone-voice",
        """
        The user of a coach with an account consents to a clone of their voice and speaks into the app, which \
        they leave open for five minutes.
        """,
        of: [phone("of")]
    ) { body, builder in
        deed(body, &builder) { .voice(isWanted: true) }
    }

    /// A user has the clone deleted.
    static let deleteVoice = Verb(
        "delete-voice",
        "The user of a coach with an account has the clone of their voice deleted.",
        of: [phone("of")]
    ) { body, builder in
        deed(body, &builder) { .voice(isWanted: false) }
    }

    /// A user changes a permission in Settings.
    static let permit = Verb(
        "permit",
        "The user of a coach changes a permission in Settings.",
        of: [
            phone("of"),
            Field("what", .choice(permissions, noun: "permission"), .refused, "The permission."),
            Field("granted", .boolean, .refused, "Whether it is granted from then on."),
        ]
    ) { body, builder in
        deed(body, &builder) {
            guard let what = body["what"]?.text.flatMap(CoachPermission.init),
                let isGranted = body["granted"]?.boolean
            else { return nil }
            return .grant(what, isGranted: isGranted)
        }
    }

    /// Something changes in a bedroom.
    static let bedroom = Verb(
        "bedroom",
        "Something changes about the phone on the night table, or in the room.",
        .mapping(
            MappingShape(
                name: "bedroom",
                noun: "'bedroom'",
                summary: "One thing changes about the phone on the night table, or in the room.",
                fields: [
                    phone("of"),
                    Field(
                        "ringer",
                        .quantity(.share, 0...1_000_000, step: 10_000),
                        "Where the ringer's slider stands."
                    ),
                    Field("muted", .boolean, "Whether the mute switch is on."),
                    Field("noise", .integer(0...90, step: 1), "How loud the room is, in dBA."),
                    Field("face", .boolean, "Whether the phone sees a face that looks at it."),
                    Field("hidden", .boolean, "Whether the app is hidden or locked by Face ID."),
                    Field("headset", .choice(headsets, noun: "headset"), "Where a headset is."),
                    Field(
                        "zone",
                        .quantity(.duration, -zoneMax...zoneMax, step: 1_000_000_000),
                        "How much later local time is than at the start; negative for earlier."
                    ),
                    Field(
                        "battery",
                        .quantity(.share, 0...1_000_000, step: 10_000),
                        "The battery's charge, which stays so; it is full at first."
                    ),
                    Field("charging", .boolean, "Whether the phone is charged."),
                    Field("low_power", .boolean, "Whether Low Power Mode is on."),
                    Field("low_data", .boolean, "Whether Low Data Mode is on."),
                ],
                exactlyOne: [
                    "ringer", "muted", "noise", "face", "hidden", "headset", "zone", "battery",
                    "charging", "low_power", "low_data",
                ]
            )
        )
    ) { body, builder in
        deed(body, &builder) { change(body) }
    }

    private static func change(_ body: CheckedValue) -> CoachAct? {
        if let ringer = body["ringer"]?.number { return .ringer(percent: Int(ringer / 10_000)) }
        if let isOn = body["muted"]?.boolean { return .mute(isOn) }
        if let noise = body["noise"]?.number { return .noise(decibels: Int(noise)) }
        if let isSeen = body["face"]?.boolean { return .face(isSeen: isSeen) }
        if let isHidden = body["hidden"]?.boolean { return .protect(isHidden) }
        if let zone = body["zone"]?.duration {
            return .zone(secondsLater: zone.wholeNanoseconds / 1_000_000_000)
        }
        if let battery = body["battery"]?.number {
            return .battery(percent: Int(battery / 10_000))
        }
        if let isOn = body["charging"]?.boolean { return .charge(isOn) }
        if let isOn = body["low_power"]?.boolean { return .lowPower(isOn) }
        if let isOn = body["low_data"]?.boolean { return .lowData(isOn) }
        switch body["headset"]?.text {
        case "worn": return .headset(isConnected: true, isWorn: true)
        case "beside": return .headset(isConnected: true, isWorn: false)
        case "car": return .car
        case "none": return .headset(isConnected: false, isWorn: false)
        default: return nil
        }
    }

    /// East of GMT by 14 h at most (IANA time zone database).
    private static let zoneMax: Int64 = 14 * 3_600 * 1_000_000_000

    private static let permissions = [
        Choice(word: "alarms", summary: "System alarms."),
        Choice(word: "notifications", summary: "Notifications with sound."),
        Choice(
            word: "critical",
            summary: "Critical alerts, where Apple has given the entitlement."
        ),
    ]

    private static let headsets = [
        Choice(word: "worn", summary: "In the ears."),
        Choice(word: "beside", summary: "Connected, beside the pillow."),
        Choice(word: "none", summary: "Not connected."),
        Choice(word: "car", summary: "A car's loudspeakers in its place, by Bluetooth."),
    ]

    private static func phone(_ key: String) -> Field {
        Field(key, .reference(.phoneRunning(CoachAppPlan.system)), .refused, "The phone.")
    }

    private static func deed(
        _ body: CheckedValue,
        _ builder: inout PlanBuilder,
        _ act: () -> CoachAct?
    ) -> Deed? {
        let phone = builder.refer(body["of"], to: .phoneRunning(CoachAppPlan.system))
        guard let phone, let act = act() else { return nil }
        return Deed(TimedAct(act, to: AppPlan.component(CoachAppPlan.system, on: phone)))
    }
}
