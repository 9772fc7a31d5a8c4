public import SansIO

/// What is known of one path to one member, from the packets of the last two seconds.
public struct LinkMetrics: Sendable, Equatable {
    /// The smoothed time there and back; `nil` before the first pong.
    public var roundTrip: Duration?
    /// The share of numbered packets that did not come: voice by its sequence, pings by their pongs.
    public var lossFraction: Probability = .zero
    /// Of how many packets that is the share.
    public var packetsExpected = 0
    /// The interarrival jitter of voice and pings (RFC 3550 section 6.4.1).
    public var jitter: Duration = .zero
    /// For how long something has been due that did not come; zero while nothing is due.
    ///
    /// Due are the next frame of a talk spurt and the pong of a ping.
    public var silence: Duration = .zero
    /// How many members are heard by this kind of path now.
    public var peersHeard = 0
    /// How many other members the group has present.
    public var peersPresent = 0

    /// Makes the metrics of a path by which nothing has come.
    public init() {}
}

/// What a judge thinks of a path.
public enum LinkVerdict: UInt8, Sendable, Hashable, Comparable, CaseIterable {
    /// Voice does not get through.
    case bad = 0
    /// Voice gets through and may soon not: another path is to be made ready.
    case poor = 1
    /// Voice gets through.
    case good = 2

    /// Orders verdicts from bad to good.
    public static func < (left: LinkVerdict, right: LinkVerdict) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// Judges a path by its metrics (S-HO-003); an app may bring its own (A-F-011).
public protocol LinkJudge: Sendable, Equatable {
    /// The verdict, or `nil` while the metrics say too little; then the last verdict stands.
    func verdict(on metrics: LinkMetrics) -> LinkVerdict?
}

/// A judge of whatever kind, so that machines that ask one are of one kind themselves.
public struct AnyLinkJudge: LinkJudge {
    private let base: any LinkJudge

    /// Wraps a judge, once.
    public init(_ judge: some LinkJudge) {
        base = (judge as? AnyLinkJudge)?.base ?? judge
    }

    /// What the judge itself says.
    public func verdict(on metrics: LinkMetrics) -> LinkVerdict? { base.verdict(on: metrics) }

    /// Judges are equal if they are of one kind and say the same.
    public static func == (left: AnyLinkJudge, right: AnyLinkJudge) -> Bool {
        left.base.equals(right.base)
    }
}

extension LinkJudge {
    fileprivate func equals(_ other: any LinkJudge) -> Bool { self == other as? Self }
}

/// The judge that the app ships with: the worst of four figures counts.
///
/// It does not look at the number of peers: each pair of members has paths of its own, and five of six
/// that stand together go on talking by radio while the sixth is reached over the Internet.
public struct ThresholdJudge: LinkJudge {
    /// From which value on a figure makes a path poor, and from which bad.
    public struct Threshold<Value: Comparable & Sendable & Hashable>: Sendable, Hashable {
        /// From here on the path is poor.
        public var poor: Value
        /// From here on the path is bad; not below `poor`.
        public var bad: Value

        /// Makes a threshold.
        public init(poor: Value, bad: Value) {
            self.poor = poor
            self.bad = bad
        }

        func verdict(on value: Value) -> LinkVerdict {
            value >= bad ? .bad : value >= poor ? .poor : .good
        }
    }

    /// Lost packets.
    ///
    /// At 5 % Opus at 24 kbit/s is estimated at a MOS of 3.3, below the 3.6 that satisfies most users
    /// (G.107.2 with the factors of Alahmadi, Pocta and Melvin, ACM TOMM 17(4), 2021); at 20 % every
    /// other frame next to a lost one can no longer be recovered from its successor. Radio between
    /// phones that stand together loses 0.12 % (Huitema 2023).
    public var loss = Threshold(
        poor: Probability(partsPerMillion: 50_000),
        bad: Probability(partsPerMillion: 200_000)
    )
    /// The time there and back.
    ///
    /// 300 ms there and back are the 150 ms one way below which most users notice no delay, 800 ms the
    /// 400 ms that planning must not exceed (ITU-T G.114).
    public var roundTrip = Threshold(poor: Duration.milliseconds(300), bad: .milliseconds(800))
    /// Interarrival jitter.
    ///
    /// A dozing peer-to-peer radio delays by up to its extended window of 65.5 ms (owl, src/sync.c):
    /// uniform delays up to it differ by 22 ms on average, so 40 ms are more than dozing.
    public var jitter = Threshold(poor: Duration.milliseconds(40), bad: .milliseconds(120))
    /// How long something due has not come.
    ///
    /// Four frames, 80 ms, are more than one extended window of 65.5 ms. 400 ms are more than the worst
    /// spike of a radio that stays: the first packet lost, the next one 250 ms late (Huitema 2023).
    public var silence = Threshold(poor: Duration.milliseconds(80), bad: .milliseconds(400))
    /// How many packets a share of lost ones is taken from at least; fewer say nothing of loss.
    ///
    /// One of ten lost is then 10 %: poor, and not yet bad.
    public var packetsExpectedMin = 10

    /// Makes the judge with the values above.
    public init() {}

    /// The worst of the figures' verdicts.
    public func verdict(on metrics: LinkMetrics) -> LinkVerdict? {
        var verdict = silence.verdict(on: metrics.silence)
        if metrics.packetsExpected >= packetsExpectedMin {
            verdict = min(verdict, loss.verdict(on: metrics.lossFraction))
            verdict = min(verdict, jitter.verdict(on: metrics.jitter))
        } else if verdict == .good {
            return nil
        }
        if let trip = metrics.roundTrip { verdict = min(verdict, roundTrip.verdict(on: trip)) }
        return verdict
    }
}

/// A judge that wants the whole group on one kind of path: poor unless every member is heard by it.
///
/// For groups that prefer the same quality for all to the best for each.
public struct WholeGroupJudge<Base: LinkJudge>: LinkJudge {
    /// Judges once every member is there.
    public var base: Base

    /// Makes the judge.
    public init(_ base: Base) {
        self.base = base
    }

    /// The base's verdict, but no better than poor while a member is missing.
    public func verdict(on metrics: LinkMetrics) -> LinkVerdict? {
        guard metrics.peersHeard < metrics.peersPresent else { return base.verdict(on: metrics) }
        return min(base.verdict(on: metrics) ?? .poor, .poor)
    }
}
