import KodamaEvidence
import SansIO

/// Says what was armed, what sounded, and how far each morning came.
struct CoachNarrator: SystemNarrator {
    private var due: [ComponentIndex: Instant] = [:]
    private var heard: [ComponentIndex: Int64] = [:]
    private var answered: [ComponentIndex: Instant] = [:]

    init(_ directory: TraceDirectory) {}

    mutating func follow(_ record: TraceRecord, in narration: inout Narration) {
        guard record.kind.system == .coach else { return }
        let app = record.component
        var cause: Sentence.Cause?
        let text: String?
        switch record.kind {
        case MorningDue.kind:
            due[app] = record.instant
            text = Self.text(of: MorningDue(record))
        case WakeUnneeded.kind:
            text =
                "wake \(WakeUnneeded(record).wake) is due for a user whom an earlier one has roused"
        case RouteShown.kind:
            let route = RouteShown(record).route.value
            text =
                route.map { "the app says that it will wake its user by \($0.noun)" }
                ?? "the app says that nothing will wake its user"
        case EntryFired.kind:
            let fired = EntryFired(record)
            let late = fired.scheduled.duration(to: record.instant)
            let noun = fired.route.value?.noun ?? "a sound"
            text = "\(noun) fires, the \(Self.ordinal(fired.rung)) of its ladder\(Self.error(late))"
        case EntryLost.kind:
            let lost = EntryLost(record)
            text =
                "the \(Self.ordinal(lost.rung)) sound of the ladder does not come: "
                + (lost.loss.value?.reason ?? "for a reason unknown")
        case SoundHeard.kind:
            let level = SoundHeard(record).levelDecibels
            let before = heard.updateValue(level, forKey: app) ?? 0
            guard level > 0, before == 0 else { return }
            text = "it sounds at the sleeper's ear with \(level) dBA"
            cause = due[app].map { Sentence.Cause(at: $0, "the morning was due") }
        case SleeperActed.kind:
            let deed = SleeperActed(record).deed.value
            if deed == .answers { answered[app] = record.instant }
            text = deed.map { "the sleeper \($0.predicate)" }
            if deed == .rises || deed == .risesAlone || deed == .leaves {
                cause = due[app].map { Sentence.Cause(at: $0, "the morning was due") }
            }
        case LineBegan.kind:
            let line = LineBegan(record)
            let voice = line.isOffline.isSet ? "the phone's voice" : "the agent"
            let again = line.isRepetition.isSet ? " again" : ""
            text = "\(voice) says step \(line.step + 1) of the guide\(again)"
            cause = answered.removeValue(forKey: app).map { Sentence.Cause(at: $0, "the answer") }
        case AgentVoiceChanged.kind:
            let change = AgentVoiceChanged(record)
            text =
                change.isThere.isSet
                ? "the agent and the user hear each other"
                : "the agent's voice is gone\(change.isAwaited.isSet ? " in the middle of a line" : "")"
        case AudioPublished.kind:
            let audio = AudioPublished(record)
            text =
                "the microphone is published at \(audio.bitsPerSecond / 1_000) kbit/s, "
                + "sampled at \(audio.sampleRateHertz / 1_000) kHz"
        case MorningEnded.kind:
            text = MorningEnded(record).outcome.value.map { "the morning ends: \($0.clause)" }
        case PhonePowered.kind:
            text = PhonePowered(record).isOn.isSet ? "the phone is on again" : "the phone goes off"
        case GrantChanged.kind:
            let grant = GrantChanged(record)
            let verb = grant.isGranted.isSet ? "allows" : "refuses"
            text = grant.route.value.map { "the user \(verb) the app \($0.plural)" }
        case DistractionNoticed.kind: text = "the user is distracted, and the app nudges them"
        case NudgeCame.kind where !NudgeCame(record).isShown.isSet:
            text = "the nudge stays in the list, unseen"
        case NudgeActed.kind:
            text = NudgeActed(record).deed.value.map { "the user \($0.predicate)" }
        case InstructionDone.kind: text = "the user does what the nudge asks for"
        case InterventionBegan.kind:
            let began = InterventionBegan(record)
            let whose = began.number == 0 ? "the user's call" : "the nudge"
            text =
                "the first word after \(whose) is \(began.isOnline.isSet ? "the agent's" : "the phone's")"
        case InterventionEnded.kind: text = "the intervention ends, and its user is to go back"
        case OnboardingShown.kind:
            let step = OnboardingShown(record).step
            text = step == 8 ? "the onboarding is over" : "step \(step) of the onboarding is shown"
        case PhraseSounded.kind:
            text = PhraseSounded(record).output.value.map { "a phrase sounds \($0.place)" }
        case HabitDay.kind: text = Self.text(of: HabitDay(record))
        case TalkLeft.kind:
            text =
                TalkLeft(record).hangsUp.isSet
                ? "the user hangs up" : "the user puts the phone down without hanging up"
        case LimitMet.kind:
            text = LimitMet(record).use.value.map {
                "the server refuses \($0.noun): the limit is reached"
            }
        case LimitsShown.kind:
            text =
                LimitsShown(record).kinds == 0
                ? "the app shows no limit any more" : "the app shows that a limit is reached"
        case PhraseCalled.kind: text = "the user says the call phrase"
        default: text = nil
        }
        if let text { narration.say(text, of: app, at: record.instant, after: cause) }
    }

    private static func text(of due: MorningDue) -> String {
        guard due.isPhoneOn.isSet else {
            return "morning \(due.morning) is due, and the phone is off"
        }
        return switch due.armed {
        case 0: "morning \(due.morning) is due, and nothing is armed for it"
        case 1: "morning \(due.morning) is due, with 1 sound armed"
        default: "morning \(due.morning) is due, with \(due.armed) sounds armed"
        }
    }

    private static func text(of day: HabitDay) -> String {
        guard day.uses.isSet else {
            return "day \(day.day) goes by without the app, which was left"
        }
        let way = day.isAlone.isSet ? "was run alone" : "was not run alone"
        return "day \(day.day) \(way), and the app counts a streak of \(day.streak)"
    }

    private static func ordinal(_ rung: Int64) -> String {
        let number = rung + 1
        switch (number % 10, number % 100) {
        case (1, let rest) where rest != 11: return "\(number)st"
        case (2, let rest) where rest != 12: return "\(number)nd"
        case (3, let rest) where rest != 13: return "\(number)rd"
        default: return "\(number)th"
        }
    }

    /// How far it is from its time, where that is more than a second.
    private static func error(_ late: Duration) -> String {
        let distance = max(late, .zero - late)
        guard distance > .seconds(1) else { return "" }
        let length = MetricUnit.nanoseconds.text(distance.wholeNanoseconds)
        return ", \(length) too \(late > .zero ? "late" : "early")"
    }
}

extension LimitedUse {
    fileprivate var noun: String {
        switch self {
        case .voiceClones: "another recording for a clone"
        case .reflections: "another reflection"
        case .metrics: "another event"
        case .wakeLinks: "another link to wake audio"
        }
    }
}

extension WakeRoute {
    fileprivate var noun: String {
        switch self {
        case .systemAlarm: "a system alarm"
        case .criticalAlert: "a critical alert"
        case .timeSensitive: "a time-sensitive notification"
        }
    }

    fileprivate var plural: String {
        switch self {
        case .systemAlarm: "system alarms"
        case .criticalAlert: "critical alerts"
        case .timeSensitive: "notifications"
        }
    }
}

extension EntryLoss {
    fileprivate var reason: String {
        switch self {
        case .appProtected: "the app is hidden or locked"
        case .notAuthorized: "the app is not allowed it any more"
        case .dismissedUnrung: "the system dismissed it unrung"
        case .lostCollision: "another alarm of the same instant won"
        case .simulatorLocked: "it is Apple's simulator, and locked"
        case .phoneOff: "the phone was off"
        case .overLimit: "more than 64 were pending"
        case .focus: "a Focus keeps it in the list, without a sound"
        case .summary: "it waits for the scheduled summary"
        }
    }
}

extension SleeperDeed {
    fileprivate var predicate: String {
        switch self {
        case .notices: "notices it"
        case .stopsHalfAsleep: "stops it half asleep, and will not remember it"
        case .snoozes: "snoozes"
        case .answers: "answers, to talk"
        case .risesAlone: "stops it and rises without the app"
        case .givesUp: "gives up and sleeps on"
        case .rises: "rises"
        case .silences: "is up, and silences what sounds again"
        case .goesToBed: "looks at the app and goes to bed"
        case .leaves: "gets up without another word to the guide"
        }
    }
}

extension NudgeDeed {
    fileprivate var predicate: String {
        switch self {
        case .misses: "misses the nudge"
        case .ignores: "lets the nudge be"
        case .taps: "taps the nudge"
        case .breaksOff: "breaks the intervention off"
        case .tapsBreadcrumb: "goes back by the breadcrumb"
        case .reopens: "opens the app again that they came from"
        case .staysAway: "doesn't go back"
        case .takesCall: "takes a call in the middle of the intervention"
        }
    }
}

extension PhraseOutput {
    fileprivate var place: String {
        switch self {
        case .worn: "in the user's ears"
        case .beside: "in headphones that nobody wears"
        case .aloud: "aloud"
        }
    }
}

extension ShownOutcome {
    fileprivate var clause: String {
        switch self {
        case .done: "the last word of the guide was said"
        case .notDone: "the guide came to nothing"
        case .gaveUp: "the user gave up"
        case .cutOff: "a call took the audio"
        case .missed: "nothing was answered"
        case .ranAlone: "the user had run the routine before it was due"
        }
    }
}
