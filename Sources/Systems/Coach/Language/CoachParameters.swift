import KodamaLanguage
import KodamaPhone
import KodamaSimulation
import SansIO
import WakeFlow

extension ParameterCatalog {
    /// Everything that can be tuned in the coach, its phone and its user.
    static let coach = ParameterCatalog(
        ladder + bedroom + nudges + habits + process + coachAllowances + billing + mirror + faults
    )
    .scoped(.app(CoachAppPlan.system))

    private static let ladder: [Parameter] = [
        .duration(
            "wake.ladder.spacing",
            \WakeConfiguration.spacing,
            .seconds(10)...(.seconds(600)),
            meaning: "The time between two sounds of a ladder.",
            source: "D-23"
        ),
        .integer(
            "wake.ladder.length",
            \WakeConfiguration.length,
            1...60,
            meaning: "How many sounds a ladder has.",
            source: "D-23"
        ),
        .integer(
            "wake.entries_max",
            \WakeConfiguration.entriesMax,
            1...60,
            meaning: "How many sounds of all wakes are armed together.",
            source: "D-23; Apple, UILocalNotification (64 pending)"
        ),
        .integer(
            "wake.days_ahead",
            \WakeConfiguration.daysAhead,
            1...7,
            meaning: "How many days ahead a repeating wake is armed.",
            source: "D-23"
        ),
        .duration(
            "wake.rearm_delay",
            \WakeConfiguration.rearmDelay,
            .seconds(1)...(.seconds(600)),
            meaning: "How long after a stop without a conversation the ladder begins again.",
            source: "D-23"
        ),
        .duration(
            "wake.guide_guard",
            \WakeConfiguration.guideGuard,
            .zero...(.seconds(600)),
            meaning: """
                How long after a line of the guide must have been answered the ladder begins again; \
                0s for never.
                """,
            source: "D-23"
        ),
        .duration(
            "wake.snooze_interval",
            \WakeConfiguration.snoozeInterval,
            .seconds(60)...(.seconds(1_800)),
            meaning: "How long a snooze lasts.",
            source: "Sundelin and others, J Sleep Res 2023"
        ),
        .integer(
            "wake.snoozes_max",
            \WakeConfiguration.snoozesMax,
            0...50,
            meaning: "How often a morning can be snoozed.",
            source: "Robbins and others, Sci Rep 2025"
        ),
    ]

    private static let bedroom: [Parameter] = [
        .choice(
            "sleeper.kind",
            \BedroomConfiguration.sleeper,
            meaning: "Who sleeps beside the phone; mixed is drawn for each phone.",
            source: "Robbins and others, Sci Rep 2025"
        ),
        .integer(
            "sleeper.noise",
            \BedroomConfiguration.noiseDecibels,
            0...90,
            meaning: "How loud the bedroom is, in dBA.",
            source: "Nober and others, NIST 1981"
        ),
        .percent(
            "sleeper.ringer",
            \BedroomConfiguration.ringerPercent,
            0...100,
            meaning: "Where the ringer's slider stands; no app can read it.",
            source: "Apple, developer forums, thread 813519"
        ),
        .share(
            "sleeper.stops_half_asleep",
            \BedroomConfiguration.stopsHalfAsleep,
            .zero...(.one),
            meaning:
                "How often an alarm is stopped half asleep, by all but the pessimistic sleeper.",
            source: "Apple, developer forums, thread 797158"
        ),
        .share(
            "sleeper.answers",
            \BedroomConfiguration.answers,
            .zero...(.one),
            meaning: "How often who has done with snoozing answers rather than rises alone.",
            source: "K-05"
        ),
        .share(
            "sleeper.gives_up",
            \BedroomConfiguration.givesUp,
            .zero...(.one),
            meaning: "How often a question makes the sleeper give up.",
            source: "K-05"
        ),
        .share(
            "sleeper.leaves",
            \BedroomConfiguration.leaves,
            .zero...(.one),
            meaning: """
                How often a question is left by a sleeper who gets up without a word; an assumption, as \
                no source counts it.
                """,
            source: "K-24"
        ),
        .share(
            "sleeper.barges_in",
            \BedroomConfiguration.bargesIn,
            .zero...(.one),
            meaning: "How often a line of the agent's is answered before its end, without 'sound'.",
            source: "K-09"
        ),
        .share(
            "sleeper.backchannels",
            \BedroomConfiguration.backchannels,
            .zero...(.one),
            meaning: "How often a backchannel is said into a line that is not.",
            source: "Knudsen and others, Front Psychol 2020"
        ),
        .share(
            "sleeper.taps_late",
            \BedroomConfiguration.tapsLate,
            .zero...(.one),
            meaning: """
                How often a user who was not woken taps the wake's notification two hours later, to talk; an \
                assumption, as no source counts it.
                """,
            source: "RS-13"
        ),
        .share(
            "sleeper.hangs_up",
            \BedroomConfiguration.hangsUp,
            .zero...(.one),
            meaning: "How often such a talk is ended by hanging up; else the phone is put down.",
            source: "AN-20"
        ),
        .share(
            "sleeper.step_share",
            \BedroomConfiguration.stepShare,
            .zero...(.one),
            meaning: "Which part of a step's time-out the sleeper takes for it, as a median.",
            source: "AN-02"
        ),
    ]

    private static let nudges: [Parameter] = [
        .choice(
            "nudge.persona",
            \BedroomConfiguration.nudged,
            meaning: "Who is nudged: a study's participant, an app's chooser, anybody, or worse.",
            source: "K-06; Jones and others 2019; Pielot and others, MobileHCI 2018"
        ),
        .duration(
            "nudge.instruction.median",
            \BedroomConfiguration.instruction.median,
            .seconds(1)...(.seconds(120)),
            meaning: "The median time that it takes to do what a nudge asks for.",
            source: "K-07"
        ),
        .duration(
            "nudge.gap",
            \NudgeConfiguration.gap,
            .seconds(1)...(.seconds(86_400)),
            meaning: "The least time between two nudges.",
            source: "D-25"
        ),
        .duration(
            "nudge.open_patience",
            \NudgeConfiguration.openPatience,
            .seconds(1)...(.seconds(86_400)),
            meaning: "How long an unopened nudge stays.",
            source: "Dingler and Pielot, MobileHCI 2015"
        ),
        .choice(
            "nudge.form",
            \NudgeConfiguration.form,
            meaning:
                "The form of an intervention that the agent leads; the phone's own voice has the short one.",
            source: "K-07"
        ),
        .duration(
            "nudge.short_max",
            \NudgeConfiguration.shortMax,
            .seconds(1)...(.seconds(300)),
            meaning: "The longest short form of an intervention.",
            source: "K-07"
        ),
    ]

    private static let habits: [Parameter] = [
        .choice(
            "habit.mix",
            \HabitConfiguration.mix,
            meaning:
                "Who begins the programme of weeks, by how long they keep the app; none for no programme.",
            source: "K-11; Bell and others, JMIR 2020; Baumel and others, JMIR 2019"
        ),
        .share(
            "habit.alone.first",
            \HabitConfiguration.aloneAtFirst,
            .zero...(.one),
            meaning: "How often the routine is run alone before it is a habit.",
            source: "K-11"
        ),
        .share(
            "habit.alone.full",
            \HabitConfiguration.aloneAtFull,
            .zero...(.one),
            meaning: "How often the routine is run alone once it is a habit.",
            source: "K-11"
        ),
        .integer(
            "habit.days_to_95",
            \HabitConfiguration.daysTo95,
            18...254,
            meaning: "After how many repetitions half the people have 95 % of their habit.",
            source: "Lally and others, Eur J Soc Psychol 2010"
        ),
        .share(
            "habit.prompted",
            \HabitConfiguration.prompted,
            .zero...(.one),
            meaning:
                "What a repetition that the app asked for adds, beside one that was run alone.",
            source: "Stawarz and others, CHI 2015"
        ),
        .share(
            "habit.calls",
            \HabitConfiguration.calls,
            .zero...(.one),
            meaning: "How often on a day whose nudges have faded the user calls for them.",
            source: "AN-07"
        ),
    ]

    private static let process: [Parameter] = [
        .choice(
            "coach.device",
            \BedroomConfiguration.device,
            meaning: "Which iPhone it is, by its battery.",
            source: "AN-19"
        ),
        .duration(
            "guide.silence_max",
            \OfflineGuideConfiguration.silenceMax,
            .milliseconds(100)...(.seconds(10)),
            meaning: """
                How long no packet of the agent's may come in while a line of its is awaited, before the \
                phone's own voice takes over.
                """,
            source: "AN-05"
        ),
        .duration(
            "coach.speech_start",
            \BedroomConfiguration.speechStart,
            .zero...(.seconds(30)),
            meaning: "How long the phone's own voice takes to its first sound.",
            source: "K-04, AN-05"
        ),
        .duration(
            "coach.agent_start.median",
            \BedroomConfiguration.agentStart.median,
            .zero...(.seconds(10)),
            meaning: "The median time from the order for a line to the agent's first sound.",
            source: "K-04; apresvous"
        ),
        .boolean(
            "coach.speaks_in_background",
            \BedroomConfiguration.speaksInBackground,
            meaning: "Whether the app may begin to speak in the background.",
            source: "gdelataillade/alarm, issue 596"
        ),
        .share(
            "coach.ends_overnight",
            \BedroomConfiguration.endsOvernight,
            .zero...(.one),
            meaning: "How often the system has ended the suspended process by the morning.",
            source: "K-04"
        ),
    ]

    private static let billing: [Parameter] = [
        .choice(
            "billing.subscriber",
            \BillingConfiguration.subscriber,
            meaning: "What becomes of the account's subscription at the end of its period.",
            source: "AN-13"
        ),
        .duration(
            "billing.expires",
            \BillingConfiguration.expires,
            .seconds(60)...(.seconds(365 * 86_400)),
            meaning: "When the period ends that runs at the start.",
            source: "AN-13"
        ),
        .duration(
            "billing.period",
            \BillingConfiguration.period,
            .seconds(7 * 86_400)...(.seconds(366 * 86_400)),
            meaning: "How long a period lasts.",
            source: "AN-13"
        ),
        .duration(
            "billing.grace",
            \BillingConfiguration.grace,
            .zero...(.seconds(28 * 86_400)),
            meaning: "The billing grace period, of the billing service and the app.",
            source: "D-27; Apple, App Store Connect (3, 16 or 28 days)"
        ),
        .duration(
            "billing.outage.begins",
            \BillingConfiguration.outageBegins,
            .zero...(.seconds(365 * 86_400)),
            meaning: "When the billing service goes down: it tells neither phones nor servers.",
            source: "D-27"
        ),
        .duration(
            "billing.outage.length",
            \BillingConfiguration.outageLength,
            .zero...(.seconds(365 * 86_400)),
            meaning: "How long it is down; 0s for never.",
            source: "D-27"
        ),
        .choice(
            "billing.policy",
            \BillingConfiguration.policy,
            meaning: """
                How the app computes access past a period's end: by what was signed and its grace, or as \
                specified, 3 days after its last fetch.
                """,
            source: "D-27; RevenueCat/docs, pull request 571"
        ),
    ]

    private static let mirror: [Parameter] = [
        .boolean(
            "mirror.on",
            \MirrorConfiguration.isOn,
            meaning: "Whether the records of an account are mirrored between its phones.",
            source: "AN-18, D-28"
        ),
        .duration(
            "mirror.delay.median",
            \MirrorConfiguration.delay.median,
            .zero...(.seconds(86_400)),
            meaning: "The median time from a change to when the system synchronises it.",
            source: "D-28; apple/sample-cloudkit-sync-engine, issue 18"
        ),
        .share(
            "mirror.waits_for_unlock",
            \MirrorConfiguration.waitsForUnlock,
            .zero...(.one),
            meaning: "How often that waits for the phone to be unlocked besides.",
            source: "D-28; apple/sample-cloudkit-sync-engine, issue 18"
        ),
        .share(
            "mirror.limited",
            \MirrorConfiguration.isLimited,
            .zero...Probability(partsPerMillion: 990_000),
            meaning: "How often the mirror refuses a request as one too many.",
            source: "Mindwtr, issue 948"
        ),
        .integer(
            "mirror.edits",
            \MirrorConfiguration.editsPerDay,
            0...1_000,
            meaning: "How often a day the user of a phone changes the profile or the routine.",
            source: "D-28"
        ),
        .duration(
            "mirror.edited_until",
            \MirrorConfiguration.editsUntil,
            .zero...(.seconds(365 * 86_400)),
            meaning: "Until when they do.",
            source: "D-28"
        ),
    ]

    private static let faults: [Parameter] = [
        fault(
            "late",
            \AlarmFaultRates.denseSeriesLate,
            "An alarm of a dense series is late.",
            "thread 825427"
        ),
        fault(
            "midnight",
            \AlarmFaultRates.firesAtMidnight,
            "It fires at 00:00 instead.",
            "thread 820388"
        ),
        fault(
            "silent",
            \AlarmFaultRates.alertsInSilence,
            "It says that it alerts, without sound or picture.",
            "thread 809398"
        ),
        fault(
            "sound_reset",
            \AlarmFaultRates.soundReset,
            "Its sound was reset to none.",
            "9to5Mac, 2026"
        ),
        fault(
            "error_tone",
            \AlarmFaultRates.errorTone,
            "An error tone in the place of the app's sound (iOS 26.0).",
            "thread 802620"
        ),
        fault(
            "unlocked_buzz",
            \AlarmFaultRates.unlockedOnlyBuzzes,
            "On an unlocked phone it only buzzes.",
            "thread 808260"
        ),
        fault(
            "collision",
            \AlarmFaultRates.collisionLosesOne,
            "Of two alarms of one instant one is lost.",
            "AlarmKit"
        ),
        fault(
            "call_ends_sound",
            \AlarmFaultRates.callEndsSound,
            "A call that comes while it rings ends its sound for good.",
            "volect, iOS 13"
        ),
        fault(
            "freezes",
            \AlarmFaultRates.freezes,
            "It is silent at first, with dead buttons.",
            "rakhim's blog"
        ),
        .boolean(
            "alarm.fault.bunches",
            \AlarmFaultRates.bunchesLateAlarms,
            meaning: "Whether a late alarm brings the others that are late, too.",
            source: "Apple, developer forums, thread 825427"
        ),
        .share(
            "notification.fault.critical_silent",
            \NotificationConfiguration.criticalIsSilentInSleepFocus,
            .zero...(.one),
            meaning: "How often a critical alert is silent in a Sleep Focus.",
            source: "homebridge-securitysystem, issue 473"
        ),
        .choice(
            "notification.limit_rule",
            \NotificationConfiguration.limitRule,
            meaning: "Which notifications stay where there are more than 64.",
            source: "Apple, UILocalNotification; Stack Overflow, question 43424044"
        ),
    ]

    private static func fault(
        _ name: String,
        _ path: any ConfigurationPath<AlarmFaultRates, Probability>,
        _ meaning: String,
        _ source: String
    ) -> Parameter {
        let isForumPost = source.hasPrefix("thread")
        return .share(
            "alarm.fault.\(name)",
            path,
            .zero...(.one),
            meaning: "How often: \(meaning)",
            source: isForumPost ? "Apple, developer forums, \(source)" : source
        )
    }
}
