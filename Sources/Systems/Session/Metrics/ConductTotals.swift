import KodamaEvidence
import RealtimeVoice

/// What a phone's session did against its user, how long its status lagged behind the truth, and which
/// failures it named.
struct ConductTotals: Sendable {
    private var breaches = Measure.count(
        "conduct.breaches",
        """
        Stretches in which, after 1 s, the phone was heard although muted, either side was heard \
        in a phone call, the phone was heard or renderer or engine were on although a call or \
        another app had the audio, or microphone, renderer or engine were on although the user had \
        disconnected.
        """,
        "K-22",
        occasions: .atOnce
    )
    private var falselyLost = Measure.time(
        "session.false_lost.time",
        """
        Each stretch of a wanted conversation in which the path is whole, both sides are heard and the \
        app's last status is another than connected or reconnected.
        """,
        "K-01c, the other way"
    )
    private var falselyLostShare = Measure.share(
        "session.false_lost.share",
        "Share of these stretches in the time in which the conversation is wanted.",
        "K-01c, the other way",
        occasions: .atOnce
    )
    private var unsignalled = Measure.time(
        "session.signalling.unnoticed.time",
        """
        Each stretch of a wanted conversation that the app's last status promises by a room object that \
        says that it is connected and whose signalling reaches nobody.
        """,
        "RS-11; livekit/client-sdk-swift, Core/SignalClient.swift"
    )
    private var transportless = Measure.count(
        "session.transportless",
        """
        Times in which the app's last status promises a wanted conversation by a room object that says \
        that it is connected and has no transport.
        """,
        "RS-11; livekit/client-sdk-swift, Core/Room+Engine.swift",
        occasions: .atOnce
    )
    private var backgroundStay = Measure.time(
        "session.background.room.time",
        """
        For each time in the background in which the app has a room object that connects or is \
        connected, from before or joined there, or the phone is heard: for how long in all.
        """,
        "D-05, RS-07"
    )
    private var doubledRooms = Measure.share(
        "session.rooms.doubled",
        """
        Share of agents that join a conversation in which another one still is: whoever retries joins \
        the room that was lost.
        """,
        "D-18",
        occasions: .atOnce
    )
    private var shown = Self.failures.map { stage, name in
        Measure.count(
            "session.shown.\(name)",
            "How often the screen began to say: \(SessionStatus(stage).text)",
            "RS-08",
            occasions: .atOnce
        )
    }

    /// The stages that name a failure.
    private static let failures: [(SessionStage, String)] = [
        (.deviceIdentityFailed, "identity-failed"), (.signedOut, "signed-out"),
        (.microphoneRefused, "microphone-refused"), (.engineFailed, "engine-failed"),
        (.tokenFailed, "token-failed"), (.couldNotConnect, "could-not-connect"),
        (.takenOver, "taken-over"), (.audioTaken, "audio-taken"),
    ]

    var all: [any AnyMeasure] {
        [
            breaches, falselyLost, falselyLostShare, unsignalled, transportless, backgroundStay,
            doubledRooms,
        ]
            + shown as [any AnyMeasure]
    }

    mutating func add(_ reading: SessionReading) {
        for stretch in Conduct(reading).stretches {
            breaches.add(stretch.breach == nil ? 0 : 1, at: reading.occurrence(stretch.span))
        }
        let losses = reading.falseLosses
        for stretch in losses.all { falselyLost.add(stretch, endsWith: reading) }
        let wanted = reading.wishes.wanted.length
        if wanted > 0 {
            let longest = losses.all.max { $0.length < $1.length }
            let run = Span(start: 0, end: reading.end)
            falselyLostShare.add(
                losses.length,
                of: wanted,
                at: reading.occurrence(longest ?? run)
            )
        }
        for stretch in reading.unfounded(.signalling).all {
            unsignalled.add(stretch, endsWith: reading)
        }
        addTransportless(reading)
        for stay in BackgroundStays(reading).all {
            backgroundStay.add(
                stay.length,
                isOpen: stay.span.end >= reading.end,
                at: reading.occurrence(stay.span)
            )
        }
        addAgents(reading.entries)
        addShown(reading.entries)
    }

    /// Each promise is a chance to promise what the room object cannot keep.
    private mutating func addTransportless(_ reading: SessionReading) {
        let hollow = reading.unfounded(.transport)
        for promise in reading.promised.intersection(reading.wishes.wanted).all {
            let span = hollow.intersection(promise).all.first
            transportless.add(span == nil ? 0 : 1, at: reading.occurrence(span ?? promise))
        }
    }

    /// A conversation begins anew with the app, once it is over for the app, or its room was left.
    private mutating func addAgents(_ entries: [SessionStory.Entry]) {
        var present = 0
        for entry in entries {
            switch entry.kind {
            case AgentJoined.kind:
                doubledRooms.add(present == 0 ? 0 : 1, of: 1, at: Occurrence(entry.record))
                present += 1
            case AgentClosed.kind:
                present = max(0, present - 1)
            case AppLaunched.kind, AppTerminated.kind:
                present = 0
            case RoomLeft.kind where RoomLeft(entry.record).manner.value == .disconnect:
                present = 0
            case StatusShown.kind where Self.isOver(StatusShown(entry.record)):
                present = 0
            default:
                break
            }
        }
    }

    /// Whether the app goes on with no conversation: only the user begins another one.
    private static func isOver(_ status: StatusShown) -> Bool {
        switch status.stage.value {
        case .disconnected, .signedOut, .takenOver: true
        default: false
        }
    }

    private mutating func addShown(_ entries: [SessionStory.Entry]) {
        for entry in entries where entry.kind == StatusShown.kind {
            let stage = StatusShown(entry.record).stage.value
            for (index, failure) in Self.failures.enumerated() {
                shown[index].add(failure.0 == stage ? 1 : 0, at: Occurrence(entry.record))
            }
        }
    }
}
