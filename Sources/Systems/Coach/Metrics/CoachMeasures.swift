import KodamaEvidence

/// The metrics of the coach's mornings, each declared once.
struct CoachMeasures {
    var armed = Measure.share(
        "wake.chain.armed",
        """
        Of the mornings whose phone was on when they were due and that the run saw for 30 min: \
        those for which the system had a sound.
        """,
        "K-23, D-23",
        better: .higher,
        excluding: ["an earlier wake had roused its user", "its phone was off"]
    )
    var rang = Measure.share(
        "wake.chain.rang",
        "Of these: those on which something sounded at the sleeper's ear within 30 min.",
        "K-23, D-23",
        better: .higher,
        occasions: .atOnce
    )
    var noticed = Measure.share(
        "wake.chain.noticed",
        "Of these: those on which the sleeper noticed it within 30 min.",
        "K-23",
        better: .higher,
        occasions: .atOnce
    )
    var answered = Measure.share(
        "wake.chain.answered",
        """
        Of these: those on which the sleeper stopped the alarm or tapped the notification to \
        talk, within 30 min.
        """,
        "K-23",
        better: .higher,
        occasions: .atOnce
    )
    var talked = Measure.share(
        "wake.chain.talked",
        "Of these: those on which the guide's first word was heard within 30 min.",
        "K-23, AN-02",
        better: .higher,
        occasions: .atOnce
    )
    var finished = Measure.share(
        "wake.chain.finished",
        "Of these: those on which the guide's last word was said within 30 min.",
        "K-23, AN-02",
        better: .higher,
        occasions: .atOnce
    )
    var up = Measure.share(
        "wake.chain.up",
        "Of these: those on which the sleeper was out of bed within 30 min.",
        "K-23, D-17",
        better: .higher,
        occasions: .atOnce
    )
    var success = Measure.share(
        "wake.success.rate",
        """
        Of the mornings whose phone was on when they were due and that the run saw for 30 min: \
        those that ended out of bed within 30 min by way of the conversation. The product of \
        wake.chain.*, and the truth: an alarm that never rang counts as lost.
        """,
        "K-05, K-23, D-17, D-26",
        better: .higher,
        excluding: ["an earlier wake had roused its user", "its phone was off"]
    )
    var appRate = Measure.share(
        "wake.success.app_rate",
        """
        Of the same mornings, those of which the app's own analytics know that they were \
        triggered: those whose wake it has as done. What a product's dashboard shows.
        """,
        "D-26, AN-09",
        better: .higher,
        excluding: [
            "an earlier wake had roused its user",
            "its phone was off",
            "the app's analytics have nothing of it",
        ]
    )
    var unseen = Measure.share(
        "wake.success.unseen",
        """
        Of the same mornings: those of which the app's analytics have nothing by the next \
        morning, or the end of the run. They make the gap between both rates.
        """,
        "D-26, AN-09",
        excluding: ["an earlier wake had roused its user", "its phone was off"]
    )
    var upAnyhow = Measure.share(
        "wake.up.rate",
        """
        Of the same mornings: those on which the sleeper was out of bed within 30 min, with the \
        app or without.
        """,
        "K-05",
        better: .higher,
        excluding: ["an earlier wake had roused its user", "its phone was off"]
    )
    var falseGreen = Measure.share(
        "wake.false_green",
        """
        Of the same mornings before which the app's last word to its user was that it would wake \
        them: those on which nothing sounded at the sleeper's ear within 30 min.
        """,
        "D-23, K-24",
        excluding: ["an earlier wake had roused its user", "its phone was off"]
    )
    var late = Measure.time(
        "wake.rang.late.time",
        """
        Of the same mornings: from when they were due to the first sound at the sleeper's ear. \
        A morning without a sound is open at 30 min.
        """,
        "K-24",
        excluding: ["an earlier wake had roused its user", "its phone was off"]
    )
    var error = Measure.time(
        "wake.notification.error",
        "For each sound that fired: how far that was from when it was armed for, early or late.",
        "K-03",
        occasions: .atOnce
    )
    var tapToTalk = Measure.time(
        "wake.tap_to_talk.time",
        """
        From the sleeper's answer to the first word of the guide; where that did not come, it is open \
        at their next answer, or 30 min after the morning was due.
        """,
        "K-04"
    )
    var agentTalks = Measure.share(
        "wake.talk.agent",
        "Of the mornings on which a first word was heard: those on which the agent said it.",
        "K-04, AN-05",
        better: .higher,
        occasions: .atOnce
    )
    var savedByLadder = Measure.share(
        "wake.saved.ladder",
        """
        Of the mornings that wake.success.rate counts as good: those whose first sound at the ear \
        came more than a second late, since an earlier one was late, silent or lost.
        """,
        "K-24, D-23",
        occasions: .atOnce
    )
    var savedByRearming = Measure.share(
        "wake.saved.rearmed",
        "Of the same: those on which the sleeper answered more than once, as the first guide led to nothing.",
        "D-23",
        occasions: .atOnce
    )
    var savedOffline = Measure.share(
        "wake.saved.offline",
        "Of the same: those on which the phone's own voice said a line.",
        "AN-05",
        occasions: .atOnce
    )
    var takeover = Measure.time(
        "guide.takeover.time",
        """
        From when the agent's voice was gone while a line was to be heard to the first word of the \
        phone's own; a conversation that is over before, or an agent that is back, gives no sample.
        """,
        "AN-05",
        excluding: ["the process ended", "the conversation was over", "the agent was back"]
    )
    var needless = Measure.share(
        "guide.takeover.needless",
        "Of the lines that began while the agent's voice came through: those that the phone's own voice said.",
        "AN-05",
        occasions: .atOnce
    )
    var concealed = Measure.share(
        "guide.frames.concealed",
        "Of the frames of the agent's lines that were due at the ear as sound: those that had not come by then.",
        "K-04, RS-14",
        occasions: .atOnce
    )
    var recognised = Measure.share(
        "guide.words.recognised",
        "Of the answers that were said to the agent as sound: those that its recogniser took for what was said.",
        "AN-02, RS-14",
        better: .higher,
        occasions: .atOnce
    )
    var lostWords = Measure.share(
        "guide.words.lost",
        """
        Of the frames of the answers that were said to the agent as sound: those that had not come when its \
        recogniser listened.
        """,
        "AN-12",
        occasions: .atOnce
    )
    var idleMicrophone = Measure.time(
        "coach.microphone.idle.time",
        """
        From the end of a conversation, or from when it opened without one, until the microphone \
        was closed.
        """,
        "AN-20"
    )
    var sounds = Measure.number(
        "wake.sounds",
        "How many sounds began at the sleeper's ear, from one due morning to the next.",
        "K-24"
    )
    var soundsAfterUp = Measure.number(
        "wake.sounds.after_up",
        "How many of them began when the sleeper was out of bed: what a ladder costs.",
        "K-24"
    )
    var untimely = Measure.count(
        "wake.sounds.untimely",
        """
        How many sounds began at the ear of a sleeper between bedtime and the next due wake, of all that \
        began: they wake for nothing.
        """,
        "K-03, D-23",
        occasions: .atOnce
    )
    var soundsInGuide = Measure.count(
        "wake.sounds.in_guide",
        """
        How many sounds began at the sleeper's ear between a line of the guide and the end of its \
        conversation; of all that began.
        """,
        "D-23",
        occasions: .atOnce
    )
    var lost = Measure.count(
        "wake.entries.lost",
        "Armed sounds that did not come, of all that were due; nothing on the phone tells of them.",
        "D-23",
        occasions: .atOnce
    )
    var ownSound = Measure.share(
        "wake.sound.preloaded",
        "Of the sounds that fired: those in the user's own voice, which the preload had fetched.",
        "AN-01, AN-17",
        better: .higher,
        occasions: .atOnce
    )
    var missingSound = Measure.share(
        "wake.sound.missing",
        "Of the same: those whose file was gone, so that the system played its own without a word.",
        "AN-01",
        occasions: .atOnce
    )
    var preload = Measure.share(
        "wake.preload.rate",
        "Of the preload's fetches of the next morning's audio: those that brought it.",
        "AN-01",
        better: .higher,
        occasions: .atOnce
    )
    var phoneOff = Measure.count(
        "wake.mornings.phone_off",
        "Mornings that no other metric counts, since their phone was off when they were due.",
        "K-24",
        occasions: .atOnce
    )
    var unended = Measure.count(
        "wake.mornings.unended",
        "Mornings that no other metric counts, since the run ended less than 30 min after they were due.",
        "HN-01",
        occasions: .atOnce
    )

    /// The links of the chain, in order.
    static var links: [WritableKeyPath<CoachMeasures, Measure<Proportion>>] {
        [\.armed, \.rang, \.noticed, \.answered, \.talked, \.finished, \.up]
    }

    /// Whether the links, exactly, multiply to the true rate of success.
    var linksMultiply: Bool {
        let found = Self.links.map { self[keyPath: $0].found }
        return zip(found, found.dropFirst()).allSatisfy { $0.numerator == $1.denominator }
            && found.first?.denominator == success.found.denominator
            && found.last?.numerator == success.found.numerator
    }

    /// The shares of mornings that the run's end cuts off, and that a phone that is off leaves out.
    private static var mornings: [WritableKeyPath<CoachMeasures, Measure<Proportion>>] {
        [\.armed, \.success, \.appRate, \.unseen, \.upAnyhow, \.falseGreen]
    }

    /// A morning gives no sample, for a reason that has nothing to do with how it went.
    mutating func excludeMorning(_ reason: String, _ place: Occurrence) {
        for share in Self.mornings { self[keyPath: share].exclude(reason, at: place) }
        late.exclude(reason, at: place)
    }

    /// A morning whose half hour the run's end cuts off.
    mutating func censorMorning(_ place: Occurrence) {
        for share in Self.mornings { self[keyPath: share].censor(0, of: 1, at: place) }
    }

    /// The metrics, in the order in which reports list them.
    var all: [any AnyMeasure] {
        [
            armed, rang, noticed, answered, talked, finished, up, success, appRate, unseen,
            upAnyhow, falseGreen, late, error, tapToTalk, agentTalks, savedByLadder,
            savedByRearming, savedOffline, takeover, needless, concealed, recognised,
            lostWords, idleMicrophone, sounds, soundsAfterUp, untimely, soundsInGuide, lost,
            ownSound,
            missingSound, preload, phoneOff, unended,
        ]
    }
}
