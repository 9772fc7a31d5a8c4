import SansIO

/// The question whether TCP gets through, before signalling is opened anew (D-21).
struct SignallingRenewal: Sendable, Equatable {
    /// How long the user reads nothing of it.
    static let noticeTime = Duration.seconds(1)

    /// Since when it has not been known.
    let since: Instant
    /// The request under way; `nil` once it has failed, or was answered.
    var operation: OperationID?
    /// When the latest request was sent.
    var askedAt: Instant
    /// When the next request is due; after an answer, until when the SDK's word is waited for.
    var nextAt: Instant
    /// Whether a request was answered.
    var isAnswered = false
    /// Whether the user reads that nobody may hear them.
    var isNoticed = false

    var deadline: Deadline {
        let notice = since.advanced(by: Self.noticeTime)
        let next = isNoticed || isAnswered ? nextAt : min(nextAt, notice)
        return Deadline(next, "signalling renewal")
    }
}

/// Signalling that may have died unnoticed is opened anew, where that can succeed.
extension RealtimeSession {
    /// Has signalling opened anew after an unmute that may have been told to nobody.
    ///
    /// The server does not answer an unmute, and after a resume the SDK sends no pings. What it
    /// completes then makes the microphone's track be signalled once more; voice that flows is left
    /// alone (D-21). As long as the SDK pings, it finds dead signalling; a resume would end that.
    ///
    /// A resume that fails goes on until the SDK's last attempt, which joins anew and takes down a
    /// downlink that lives. So the app's own server is asked for a token first, as often as a
    /// socket would be tried, until it answers: then TCP gets through, whatever it says.
    mutating func renewSignalling(
        of room: inout LiveRoom,
        isOpen: Bool,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        if isOpen != room.isMeantOpen {
            room.isMeantOpen = isOpen
            room.isSignallingRenewed = false
        }
        guard configuration.watchdog.isEnabled, room.hasResumed, isOpen, room.microphone.isOpen,
            room.resumingSince == nil, !room.isLost
        else { return cancelRenewal(of: &room, into: &effects) }
        guard !room.isSignallingRenewed else {
            // An object that does not say at once that it reconnects is not waited for.
            if let renewal = room.renewal, now >= renewal.nextAt { room.renewal = nil }
            return
        }
        if room.renewal?.isAnswered == true {
            room.isSignallingRenewed = true
            room.renewal?.nextAt = now.advanced(by: SignallingRenewal.noticeTime)
            effects.append(.room(room.id, .resume))
        } else {
            askBeforeRenewal(of: &room, at: now, into: &effects)
        }
    }

    /// Whether an unmute is told by signalling that is opened anew, or will be once TCP gets through.
    ///
    /// Another room object needs TCP, too, and its connect takes down a downlink that lives (D-21).
    func awaitsRenewal(_ room: LiveRoom) -> Bool {
        guard configuration.watchdog.isEnabled, room.hasResumed, room.microphone.isSwitched
        else { return false }
        return !room.isMeantOpen || !room.isSignallingRenewed || room.renewal != nil
    }

    private mutating func askBeforeRenewal(
        of room: inout LiveRoom,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        // One request at a time: what is known of a room that is cut off comes first.
        if case .asked = room.inquiry { return cancelRenewal(of: &room, into: &effects) }
        guard let request = tokenRequest else {
            return cancelRenewal(of: &room, into: &effects)
        }
        var renewal = room.renewal ?? SignallingRenewal(since: now, askedAt: now, nextAt: now)
        if now >= renewal.nextAt {
            if let late = renewal.operation { effects.append(.cancelAPI(late)) }
            let operation = operations.next()
            effects.append(.callAPI(operation, request))
            renewal.operation = operation
            renewal.askedAt = now
            renewal.nextAt = now.advanced(by: max(configuration.tokenTimeout, .seconds(1)))
        }
        if now >= renewal.since.advanced(by: SignallingRenewal.noticeTime) {
            renewal.isNoticed = true
        }
        room.renewal = renewal
    }

    /// Nobody waits for an answer any more, since the room object ends.
    func cancelRequests(of room: LiveRoom, into effects: inout EffectBuffer<Effect>) {
        var room = room
        cancelInquiry(of: room, into: &effects)
        cancelRenewal(of: &room, into: &effects)
    }

    /// Nobody waits for the answer any more.
    func cancelRenewal(of room: inout LiveRoom, into effects: inout EffectBuffer<Effect>) {
        if let operation = room.renewal?.operation { effects.append(.cancelAPI(operation)) }
        room.renewal = nil
    }

    /// Takes an answer if it is to the question, and its token for the next connect.
    ///
    /// - Returns: Whether it is.
    mutating func renewalAnswered(
        _ operation: OperationID,
        _ answer: APIAnswer,
        at now: Instant
    ) -> Bool {
        guard case .connected(var room) = state, let renewal = room.renewal,
            renewal.operation == operation
        else { return false }
        room.renewal?.operation = nil
        switch answer {
        case .credentials(let credentials):
            if credentials.room == roomName {
                store(credentials, askedAt: renewal.askedAt)
            }
            room.renewal?.isAnswered = true
        case .failed:
            break
        default:
            room.renewal?.isAnswered = true
        }
        state = .connected(room)
        return true
    }
}
