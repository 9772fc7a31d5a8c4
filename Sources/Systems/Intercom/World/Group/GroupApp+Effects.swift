import AppCoordination
import GroupSecurity
import GroupStore
import KodamaEvidence
import KodamaNetwork
import KodamaPhone
import KodamaWorld
import PeerTransport
import SansIO

extension GroupApp {
    /// The binding of the app's effects: each goes to a framework, the phone, the network or the trace.
    func perform(_ effect: IntercomGroupEffect, on stage: inout Stage) {
        switch effect {
        case .seekNearby(let hash, let period, let sign):
            let shown = shownHash?.sign(in: period, of: sign) ?? sign
            let sought = SoughtGroup(hash: shownHash ?? hash, period: period)
            nearby.tell(.began(info: shown, group: sought), on: &stage)
        case .seekByInternet(let hash):
            match.tell(.sought(info: (shownHash ?? hash).bytes), on: &stage)
        case .stopSeeking(let path): stopSeeking(path, on: &stage)
        case .disconnect(let path): leave(path, on: &stage)
        case .sendHandshake(let bytes, let link): send(bytes, by: link, on: &stage)
        case .sendVoice(let header, let frame, let fanout):
            sendVoice(header, frame, by: fanout, on: &stage)
        case .sendMessage(let message, let link): send(message, by: link, on: &stage)
        case .sendControl(let message, let link): send(message, by: link, on: &stage)
        case .closeLink(let link): close(link, isCut: false, on: &stage)
        case .cutLink(let link, let refusal):
            note(ConnectionCut(refusal: TraceWord(refusal)), about: link, on: &stage)
            close(link, isCut: refusal.barsPeer, on: &stage)
        case .discardCaptured(let frame): sound.release(frame)
        case .reject(let frame, let verdict): sound.discard(frame, .init(verdict), on: &stage)
        case .playout(let stream, let order):
            guard let member = member(of: stream) else {
                preconditionFailure("\(name) plays a stream of nobody who was let in")
            }
            sound.perform(order, of: member, on: &stage)
        case .sound(let order): perform(order, on: &stage)
        case .memberJoined(let member):
            seat(member)
            note(MemberJoined(), about: member.id, on: &stage)
            remember(member.id, called: member.name, on: &stage)
        case .guestCame:
            if let group { library.tell(.guestCame(group.id), on: &stage) }
        case .phaseChanged(let member, let phase, let cause):
            note(
                HandoverMoved(phase: TraceWord(phase), cause: TraceWord(cause)),
                about: member,
                on: &stage
            )
        case .judged(let member, let path, let verdict, let metrics):
            let measured = PathMeasured(
                path: TraceWord(path),
                silenceNanoseconds: metrics.silence.wholeNanoseconds,
                jitterNanoseconds: metrics.jitter.wholeNanoseconds
            )
            note(measured, about: member, on: &stage)
            let judged = PathJudged(
                path: TraceWord(path),
                verdict: TraceWord(verdict),
                lostPartsPerMillion: Int64(metrics.lossFraction.partsPerMillion),
                roundTripNanoseconds: metrics.roundTrip?.wholeNanoseconds ?? 0
            )
            note(judged, about: member, on: &stage)
        case .inviteAnswered(let answer): keep(answer, on: &stage)
        case .refused(.groupFull(let capacity)):
            note(MemberRefused(capacity: Int64(capacity)), on: &stage)
        case .cardsChanged(let cards): show(cards, on: &stage)
        }
    }

    /// Writes a record about a member.
    private func note(_ form: some TraceForm, about member: MemberID, on stage: inout Stage) {
        let isOwn = member == identity.publicKey.memberID
        let subject = others.first { $0.member == member }?.subject
        stage.note(form, of: index, about: isOwn ? index : subject ?? .none)
    }

    /// Writes a record about the phone at the other end of a connection.
    func note(_ form: some TraceForm, about link: LinkID, on stage: inout Stage) {
        let other = connections.first { $0.link == link }?.other
        stage.note(form, of: index, about: other.map { others[$0].subject } ?? .none)
    }

    /// Somebody is in who is to be known from now on (A-F-016).
    func remember(_ member: MemberID, called name: DisplayName?, on stage: inout Stage) {
        guard let group else { return }
        let record = MemberRecord(id: member, name: name, lastSeen: time(at: stage.now))
        library.tell(.memberSeen(record, in: group.id), on: &stage)
    }

    // MARK: Connections

    /// A framework connected this phone with another one.
    func connect(_ number: UInt64, to host: UInt32, by path: TransportPath, on stage: inout Stage) {
        guard let other = others.firstIndex(where: { $0.host == host }) else { return }
        connectionCount += 1
        let link = LinkID(number: connectionCount)
        connections.append(GroupConnection(link: link, path: path, number: number, other: other))
        stage.note(ConnectionUp(path: TraceWord(path)), of: index, about: others[other].subject)
        tell(.linkUp(link, path), on: &stage)
    }

    /// A framework noticed that a connection is gone.
    func disconnect(_ number: UInt64, by path: TransportPath, on stage: inout Stage) {
        guard let gone = connections.firstIndex(where: { $0.number == number && $0.path == path })
        else { return }
        let connection = connections.remove(at: gone)
        noteEnd(of: connection, on: &stage)
        tell(.linkDown(connection.link), on: &stage)
    }

    private func close(_ link: LinkID, isCut: Bool, on stage: inout Stage) {
        guard let closed = connections.firstIndex(where: { $0.link == link }) else { return }
        let connection = connections.remove(at: closed)
        noteEnd(of: connection, on: &stage)
        switch connection.path {
        case .local:
            nearby.tell(.closed(connection: connection.number, isCut: isCut), on: &stage)
        case .internet:
            match.tell(.closed(connection: connection.number, isCut: isCut), on: &stage)
        }
    }

    private func noteEnd(of connection: GroupConnection, on stage: inout Stage) {
        let down = ConnectionDown(path: TraceWord(connection.path))
        stage.note(down, of: index, about: others[connection.other].subject)
    }

    private func leave(_ path: TransportPath, on stage: inout Stage) {
        for connection in connections where connection.path == path {
            noteEnd(of: connection, on: &stage)
        }
        connections.removeAll { $0.path == path }
        switch path {
        case .local: nearby.tell(.stopped, on: &stage)
        case .internet: match.tell(.stopped, on: &stage)
        }
    }

    /// The app has left its group and says goodbye.
    ///
    /// A match takes nobody in unless it is asked again, so it needs no word.
    private func stopSeeking(_ path: TransportPath, on stage: inout Stage) {
        guard path == .local else { return }
        if let left = group { note(GroupLeft(group: left.id.traceNumber), on: &stage) }
        group = nil
        nearby.tell(.hidden, on: &stage)
    }

    // MARK: Cards

    private func show(_ cards: IntercomCards, on stage: inout Stage) {
        if cards.isInternetUnavailable != isInternetUnavailable {
            isInternetUnavailable = cards.isInternetUnavailable
            note(InternetShown(isUnavailable: TraceFlag(isInternetUnavailable)), on: &stage)
        }
        for (seat, card) in cards.cards.enumerated() where card != shownCards[seat] {
            let former = shownCards[seat]
            shownCards[seat] = card
            if let former, former.id != card?.id {
                note(CardShown(nil), about: former.id, on: &stage)
            }
            if let card { note(CardShown(card), about: card.id, on: &stage) }
        }
    }
}

extension CardShown {
    /// What a member's card shows.
    fileprivate init(_ card: IntercomCards.Card?) {
        let connection: CardConnection =
            switch card?.connection {
            case nil: card == nil ? .gone : .own
            case .connecting: .connecting
            case .local: .local
            case .internet: .internet
            case .both: .both
            case .searching: .searching
            }
        self.init(
            connection: connection,
            isTalking: card?.isTalking ?? false,
            isOwner: card?.isOwner ?? false,
            isMuted: card?.isMuted ?? false
        )
    }
}
