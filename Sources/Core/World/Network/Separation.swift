package import KodamaLanguage
import KodamaSimulation
package import SansIO

/// How far the two ends of a link are from each other while people walk, and what their radios lose to it.
package struct Separation {
    private let walks: [Walk]
    private let ridges: [Ridge]
    private let model: PeerRadioModel
    private var random: RandomStream
    /// In thousandths of a decibel, the same both ways.
    private var shadowing: Int64
    /// The sum of both walks' lengths at the last update, in millimetres.
    private var walked: Int64 = 0

    /// The interval of updates while a person walks: in it a hiker covers 1.4 m, 0.2 dB at the edge.
    private static let step = Duration.seconds(1)

    /// What holds from one look to the next.
    package struct Look {
        package let distanceMillimetres: Int64
        package let lost: Probability
    }

    /// The separation of a link's ends; `nil` if no person at them walks.
    package init?(of link: LinkPlan, in plan: WorldPlan, seed: UInt64) {
        let walks = [link.first, link.second].map { phone in
            plan.walks.first { $0.phone == phone }?.walk
        }
        guard walks.contains(where: { $0 != nil }) else { return nil }
        self.walks = walks.map { $0 ?? .standing }
        ridges = plan.ridges
        model = plan.peerRadio
        random = RandomStream(seed: seed, purpose: "shadowing", entity: link.name)
        shadowing = model.draw(&random)
    }

    /// Looks at both ends; called once for an instant, in order.
    package mutating func look(at now: Instant) -> Look {
        let sum = walks.reduce(0) { $0 + $1.walkedMillimetres(at: now) }
        if sum > walked {
            shadowing = model.shadowing(after: shadowing, walked: sum - walked, &random)
            walked = sum
        }
        let (one, other) = (walks[0].position(at: now), walks[1].position(at: now))
        let distance = one.distanceMillimetres(to: other)
        let loss =
            PeerRadioModel.pathLossMilliDecibels(atMillimetres: distance)
            + Ridge.lossMilliDecibels(of: ridges, from: one, to: other)
        let margin = model.budgetMilliDecibels - loss - shadowing
        return Look(
            distanceMillimetres: distance,
            lost: PeerRadioModel.loss(atMarginMilliDecibels: margin)
        )
    }

    /// When both ends are looked at next; `nil` once both stand for good.
    package func nextLook(after now: Instant) -> Instant? {
        walks.compactMap { $0.nextLook(after: now, step: Self.step) }.min()
    }
}

extension Walk {
    /// A walk that stays at the origin.
    fileprivate static let standing = Walk([
        Stop(position: .origin, stay: .zero, speedMillimetresPerHour: 0)
    ])
}
