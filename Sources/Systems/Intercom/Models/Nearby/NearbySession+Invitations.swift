import GroupSecurity
import KodamaNetwork
import KodamaPhone
import KodamaSimulation
import SansIO

// How phones that show the same come to be connected.

extension NearbySession {
    mutating func receive(
        _ message: NearbyMessage,
        showing info: [UInt8],
        at index: Int,
        in turn: inout Turn<Effect>
    ) {
        switch message {
        case .announcement(let shown, let session):
            guard isSought(shown, at: index) else { return }
            follow(session, in: neighbours[index].period, at: index)
            find(session, at: index, in: &turn)
        case .invitation(let number, let shown, let session):
            let period = group?.hash.period(of: shown, to: info)
            guard group == nil ? shown == info : period != nil else { return }
            follow(session, in: period, at: index)
            answer(number, of: session, at: index, in: &turn)
        case .acceptance(let number):
            guard neighbours[index].attempt?.number == number else { return }
            neighbours[index].attempt?.isAccepted = true
            advanceAttempt(at: index, in: &turn)
        case .heartbeat(let number):
            if neighbours[index].connection?.number == number {
                neighbours[index].connection?.heard = turn.now
            } else if let attempt = neighbours[index].attempt, attempt.number == number {
                connect(number, at: index, in: &turn)
            }
        case .goodbye(let number):
            guard neighbours[index].connection?.number == number else { return }
            lose(at: index, .closed, in: &turn)
        }
    }

    /// A phone that goes by another number may be one that did by the former until a period was over.
    private mutating func follow(_ session: UInt64, in period: SignPeriod?, at index: Int) {
        let former = neighbours[index].session
        guard let group, let period, former != session, former != 0,
            session == group.hash.number(following: former, in: period)
        else { return }
        neighbours[index].session = session
        if neighbours[index].connection?.session == former {
            neighbours[index].connection?.session = session
        }
    }

    /// Whether a phone shows what the app looks for.
    private mutating func isSought(_ shown: [UInt8], at index: Int) -> Bool {
        guard let group else { return shown == info }
        // Its own sign comes from a recording.
        guard shown != info else { return false }
        if neighbours[index].shown != shown {
            (neighbours[index].shown, neighbours[index].period) = (
                shown, group.hash.period(of: shown)
            )
        }
        return neighbours[index].period != nil
    }

    /// Somebody shows the same: they are invited, by whoever is to.
    private mutating func find(
        _ other: UInt64,
        at index: Int,
        in turn: inout Turn<Effect>
    ) {
        forgetFormerInvitation(from: index, showing: other)
        let neighbour = neighbours[index]
        guard neighbour.attempt == nil, isWelcome(neighbour, turn.now),
            neighbour.connection?.session != other
        else { return }
        let since = neighbour.waitsSince ?? turn.now
        neighbours[index].waitsSince = since
        neighbours[index].session = other
        guard mayInvite(neighbours[index], waitingSince: since, turn.now) else { return }
        invite(at: index, retries: configuration.inviteRetries, in: &turn)
    }

    /// Whether it is this phone that invites: of two whose clocks agree the one with the smaller number, or either
    /// after a while, and of others the one whose clock is behind.
    private func mayInvite(
        _ neighbour: Neighbour,
        waitingSince since: Instant,
        _ now: Instant
    ) -> Bool {
        if let group, let age = neighbour.period?.age(in: group.period), age != .present {
            return age == .later
        }
        let isPatient = now < since.advanced(by: configuration.inviteTimeout)
        return session < neighbour.session || !isPatient
    }

    /// An app that began anew knows nothing of what the one before it asked for (a new `MCPeerID`).
    ///
    /// One's own invitation is repeated with each beat, and is the new one's as well.
    private mutating func forgetFormerInvitation(from index: Int, showing session: UInt64) {
        guard let attempt = neighbours[index].attempt, !attempt.isOwn,
            neighbours[index].session != session
        else { return }
        (neighbours[index].attempt, neighbours[index].waitsSince) = (nil, nil)
    }

    mutating func invite(
        at index: Int,
        retries: Int,
        in turn: inout Turn<Effect>
    ) {
        let warm = neighbours[index].warmAt ?? turn.now.advanced(by: coldSetUp())
        neighbours[index].warmAt = warm
        let attempt = NearbyAttempt(
            number: UInt64(host) << 32 | random.next() >> 32,
            isOwn: true,
            expiry: turn.now.advanced(by: configuration.inviteTimeout),
            ready: max(warm, turn.now.advanced(by: warmSetUp())),
            retriesLeft: retries
        )
        neighbours[index].attempt = attempt
        neighbours[index].waitsSince = turn.now
        turn.order(
            .transmit(invitation(attempt, to: neighbours[index]), to: neighbours[index].host)
        )
    }

    private mutating func answer(
        _ number: UInt64,
        of other: UInt64,
        at index: Int,
        in turn: inout Turn<Effect>
    ) {
        let neighbour = neighbours[index]
        guard isWelcome(neighbour, turn.now) else { return }
        neighbours[index].session = other
        let isKnown =
            neighbour.connection?.number == number || neighbour.attempt?.number == number
        if !isKnown {
            // Who leads goes on with the invitation that it sent; the other gives its own up.
            if let own = neighbour.attempt, own.isOwn, session < other { return }
            neighbours[index].attempt = NearbyAttempt(
                number: number,
                isOwn: false,
                expiry: turn.now.advanced(by: configuration.inviteTimeout)
            )
        }
        turn.order(.transmit(.acceptance(connection: number), to: neighbour.host))
    }

    mutating func connect(_ number: UInt64, at index: Int, in turn: inout Turn<Effect>) {
        lose(at: index, .replaced, in: &turn)
        let isInviter = neighbours[index].attempt?.isOwn ?? false
        neighbours[index].attempt = nil
        neighbours[index].waitsSince = nil
        neighbours[index].warmAt = turn.now
        neighbours[index].connection = NearbyConnection(
            number: number,
            session: neighbours[index].session,
            heard: turn.now,
            patience: patience()
        )
        let other = neighbours[index].host
        turn.order(.connected(connection: number, to: other))
        guard isInviter else { return }
        turn.order(.transmit(.heartbeat(connection: number), to: other))
    }

    mutating func lose(at index: Int, _ loss: NearbyLoss, in turn: inout Turn<Effect>) {
        guard let connection = neighbours[index].connection else { return }
        neighbours[index].connection = nil
        turn.order(.lost(connection: connection.number, loss))
    }

    // MARK: Draws

    private mutating func coldSetUp() -> Duration {
        random.duration(in: configuration.coldSetUpLeast...configuration.coldSetUpMost)
    }

    private mutating func warmSetUp() -> Duration {
        random.duration(in: configuration.warmSetUpLeast...configuration.warmSetUpMost)
    }

    private mutating func patience() -> Duration? {
        let patience = random.duration(in: configuration.noticeLeast...configuration.noticeMost)
        return random.bernoulli(configuration.noticeNever) ? nil : patience
    }
}
