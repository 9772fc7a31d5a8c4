import KodamaSimulation
import SansIO

// How the models of a link are written in a scenario, both ways.

extension CheckedValue {
    /// The share as a probability.
    var probability: Probability? {
        number.map { Probability(partsPerMillion: Int32($0)) }
    }

    /// The amount of data in bytes.
    fileprivate var bytes: Int? {
        number.map { Int($0) }
    }
}

extension Probability {
    /// The probability as scenarios write it.
    var text: String { QuantityKind.share.text(of: Int64(partsPerMillion)) }
}

extension Duration {
    /// The time as scenarios write it.
    fileprivate var text: String { QuantityKind.duration.text(of: wholeNanoseconds) }
}

extension QueueDiscipline {
    /// What a checked value of `queue` says.
    init?(_ value: CheckedValue) {
        if let bytes = value.bytes ?? value["drop_tail"]?.bytes {
            self = .dropTail(limitBytes: bytes)
            return
        }
        guard let codel = value["codel"], let target = codel["target"]?.duration,
            let interval = codel["interval"]?.duration, let limit = codel["limit"]?.bytes
        else { return nil }
        self = .coDel(target: target, interval: interval, limitBytes: limit)
    }

    /// The discipline as scenarios write it.
    func node(_ origin: ValueOrigin) -> ResolvedNode {
        switch self {
        case .dropTail(let limit):
            .value(QuantityKind.dataSize.text(of: Int64(limit)), origin)
        case .coDel(let target, let interval, let limit):
            .mapping([
                .init(
                    "codel",
                    .mapping([
                        .init("target", .value(target.text, origin)),
                        .init("interval", .value(interval.text, origin)),
                        .init(
                            "limit",
                            .value(QuantityKind.dataSize.text(of: Int64(limit)), origin)
                        ),
                    ])
                )
            ])
        }
    }
}

extension LossModel {
    /// What a checked value of `loss` says.
    init?(_ value: CheckedValue) {
        if let share = value.probability ?? value["independent"]?.probability {
            self = share == .zero ? .none : .independent(share)
            return
        }
        guard let chain = value["gilbert_elliott"], let p = chain["p"]?.probability,
            let r = chain["r"]?.probability, let lossGood = chain["loss_good"]?.probability,
            let lossBad = chain["loss_bad"]?.probability
        else { return nil }
        self = .gilbertElliott(p: p, r: r, lossGood: lossGood, lossBad: lossBad)
    }

    /// The model as scenarios write it.
    func node(_ origin: ValueOrigin) -> ResolvedNode {
        switch self {
        case .none:
            .value("0%", origin)
        case .independent(let share):
            .value(share.text, origin)
        case .gilbertElliott(let p, let r, let lossGood, let lossBad):
            .mapping([
                .init(
                    "gilbert_elliott",
                    .mapping([
                        .init("p", .value(p.text, origin)),
                        .init("r", .value(r.text, origin)),
                        .init("loss_good", .value(lossGood.text, origin)),
                        .init("loss_bad", .value(lossBad.text, origin)),
                    ])
                )
            ])
        }
    }
}

extension JitterModel {
    /// What a checked value of `jitter` says.
    init?(_ value: CheckedValue) {
        if let most = value["uniform"]?.duration {
            self = most == .zero ? .none : .uniform(most: most)
        } else if let deviation = value["half_normal"]?.duration {
            self = deviation == .zero ? .none : .halfNormal(deviation: deviation)
        } else if let quantiles = value["quantiles"] {
            self = .quantiles(quantiles.entries.compactMap(\.duration))
        } else {
            return nil
        }
    }

    /// The model as scenarios write it; `nil` if only a profile can say it.
    func node(_ origin: ValueOrigin) -> ResolvedNode? {
        switch self {
        case .points, .held:
            nil
        case .none:
            .mapping([.init("uniform", .value("0s", origin))])
        case .uniform(let most):
            .mapping([.init("uniform", .value(most.text, origin))])
        case .halfNormal(let deviation):
            .mapping([.init("half_normal", .value(deviation.text, origin))])
        case .quantiles(let quantiles):
            .mapping([.init("quantiles", .inline(quantiles.map(\.text), origin))])
        }
    }
}
