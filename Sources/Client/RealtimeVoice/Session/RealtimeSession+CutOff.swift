import SansIO

/// A server that sends by a way that passes nothing down, while another way answers (D-18, D-22).
///
/// Of the ways by which it hears a phone the server sends by the better one. Where Wi-Fi passes
/// everything up and nothing down, that is Wi-Fi, until the phone's ICE gives its pair up. Checks
/// along cellular are answered all the while. It looks as if the agent had gone, but for the checks
/// that the server sends itself: they go where voice goes.
///
/// ICE brings such a room back, with its agent. Where TCP does not get through either, nothing is
/// faster: by which radio a room object connects is the system's choice, and no app can make it
/// leave Wi-Fi. Where it does, as an answered request shows, another room object finds the way that
/// works.
extension LiveRoom {
    /// What the app's own server says of the way that the system prefers.
    enum Inquiry: Sendable, Equatable {
        /// No cut-off was asked for.
        case none
        /// It was asked then.
        case asked(OperationID, at: Instant)
        /// It answered so soon that TCP gets through.
        case answered(at: Instant)
        /// It did not, or so late that the way had been dead, or it gave no token that is needed.
        case unanswered
    }

    /// The longest time to an answer of which nothing was sent again (RFC 6298 §2.1).
    private static let promptness = Duration.seconds(1)

    /// The time between two checks of the server's (livekit/livekit, `pkg/rtc/transport.go`).
    static let serverCheckInterval = Duration.seconds(2)

    /// How long after the last voice ICE may take to bring it back.
    ///
    /// A pair is given up 15 s after its first unanswered check, which leaves up to 2.5 s after the
    /// cut; the server believes in another one after 2.5 s without the old one, upon a check up to
    /// 2.5 s later (libwebrtc, `p2p/base/p2p_constants.cc`). Statistics show it within a second.
    private static let takeoverTime = Duration.seconds(24)

    /// Whether the server has sent no check lately, as of `due`, although checks are counted.
    ///
    /// One is often lost by chance, two in a row hardly ever. Where none was ever counted, nothing
    /// can be said; a room that was joined a moment ago may have had none yet.
    func isCutOff(at due: Instant) -> Bool {
        countsServerChecks && statistics.serverChecks != nil
            && serverHeardAt < due.advanced(by: .zero - Self.serverCheckInterval * 2)
    }

    /// Whether voice and the server's checks are missing while others are answered.
    func seemsCutOff(at now: Instant) -> Bool {
        missesKnownVoice && isCutOff(at: now) && showsLife(at: now)
    }

    /// Whether the SDK reconnects, and ICE would have brought the missing voice back by now.
    func isResumedInVain(at now: Instant) -> Bool {
        guard missesKnownVoice, let resumingSince, let voiceAt else { return false }
        return now >= max(resumingSince, voiceAt).advanced(by: Self.takeoverTime)
    }

    /// Takes the answer to what was asked at `since`.
    mutating func takeAnswer(_ answer: APIAnswer, toInquiryAt since: Instant, at now: Instant) {
        let isPrompt = now <= since.advanced(by: Self.promptness)
        switch answer {
        case .failed: inquiry = .unanswered
        default: inquiry = isPrompt ? .answered(at: now) : .unanswered
        }
        blameIfReached()
    }

    /// Lets another room object take over at the next statistics without the server, once the room is
    /// cut off and TCP gets through.
    mutating func blameIfReached() {
        guard case .answered(let answeredAt) = inquiry, cutOffUntil != nil, blamedFrom == nil
        else { return }
        let revived = answeredAt.advanced(by: RealtimeSession.revivalTime)
        blamedFrom = revived
        shorten(to: revived.advanced(by: Self.statisticsInterval))
    }

    /// Keeps the room for as long as ICE may take to bring back voice that was last heard at `end`.
    mutating func awaitTakeover(since end: Instant) {
        cutOffUntil = end.advanced(by: Self.takeoverTime)
    }

    /// The server was heard: the way by which it sends works.
    mutating func hearServer(at now: Instant) {
        serverHeardAt = now
        cutOffUntil = nil
    }

    /// Voice is due again, since the link is alive again.
    ///
    /// Where the server was cut off, whoever is there is heard together with its checks; statistics
    /// may have come in between, so that the next ones decide.
    mutating func awaitVoiceBack(wasCutOff: Bool, at now: Instant) {
        let elapsed = wasCutOff ? Self.voiceReturnTime - .seconds(1) : .zero
        voiceAwaitedSince = now.advanced(by: .zero - elapsed)
    }
}

/// The question whether TCP gets through where the server's datagrams do not (D-21, D-22).
extension RealtimeSession {
    /// Asks the app's own server for a token as soon as a room seems cut off.
    ///
    /// A filter or a lost binding of an address translator may take datagrams on their way down and
    /// nothing else. Then the answer comes at once, and another room object would get through: it
    /// evicts this one, which leaves the agent alone. Where the whole downlink is dead, none comes,
    /// and ICE has its time; nothing that lives is taken down for a guess.
    mutating func settleInquiry(_ room: inout LiveRoom, in turn: inout Turn<Effect>) {
        guard room.cutOffUntil != nil || seemsCutOff(room, at: turn.now) else {
            cancelInquiry(of: room, in: &turn)
            room.inquiry = .none
            return
        }
        guard room.inquiry == .none, let request = tokenRequest else { return }
        cancelRenewal(of: &room, in: &turn)
        let operation = operations.next()
        turn.order(.callAPI(operation, request))
        room.inquiry = .asked(operation, at: turn.now)
    }

    private func seemsCutOff(_ room: LiveRoom, at now: Instant) -> Bool {
        configuration.partner == .agent && configuration.watchdog.isEnabled && !room.isLost
            && room.resumingSince == nil && room.seemsCutOff(at: now)
    }

    /// Cancels a request; its answer is no longer needed.
    func cancelInquiry(of room: LiveRoom, in turn: inout Turn<Effect>) {
        guard case .asked(let operation, _) = room.inquiry else { return }
        turn.order(.cancelAPI(operation))
    }

    /// Takes an answer if it is to the inquiry, and its token for the next connect.
    ///
    /// - Returns: Whether it is.
    mutating func inquiryAnswered(
        _ operation: OperationID,
        _ answer: APIAnswer,
        at now: Instant
    ) -> Bool {
        guard case .connected(var room) = state,
            case .asked(let asked, let since) = room.inquiry, asked == operation
        else { return false }
        if case .credentials(let credentials) = answer, credentials.room == roomName {
            store(credentials, askedAt: since)
        }
        if let ticket, serves(ticket, at: now) {
            room.takeAnswer(answer, toInquiryAt: since, at: now)
        } else {
            // No other room object could join: this one is all there is.
            room.inquiry = .unanswered
        }
        state = .connected(room)
        return true
    }
}
