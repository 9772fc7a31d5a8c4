package import KodamaEvidence
package import KodamaLanguage
package import KodamaSimulation
package import SansIO

/// A link between two phones, or a phone's radio link to the Internet, as the component that faults act on.
package final class NetworkLink: Component {
    /// The deliveries that a link schedules.
    package enum Word: UInt8 {
        /// A disruption ends.
        case restore
        /// An outage begins by itself.
        case outage
        /// A person at one end has walked on.
        case move
        /// An attacker sends.
        case inject
    }

    package let name: String
    package let index: ComponentIndex
    /// Away from the first end, or the phone, and back: indices among the network's directions.
    package let forward: Int
    package let backward: Int
    /// Whether it leads to the Internet.
    package let isRadio: Bool
    /// The phone whose path to the servers leads over it.
    package unowned var user: (any PathUser)?
    /// The outages that it has by itself, and the next of them.
    private var outages: OutageSequence?
    private var nextOutage: Range<Instant>?
    /// How often the weather has changed; outages that were scheduled before do not come.
    private var weatherNumber: UInt32 = 0
    /// When the latest of them ends.
    private var outageEnd = Instant.zero
    /// The distance of its ends; `nil` unless a person at one end walks.
    private var separation: Separation?
    /// The attack under way on it.
    private var attack: AirAttack?
    /// How well the ends reached each other at the last look.
    private var reach: LinkReach?
    private var source: EventSource

    package init(
        name: String,
        index: ComponentIndex,
        forward: Int,
        isRadio: Bool,
        outages: OutageSequence? = nil,
        separation: Separation? = nil
    ) {
        self.separation = separation
        self.name = name
        self.index = index
        self.forward = forward
        backward = forward + 1
        self.isRadio = isRadio
        self.outages = outages
        source = EventSource(rank: DeliveryRank.timeline, component: Int(index.index))
    }

    package func receive(_ word: Word, _ argument: UInt32, on stage: inout Stage) {
        switch word {
        case .restore: restore(on: &stage)
        case .outage:
            if argument == weatherNumber { beginOutage(on: &stage) }
        case .move: move(on: &stage)
        case .inject: inject(on: &stage)
        }
    }

    package func undergo(_ act: any SystemAct, on stage: inout Stage) {
        switch act as? LinkAct {
        case .disrupt(let disruption, let ways, let duration):
            disrupt(disruption, ways, for: duration, on: &stage)
        case .attack(let kind, let period, let duration):
            beginAttack(kind, every: period, for: duration, on: &stage)
        case .change(let profile): change(to: profile, on: &stage)
        case nil: preconditionFailure("the plan does \(act) to link \(name)")
        }
    }

    /// Disrupts both directions, or one, for a while.
    private func disrupt(
        _ disruption: LinkDisruption,
        _ ways: LinkWays,
        for duration: Duration,
        on stage: inout Stage
    ) {
        let now = stage.now
        let end = now.advanced(by: duration)
        for (direction, other) in [(forward, LinkWays.backward), (backward, .forward)]
        where ways != other {
            stage.network.directions[direction].disrupt(disruption, until: end, at: now)
        }
        schedule(.restore, at: end, by: &source, on: &stage)
        note(LinkChange(disruption), duration.wholeNanoseconds, on: &stage)
        touchUser(on: &stage)
    }

    /// Gives the link another profile from now on.
    private func change(to profile: LinkProfile, on stage: inout Stage) {
        stage.network.directions[forward].link.change(to: profile.forward)
        stage.network.directions[backward].link.change(to: profile.backward)
        note(.changed, 0, on: &stage)
        touchUser(on: &stage)
    }

    /// Begins an attack, which overhears the link and sends into it.
    private func beginAttack(
        _ kind: LinkAttack,
        every period: Duration,
        for duration: Duration,
        on stage: inout Stage
    ) {
        for direction in forward...backward where stage.network.directions[direction].tap == nil {
            stage.network.directions[direction].tap = AirTap()
        }
        let isUnderWay = attack != nil
        attack = AirAttack(
            kind: kind,
            period: period,
            end: stage.now.advanced(by: duration),
            draws: attack?.draws ?? stage.draws("attack", of: name)
        )
        guard !isUnderWay else { return }
        schedule(.inject, at: stage.now.advanced(by: period), by: &source, on: &stage)
    }

    private func inject(on stage: inout Stage) {
        guard var attack, stage.now < attack.end else { return attack = nil }
        for direction in forward...backward {
            stage.inject(attack.kind, into: direction, &attack.draws)
        }
        self.attack = attack
        schedule(.inject, at: stage.now.advanced(by: attack.period), by: &source, on: &stage)
    }

    /// Updates the reach by the distance of the ends, and schedules the next update.
    package func move(on stage: inout Stage) {
        guard let look = separation?.look(at: stage.now) else { return }
        stage.network.directions[forward].link.fading = look.lost
        stage.network.directions[backward].link.fading = look.lost
        let reach = LinkReach(lost: look.lost)
        if reach != self.reach {
            self.reach = reach
            let reached = LinkReached(
                reach: reach,
                distanceMillimetres: look.distanceMillimetres,
                lostPartsPerMillion: Int64(look.lost.partsPerMillion)
            )
            stage.note(reached, of: index)
        }
        guard let next = separation?.nextLook(after: stage.now) else { return }
        schedule(.move, at: next, by: &source, on: &stage)
    }

    /// Schedules the next outage that the link has by itself.
    package func scheduleOutage(after end: Instant, on stage: inout Stage) {
        nextOutage = outages?.next(after: end)
        guard let nextOutage else { return }
        schedule(.outage, weatherNumber, at: nextOutage.lowerBound, by: &source, on: &stage)
    }

    /// Draws by another seed from now on.
    ///
    /// An outage that has begun keeps its end, one that
    /// was still to come is drawn anew.
    package func draw(by seed: UInt64, on stage: inout Stage) {
        for direction in forward...backward {
            stage.network.directions[direction].link.draw(by: seed)
        }
        guard outages != nil else { return }
        outages?.draw(by: seed)
        weatherNumber += 1
        scheduleOutage(after: max(stage.now, outageEnd), on: &stage)
    }

    /// Lets packets vanish without an announcement.
    private func beginOutage(on stage: inout Stage) {
        guard let outage = nextOutage else { return }
        outageEnd = outage.upperBound
        disrupt(.stopped, .both, for: stage.now.duration(to: outage.upperBound), on: &stage)
        scheduleOutage(after: outage.upperBound, on: &stage)
    }

    /// Notes the end of a disruption, if no other is under way.
    private func restore(on stage: inout Stage) {
        let ends = [forward, backward].compactMap { stage.network.directions[$0].disruptedUntil }
        guard let last = ends.max(), last <= stage.now else { return }
        for direction in forward...backward {
            stage.network.directions[direction].disruptedUntil = nil
        }
        note(.restored, 0, on: &stage)
        touchUser(on: &stage)
    }

    /// Records how much it was given in the whole run.
    package func noteCarried(on stage: inout Stage) {
        let ways: [LinkWay] = isRadio ? [.up, .down] : [.forward, .backward]
        for (direction, way) in zip([forward, backward], ways) {
            let statistics = stage.network.directions[direction].link.statistics
            let carried = LinkCarried(
                way: way,
                packets: Int64(statistics.sent),
                bytes: Int64(statistics.sentBytes),
                dropped: Int64(statistics.dropped)
            )
            stage.note(carried, of: index)
        }
    }

    private func touchUser(on stage: inout Stage) {
        user?.touchPath(on: &stage)
    }

    private func note(_ change: LinkChange, _ parameter: Int64, on stage: inout Stage) {
        stage.note(LinkChanged(disruption: change, parameter: parameter), of: index)
    }
}

extension LinkChange {
    /// The trace's word for a disruption.
    fileprivate init(_ disruption: LinkDisruption) {
        switch disruption {
        case .stopped: self = .stopped
        case .slowed: self = .slowed
        case .jammed: self = .jammed
        }
    }
}

/// A component that is told when one of its paths may have changed.
package protocol PathUser: AnyObject {
    /// A path may have changed.
    func touchPath(on stage: inout Stage)
}
