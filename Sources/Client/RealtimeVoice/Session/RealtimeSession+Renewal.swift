import SansIO

/// The question whether TCP gets through, before signalling is opened anew (D-21).
///
/// It is asked, too, before a room object is given up whose microphone is not opened.
struct SignallingRenewal: Sendable, Equatable {
    /// How long the user reads nothing of it.
    static let noticeTime = Duration.seconds(1)

    /// How many late answers say that the path is slow: one may only have met the end of an outage.
    static let lateAnswersMax = 2

    /// Since when it has not been known.
    let since: Instant
    /// The requests under way; one that is late may still be answered.
    var requests = PatientRequest()
    /// When the next request is due; after an answer, until when the SDK's word is waited for.
    var nextAt: Instant
    /// Whether a request was answered in time, or there is nobody to answer any.
    var isAnswered = false
    /// How many were answered later than that.
    var lateAnswers = 0
    /// Whether the latest request was answered although the SDK does not get in.
    var isThrough = false
    /// Whether the user reads that nobody may hear them.
    var isNoticed = false
    /// Whether only the session doubts signalling: both sides hear each other, and nothing is to be told.
    var isForDoubt = false

    /// Whether a request waits for longer than it should take.
    var isOverdue: Bool { requests.late != nil }

    /// Whether the user waits for a request that takes longer than it should.
    var isWaitedFor: Bool { isOverdue && !isForDoubt }

    /// Whether TCP gets through, but takes longer than the SDK would wait for a socket.
    var isPathSlow: Bool { lateAnswers >= Self.lateAnswersMax }

    /// When a request under way was sent; `nil` if it is none of these.
    func sent(_ operation: OperationID) -> Instant? {
        if requests.late?.operation == operation { return requests.late?.since }
        return requests.pending?.operation == operation ? requests.pending?.since : nil
    }

    var deadline: Deadline {
        let notice = since.advanced(by: Self.noticeTime)
        let next = isNoticed || isAnswered || isForDoubt ? nextAt : min(nextAt, notice)
        return Deadline(next, "signalling renewal")
    }
}

/// Signalling that may have died unnoticed is opened anew, where that can succeed.
extension RealtimeSession {
    /// Has signalling opened anew after an unmute that may have been told to nobody, and as soon as
    /// anything speaks for its death.
    ///
    /// The server does not answer an unmute, and after a resume the SDK sends no pings. What it
    /// completes then makes the microphone's track be signalled once more; voice that flows is left
    /// alone (D-21). As long as the SDK pings, it finds dead signalling; a resume would end that.
    ///
    /// A doubt does not wait for the next unmute: the SDK's token runs out meanwhile, and who comes or
    /// goes is told to nobody. Where the token of the latest resume has run out, it does: had signalling
    /// died soon after, the SDK would be refused until its last attempt, which ends living media (D-21).
    ///
    /// A resume that fails goes on until the SDK's last attempt, which joins anew and takes down a
    /// downlink that lives. So the app's own server is asked for a token first, as often as a
    /// socket would be tried, until it answers: then TCP gets through, whatever it says. Where each
    /// answer takes longer a resume would fail, and what was sent has all the time it needs.
    /// A server that is away says nothing of TCP: the SDK has to try.
    ///
    /// The same is asked before another room object takes over for the microphone's sake (`awaitsAnswer`,
    /// `awaitsTCP`).
    mutating func renewSignalling(
        of room: inout LiveRoom,
        isOpen: Bool,
        in turn: inout Turn<Effect>
    ) {
        if isOpen != room.isMeantOpen {
            room.isMeantOpen = isOpen
            room.isSignallingRenewed = false
        }
        let isOpening = isOpen && (awaitsAnswer(room) || awaitsTCP(&room, at: turn.now))
        if isOpening, isAskedInVain(room), room.renewal?.isAnswered == false {
            room.renewal?.isAnswered = true
            turn.order(.room(room.id, .resume))
        }
        if isOpening || shutOut(room, at: turn.now) != .no {
            return askBeforeRenewal(of: &room, in: &turn)
        }
        let isUntold = isOpen && room.microphone.isOpen
        guard configuration.watchdog.isEnabled, room.resumedAt != nil, room.resumingSince == nil,
            !room.isLost, isUntold || room.isSignallingSuspect
        else { return cancelRenewal(of: &room, in: &turn) }
        let isForDoubt = !isUntold || room.isSignallingRenewed
        guard room.isSignallingSuspect || !isForDoubt else {
            // An object that does not say at once that it reconnects is not waited for.
            if let renewal = room.renewal, !renewal.isAnswered || turn.now >= renewal.nextAt {
                cancelRenewal(of: &room, in: &turn)
            }
            return
        }
        if isForDoubt, mayHaveDeadToken(room, at: turn.now) {
            room.isSignallingSuspect = false
            return cancelRenewal(of: &room, in: &turn)
        }
        // An unmute is not kept waiting for the pace of a doubt.
        if room.renewal?.isForDoubt == true, !isForDoubt { cancelRenewal(of: &room, in: &turn) }
        if isAskedInVain(room) { room.renewal?.isAnswered = true }
        if room.renewal?.isPathSlow == true {
            room.isSignallingRenewed = true
            room.isSignallingSuspect = false
            cancelRenewal(of: &room, in: &turn)
        } else if room.renewal?.isAnswered == true {
            room.isSignallingRenewed = true
            room.isSignallingSuspect = false
            room.resumeOrderedAt = turn.now
            room.renewal?.nextAt = turn.now.advanced(by: SignallingRenewal.noticeTime)
            turn.order(.room(room.id, .resume))
        } else {
            askBeforeRenewal(of: &room, isForDoubt: isForDoubt, in: &turn)
        }
    }

    /// Whether the SDK's token has run out for certain: signalling died, as far as is known, at a time
    /// after which it can have been sent none that still serves.
    private func hasDeadToken(_ room: LiveRoom, at now: Instant) -> Bool {
        guard let resumedAt = room.resumedAt, let doubtedAt = room.signallingDoubtedSince else {
            return false
        }
        return now >= tokenEnd(of: room, sentAt: max(resumedAt, doubtedAt))
    }

    /// Whether the SDK's token may have run out: none is known to have been sent since the latest resume.
    private func mayHaveDeadToken(_ room: LiveRoom, at now: Instant) -> Bool {
        room.resumedAt.map { now >= tokenEnd(of: room, sentAt: $0) } ?? false
    }

    /// How long a resume that the session has ordered may take, once TCP is known to get through: it takes
    /// three round trips.
    private static var orderedResumeTime: Duration { .seconds(1) }

    /// Whether nothing has shown life for longer than any token serves that the SDK may have.
    ///
    /// So a process that was suspended finds its room: each resume will be refused, and no voice is left to take down.
    func outlivesToken(_ room: LiveRoom, at now: Instant) -> Bool {
        configuration.watchdog.isEnabled && now >= tokenEnd(of: room, sentAt: room.livedAt)
    }

    /// Whether an unmute waits for a resume that the session has ordered and that does not get in, where
    /// the SDK's token may have run out: the last one of which anything is known has.
    ///
    /// Another room object, with the token by which TCP was asked for, tells the server at once.
    func isResumeRefused(_ room: LiveRoom, at now: Instant) -> Bool {
        guard room.isRenewing, !room.isLost, let since = room.resumingSince,
            mayHaveDeadToken(room, at: now), let ticket, serves(ticket, at: now),
            isUntold(room, at: now)
        else { return false }
        return now >= since.advanced(by: resumePatience(room))
    }

    /// How long a resume that the session has ordered is waited for.
    private func resumePatience(_ room: LiveRoom) -> Duration {
        let roundTrips = (room.statistics.roundTrip ?? .zero) * Self.roundTripsOfStep
        return max(Self.orderedResumeTime, roundTrips)
    }

    /// When a resume that begins now should have got in; `nil` where the SDK's token serves until then.
    ///
    /// Statistics may come a second later, in which the SDK would be refused three times more.
    func resumeDue(_ room: LiveRoom, from now: Instant) -> Instant? {
        let due = now.advanced(by: resumePatience(room))
        return mayHaveDeadToken(room, at: due) ? due : nil
    }

    /// Whether the app's own server is away, as probes tell, and would never answer.
    private func isAskedInVain(_ room: LiveRoom) -> Bool {
        room.renewal?.isWaitedFor == true && probe.isOtherAway
    }

    /// Until when the server takes the token that it sent the SDK then, at most.
    ///
    /// It serves ten minutes, or until the one runs out by which the room was joined (livekit/livekit,
    /// `pkg/service/roommanager.go`), and a minute more for clocks that differ.
    private func tokenEnd(of room: LiveRoom, sentAt: Instant) -> Instant {
        max(sentAt.advanced(by: .seconds(600)), room.joinedUntil).advanced(by: .seconds(60))
    }

    /// Whether the SDK's token has run out.
    private enum ShutOut {
        case no
        case perhaps
        case certainly
    }

    /// How long the SDK goes on before its token is doubted.
    ///
    /// A server that is full or drained refuses it, too, and may do so for longer. Nothing tells
    /// that from a token that has run out, and another room object does not get in either: then
    /// the guess costs the agent's voice until the server lets in.
    private static var refusalTime: Duration { .seconds(60) }

    /// How old the token of an SDK that pings may be when it begins to reconnect.
    ///
    /// The server sends one every five minutes (livekit/livekit, `pkg/service/roommanager.go`), and
    /// signalling may have been dead for a while.
    private static var tokenAge: Duration { .seconds(300) + MicrophoneControl.signallingDoubt }

    /// How long after TCP is back an SDK whose token is taken has got in.
    ///
    /// Its attempt under way fails, and the next one does not.
    private var resumeTime: Duration {
        let options = configuration.connectOptions
        return options.socketConnectTimeout + options.reconnectMaxDelay + .seconds(1)
    }

    /// Whether nobody hears the user, and the SDK cannot get in any more: its token has run out.
    ///
    /// It has been sent none since signalling died, which was before an unmute that is untold, and
    /// perhaps long before. It goes on for a quarter of an hour, refused each time. Where both
    /// sides hear each other that is left alone: another room object would interrupt voice (D-21).
    /// Statistics, which come every second where voice lives, are occasion enough to look.
    private func shutOut(_ room: LiveRoom, at now: Instant) -> ShutOut {
        guard configuration.watchdog.isEnabled, !room.isLost, let since = room.resumingSince,
            isUntold(room, at: now)
        else { return .no }
        // An unmute that signalling was opened for, or that a slow path has told, met no dead one.
        let untoldAt = room.isSignallingRenewed ? nil : room.microphone.openedAt
        let deadSince = untoldAt.map { min($0, since) } ?? since
        return shutOut(room, resumingSince: since, deadSince: deadSince, at: now)
    }

    /// Whether the SDK reconnects without end, most likely, while both sides hear each other.
    ///
    /// The user need not read that for a quarter of an hour. Whether an unmute of theirs is told is
    /// another question.
    func reconnectsInVain(_ room: LiveRoom, at now: Instant) -> Bool {
        guard configuration.watchdog.isEnabled, !room.isLost, room.hearsVoice,
            let since = room.resumingSince
        else { return false }
        return shutOut(room, resumingSince: since, deadSince: since, at: now) != .no
    }

    /// Whether an SDK that reconnects since then cannot get in, if signalling died at `deadSince`.
    private func shutOut(
        _ room: LiveRoom,
        resumingSince since: Instant,
        deadSince: Instant,
        at now: Instant
    ) -> ShutOut {
        if now >= tokenEnd(of: room, sentAt: deadSince),
            now >= since.advanced(by: resumeTime)
        {
            return .certainly
        }
        // After a resume nothing tells how long signalling lived.
        let tokenAt = room.resumedAt ?? since.advanced(by: .zero - Self.tokenAge)
        let isDoubtful =
            now >= tokenEnd(of: room, sentAt: tokenAt)
            && now >= since.advanced(by: Self.refusalTime)
        return isDoubtful ? .perhaps : .no
    }

    /// Whether an unmute is told by signalling opened anew, or will be once TCP gets through.
    ///
    /// Another room object needs TCP, too, and its connect takes down a downlink that lives (D-21).
    func awaitsRenewal(_ room: LiveRoom) -> Bool {
        guard configuration.watchdog.isEnabled, room.resumedAt != nil, room.microphone.isSwitched
        else { return false }
        return !room.isMeantOpen || !room.isSignallingRenewed || room.renewal != nil
    }

    /// How long an answer may take that says that a socket would open in time.
    private func promptness(of renewal: SignallingRenewal) -> Duration {
        renewal.isForDoubt ? Self.longTokenTimeout : configuration.tokenTimeout
    }

    private mutating func askBeforeRenewal(
        of room: inout LiveRoom,
        isForDoubt: Bool = false,
        in turn: inout Turn<Effect>
    ) {
        // A room that is cut off asks the same already.
        if case .asked = room.inquiry { return cancelRenewal(of: &room, in: &turn) }
        guard let request = tokenRequest else {
            return cancelRenewal(of: &room, in: &turn)
        }
        var renewal =
            room.renewal
            ?? SignallingRenewal(since: turn.now, nextAt: turn.now, isNoticed: room.isOpeningAsked)
        renewal.isForDoubt = isForDoubt
        // Both sides hear each other by now.
        if isForDoubt { renewal.isNoticed = false }
        if turn.now >= renewal.nextAt {
            if renewal.requests.pending != nil { renewal.isThrough = false }
            renewal.requests.leaveLate { turn.order(.cancelAPI($0)) }
            let operation = operations.next()
            turn.order(.callAPI(operation, request))
            let patience = max(promptness(of: renewal), slowTokenTime(room), .seconds(1))
            renewal.requests.sent(operation, at: turn.now, patience: patience)
            renewal.nextAt = turn.now.advanced(by: patience)
        }
        if !isForDoubt, turn.now >= renewal.since.advanced(by: SignallingRenewal.noticeTime) {
            renewal.isNoticed = true
        }
        room.renewal = renewal
    }

    /// Nobody waits for an answer any more, since the room object ends.
    func cancelRequests(of room: LiveRoom, in turn: inout Turn<Effect>) {
        var room = room
        cancelInquiry(of: room, in: &turn)
        cancelRenewal(of: &room, in: &turn)
    }

    /// Cancels a request; its answer is no longer needed.
    func cancelRenewal(of room: inout LiveRoom, in turn: inout Turn<Effect>) {
        room.renewal?.requests.giveUp { turn.order(.cancelAPI($0)) }
        room.renewal = nil
    }

    /// Takes an answer if it is to the question, and its token for the next connect.
    ///
    /// That is at once where the SDK is shut out: TCP gets through. Where it may be it is given the
    /// time to get in, and a microphone that is not opened a moment more.
    ///
    /// - Returns: Whether it is.
    mutating func renewalAnswered(
        _ operation: OperationID,
        _ answer: APIAnswer,
        in turn: inout Turn<Effect>
    ) -> Bool {
        guard case .connected(var room) = state, var renewal = room.renewal,
            let askedAt = renewal.sent(operation)
        else { return false }
        var isThrough = true
        if case .failed = answer { isThrough = false }
        if case .credentials(let credentials) = answer, credentials.room == roomName {
            store(credentials, askedAt: askedAt)
        }
        let limit = promptness(of: renewal)
        let isLate =
            renewal.requests.late?.operation == operation
            || turn.now > askedAt.advanced(by: max(limit, .seconds(1)))
        _ = renewal.requests.answered(operation, settles: isThrough && !isLate) {
            turn.order(.cancelAPI($0))
        }
        var isHopeless = false
        var isOverdue = false
        switch shutOut(room, at: turn.now) {
        case _ where !isThrough:
            renewal.isThrough = false
        case .no where awaitsAnswer(room):
            isOverdue = true
        case .no where awaitsTCP(&room, at: turn.now):
            // Where each answer is late, the SDK's pings find dead signalling as soon.
            isHopeless = !isLate
        case .no where hasDeadToken(room, at: turn.now):
            // Where both sides hear each other the next unmute decides (D-21).
            isHopeless = !renewal.isForDoubt
            room.isSignallingSuspect = false
        case .no:
            // On a path that is known to be slow one late answer says as much as two.
            let isKnown = slowTokenTime(room) > limit
            if isLate {
                renewal.lateAnswers += isKnown ? SignallingRenewal.lateAnswersMax : 1
            } else {
                renewal.isAnswered = true
            }
        case .perhaps where !renewal.isThrough:
            renewal.isThrough = true
            renewal.requests.giveUp { turn.order(.cancelAPI($0)) }
            renewal.nextAt = turn.now.advanced(by: resumeTime)
        case .perhaps, .certainly:
            isHopeless = true
        }
        room.renewal = renewal
        if isOverdue, let ticket, serves(ticket, at: turn.now) {
            room.openingAskedSince = nil
            lose(&room, until: turn.now.advanced(by: configuration.watchdog.actAfter), at: turn.now)
        }
        state = .connected(room)
        if isHopeless, let ticket, serves(ticket, at: turn.now) {
            replace(room, isFailure: room.microphone.isHopeless, in: &turn)
        }
        return true
    }
}
