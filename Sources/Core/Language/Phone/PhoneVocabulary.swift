import KodamaEvidence
import KodamaNetwork
import KodamaPhone

extension Vocabulary {
    /// The phone: its radios, what it grants its apps, its clock, and what its user does to it.
    static let phone: Vocabulary = {
        var vocabulary = Vocabulary(of: "phone")
        vocabulary.verbs = [
            .outage, .block, .handover, .radio, .condition, .setClock, .user,
        ]
        vocabulary.userWords = userWords
        vocabulary.chances = .phone
        vocabulary.parameters = .phones
        vocabulary.dataNeeds = [
            DataNeed(of: ["phone.music.*"]) { plan in
                plan.holds(.music(isOn: true)) ? nil : "nobody plays music"
            },
            DataNeed(of: ["phone.headset.*"]) { plan in
                plan.holds(.headset(isAttached: true)) || plan.holds(.bluetooth(isAttached: true))
                    ? nil : "nobody connects a headset"
            },
        ]
        return vocabulary
    }()

    private static let userWords: [UserWord] = [
        outside("open-app", "Opens the app, or comes back to it.") { .openApp($0) },
        outside("kill-app", "Throws the app out of the app switcher.") { .killApp($0) },
        outside("tap-notification", "Taps a notification of the app.") { .tapNotification($0) },
        outside("allow-microphone", "Allows the app the microphone in Settings.") {
            .setMicrophone($0, isGranted: true)
        },
        outside("refuse-microphone", "Refuses the app the microphone in Settings.") {
            .setMicrophone($0, isGranted: false)
        },
        phone("leave-app", "Leaves the app in front for the home screen.", .leaveApp),
        phone("open-control-centre", "Pulls Control Centre over the app.", .openControlCentre),
        phone("close-control-centre", "Puts Control Centre away.", .closeControlCentre),
        phone("phone-call-begins", "Is called by phone.", .phoneCallBegins),
        phone("phone-call-ends", "Ends the phone call.", .phoneCallEnds),
        phone(
            "phone-call-hung-up",
            "Is hung up on in the phone call; what it had put on hold stays there.",
            .phoneCallHungUp
        ),
        phone("phone-call-rings", "Is called by phone.", .phoneCallRings(isOn: true)),
        phone("decline-phone-call", "Declines that call.", .phoneCallRings(isOn: false)),
        phone("alarm-rings", "Hears an alarm of the system's own.", .alarmRings(isOn: true)),
        phone("stop-alarm", "Stops it.", .alarmRings(isOn: false)),
        phone("lock", "Locks the phone.", .lock),
        phone("play-music", "Starts music in another app.", .music(isOn: true)),
        phone("stop-music", "Stops the music.", .music(isOn: false)),
        phone("plug-headset", "Plugs a headset in.", .headset(isAttached: true)),
        phone("unplug-headset", "Unplugs it.", .headset(isAttached: false)),
        phone(
            "connect-bluetooth",
            "Switches a Bluetooth headset on.",
            .bluetooth(isAttached: true)
        ),
        phone("disconnect-bluetooth", "Switches it off.", .bluetooth(isAttached: false)),
        phone("unlock", "Unlocks the phone for the first time since its restart.", .unlock),
    ]

    private static func outside(
        _ word: String,
        _ summary: String,
        act: @escaping @Sendable (String) -> PhoneAct
    ) -> UserWord {
        UserWord(word, summary, .appFromOutside) { act($0) }
    }

    private static func phone(_ word: String, _ summary: String, _ act: PhoneAct) -> UserWord {
        UserWord(word, summary, .phone) { _ in act }
    }
}

extension WorldPlan {
    /// Whether the timeline orders an act of a phone.
    fileprivate func holds(_ act: PhoneAct) -> Bool {
        timeline.contains { $0.act as? PhoneAct == act }
    }
}
