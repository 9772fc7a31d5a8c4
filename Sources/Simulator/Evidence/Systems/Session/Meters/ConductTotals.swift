import RealtimeVoice

/// What a phone's session did against its user, how long its status lagged behind the truth, and which
/// failures it named.
struct ConductTotals: Sendable {
    private var breaches = Measure.count(
        "conduct.breaches",
        """
        Stretches in which, after 1 s, the phone was heard although muted, either side was heard in a \
        phone call, or microphone, renderer or engine were on although a call or another app had the \
        audio or the user had disconnected.
        """,
        "K-22"
    )
    private var falselyLost = Measure.time(
        "session.false_lost.time",
        """
        Each stretch of a wanted conversation in which the path is whole, both sides are heard and the \
        app's last status is another than connected or reconnected.
        """,
        "K-01c, the other way"
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
        "RS-11; livekit/client-sdk-swift, Core/Room+Engine.swift"
    )
    private var backgroundStay = Measure.time(
        "session.background.room.time",
        """
        For each time the app goes to the background with a room object that connects or is connected: \
        until it has let go of it, or comes back.
        """,
        "D-05, RS-07"
    )
    private var doubledRooms = Measure.share(
        "session.rooms.doubled",
        """
        Share of agents that join a conversation in which another one still is: whoever retries joins \
        the room that was lost.
        """,
        "D-18"
    )
    private var shown = Self.failures.map { stage, name in
        Measure.count(
            "session.shown.\(name)",
            "How often the screen began to say: \(SessionStatus(stage).text)",
            "RS-08"
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
        [breaches, falselyLost, unsignalled, transportless, backgroundStay, doubledRooms]
            + shown as [any AnyMeasure]
    }

    mutating func add(_ reading: SessionReading) {
        for stretch in Conduct(reading).stretches {
            breaches.add(stretch.breach == nil ? 0 : 1, at: reading.occurrence(stretch.span))
        }
        for stretch in reading.falseLosses.all {
            falselyLost.add(stretch.length, at: reading.occurrence(stretch))
        }
        for stretch in reading.unfounded(.signalling).all {
            unsignalled.add(stretch.length, at: reading.occurrence(stretch))
        }
        addTransportless(reading)
        addBackground(reading)
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

    private mutating func addBackground(_ reading: SessionReading) {
        var rooms: [Int64] = []
        var since: Int64?
        func stay(until instant: Int64) -> Span? {
            defer { since = nil }
            return since.map { Span(start: $0, end: instant) }
        }
        for entry in reading.entries {
            var span: Span?
            switch entry.kind {
            case ConnectBegan.kind:
                rooms.append(ConnectBegan(entry.record).room)
            case RoomLeft.kind:
                let room = RoomLeft(entry.record).room
                rooms.removeAll { $0 == room }
                if rooms.isEmpty { span = stay(until: entry.instant) }
            case RoomDisconnected.kind:
                let room = RoomDisconnected(entry.record).room
                rooms.removeAll { $0 == room }
                if rooms.isEmpty { span = stay(until: entry.instant) }
            case SceneChanged.kind:
                switch SceneChanged(entry.record).phase.value {
                case .background: since = rooms.isEmpty ? nil : since ?? entry.instant
                case .active: span = stay(until: entry.instant)
                case .inactive, nil: break
                }
            case AppTerminated.kind:
                rooms = []
                span = stay(until: entry.instant)
            default:
                break
            }
            if let span { backgroundStay.add(span.length, at: reading.occurrence(span)) }
        }
        if let span = stay(until: reading.end) {
            backgroundStay.add(span.length, at: reading.occurrence(span))
        }
    }

    /// A conversation begins anew with the app, and when the user has ended it or its room was left.
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
            case StatusShown.kind where StatusShown(entry.record).stage.value == .disconnected:
                present = 0
            default:
                break
            }
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
