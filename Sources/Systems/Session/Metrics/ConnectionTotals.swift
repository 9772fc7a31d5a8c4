import KodamaEvidence
import RealtimeVoice
import SansIO

/// How long connections take by themselves, whatever voice does, and what of voice is too short for a loss.
struct ConnectionTotals: Sendable {
    private var roomConnect = Measure.time(
        "session.room.connect.time",
        """
        Each connect of a room object that the server does not refuse, nor the network: from the app's order to the \
        SDK's answer; one that is given up, or runs into a time limit, is censored.
        """,
        "K-02",
        excluding: ["refused"]
    )
    private var signalling = Measure.time(
        "session.signalling.reconnect.time",
        """
        Each reconnect of a room object: from the SDK's notice of a loss to the end of the attempt \
        that brings it back, whatever voice did meanwhile; one that is given up is censored.
        """,
        "RS-11"
    )
    private var clicks = Measure.time(
        "session.audio.clicks.time",
        """
        Each lack of 60 to 200 ms of either side's sound in a wanted conversation: too little for a \
        loss of two-way audio, and enough to be heard.
        """,
        "K-10",
        occasions: .atOnce
    )

    private var refused = Measure.number(
        "session.joins.refused",
        """
        For each attempt that brings a room object up: how many of the phone's the room server has refused \
        with an HTTP status since the one before, while it was neither full nor closed to joins. Those after the \
        last one are censored.
        """,
        "RS-11, D-08"
    )

    /// The metrics, in the order in which reports list them.
    var all: [any AnyMeasure] { [roomConnect, signalling, clicks, refused] }

    /// Adds a phone.
    mutating func add(_ reading: SessionReading) {
        addConnections(reading)
        addRefusals(reading)
        let wanted = reading.wishes.wanted
        for click in reading.clicks
        where wanted.contains(click.start) && wanted.contains(click.end) {
            clicks.add(click.length, at: reading.occurrence(click))
        }
    }

    private mutating func addConnections(_ reading: SessionReading) {
        var connecting: (room: Int64, occasion: Occasion)?
        var reconnecting: (room: Int64, occasion: Occasion)?
        func open(_ measure: inout Measure<Distribution>, _ entry: SessionStory.Entry) -> Occasion {
            measure.open(at: entry.record.instant, of: reading.phone, entry.record)
        }
        func drop(at end: Instant) {
            if let connecting { roomConnect.cutOff(connecting.occasion, at: end) }
            if let reconnecting { signalling.cutOff(reconnecting.occasion, at: end) }
            (connecting, reconnecting) = (nil, nil)
        }
        for entry in reading.entries {
            switch entry.kind {
            case ConnectBegan.kind:
                if let connecting {
                    roomConnect.cutOff(connecting.occasion, at: entry.record.instant)
                }
                connecting = (ConnectBegan(entry.record).room, open(&roomConnect, entry))
            case ConnectEnded.kind:
                let ended = ConnectEnded(entry.record)
                guard let begun = connecting, begun.room == ended.room else { continue }
                connecting = nil
                switch ended.error.value {
                case nil:
                    roomConnect.close(begun.occasion, at: entry.record.instant)
                case .timedOut, .joinFailure, .serverPingTimedOut, .cancelled:
                    roomConnect.cutOff(begun.occasion, at: entry.record.instant)
                case .some:
                    roomConnect.exclude(begun.occasion, "refused", at: entry.record.instant)
                }
            case LossDetected.kind:
                if let reconnecting {
                    signalling.cutOff(reconnecting.occasion, at: entry.record.instant)
                }
                reconnecting = (LossDetected(entry.record).room, open(&signalling, entry))
            case AttemptEnded.kind:
                let ended = AttemptEnded(entry.record)
                guard let loss = reconnecting, loss.room == ended.room, ended.failure.value == nil
                else { continue }
                signalling.close(loss.occasion, at: entry.record.instant)
                reconnecting = nil
            case RoomLeft.kind, RoomDisconnected.kind, AppTerminated.kind:
                drop(at: entry.record.instant)
            default:
                continue
            }
        }
    }

    private mutating func addRefusals(_ reading: SessionReading) {
        var refusals: [SessionStory.Entry] = []
        for entry in reading.entries where entry.kind == AttemptEnded.kind {
            switch AttemptEnded(entry.record).failure.value {
            case nil:
                let first = refusals.first?.instant ?? entry.instant
                let span = Span(start: first, end: entry.instant)
                refused.add(Int64(refusals.count), at: reading.occurrence(span))
                refusals = []
            case .refused where !reading.serverShut.contains(entry.instant):
                refusals.append(entry)
            case .some:
                continue
            }
        }
        guard let first = refusals.first else { return }
        let span = Span(start: first.instant, end: reading.end)
        refused.censor(Int64(refusals.count), at: reading.occurrence(span))
    }
}
