import KodamaEvidence

/// How long connections take by themselves, whatever voice does, and what of voice is too short for a loss.
struct ConnectionTotals: Sendable {
    private var roomConnect = Measure.time(
        "session.room.connect.time",
        "Each connect of a room object that succeeds: from the app's order to the SDK's answer.",
        "K-02"
    )
    private var signalling = Measure.time(
        "session.signalling.reconnect.time",
        """
        Each reconnect of a room object: from the SDK's notice of a loss to the end of the attempt \
        that brings it back, whatever voice did meanwhile. Those that are given up do not count.
        """,
        "RS-11"
    )
    private var clicks = Measure.time(
        "session.audio.clicks.time",
        """
        Each lack of 60 to 200 ms of either side's sound in a wanted conversation: too little for a \
        loss of two-way audio, and enough to be heard.
        """,
        "K-10"
    )

    /// The metrics, in the order in which reports list them.
    var all: [any AnyMeasure] { [roomConnect, signalling, clicks] }

    /// Adds a phone.
    mutating func add(_ reading: SessionReading) {
        addConnections(reading)
        let wanted = reading.wishes.wanted
        for click in reading.clicks
        where wanted.contains(click.start) && wanted.contains(click.end) {
            clicks.add(click.length, at: reading.occurrence(click))
        }
    }

    private mutating func addConnections(_ reading: SessionReading) {
        var connecting: (room: Int64, since: Int64)?
        var reconnecting: (room: Int64, since: Int64)?
        for entry in reading.entries {
            switch entry.kind {
            case ConnectBegan.kind:
                connecting = (ConnectBegan(entry.record).room, entry.instant)
            case ConnectEnded.kind:
                let ended = ConnectEnded(entry.record)
                if let connecting, connecting.room == ended.room, ended.error.value == nil {
                    let span = Span(start: connecting.since, end: entry.instant)
                    roomConnect.add(span.length, at: reading.occurrence(span))
                }
                connecting = nil
            case LossDetected.kind:
                reconnecting = (LossDetected(entry.record).room, entry.instant)
            case AttemptEnded.kind:
                let ended = AttemptEnded(entry.record)
                guard let loss = reconnecting, loss.room == ended.room, ended.failure.value == nil
                else { continue }
                let span = Span(start: loss.since, end: entry.instant)
                signalling.add(span.length, at: reading.occurrence(span))
                reconnecting = nil
            case RoomLeft.kind, RoomDisconnected.kind, AppTerminated.kind:
                (connecting, reconnecting) = (nil, nil)
            default:
                continue
            }
        }
    }
}
