import KodamaSimulation

/// Five kinds of network, each a seeded model of what it does to voice frames.
///
/// They are models, not captures: shapes and figures follow what is published of each radio, and
/// stand for it only so far as that goes.
public enum NetworkKind: String, Sendable, CaseIterable {
    /// Healthy Wi-Fi: a few milliseconds of jitter, 0.2 % loss.
    case wifi
    /// Peer-to-peer Wi-Fi: in half of all seconds the radio leaves the channel for 30 to 90 ms.
    case p2p
    /// LTE: retransmissions of 8 ms, and a cell change of 60 to 300 ms every 45 s on average.
    case lte
    /// The edge of coverage: wide jitter, stalls of 100 to 600 ms every 6 s, 4 % loss in bursts.
    case edge
    /// A route change: a quiet path that is 80 ms longer for the middle third.
    case shift

    /// Draws a trace of this kind.
    ///
    /// - Parameters:
    ///   - seconds: The length of the trace.
    ///   - seed: Chooses the draws.
    /// - Returns: Frames every 20 ms; the same for the same seed.
    public func trace(seconds: Int, seed: UInt64) -> JitterTrace {
        var model = NetworkModel(kind: self, seconds: seconds, seed: seed)
        return JitterTrace(name: rawValue, frames: model.frames())
    }
}

/// Draws one trace; times are in milliseconds until the end.
private struct NetworkModel {
    let kind: NetworkKind
    let count: Int
    var delays: RandomStream
    var losses: RandomStream
    var stalls: RandomStream

    init(kind: NetworkKind, seconds: Int, seed: UInt64) {
        self.kind = kind
        count = seconds * 50
        delays = RandomStream(seed: seed, purpose: "delay", entity: kind.rawValue)
        losses = RandomStream(seed: seed, purpose: "loss", entity: kind.rawValue)
        stalls = RandomStream(seed: seed, purpose: "stall", entity: kind.rawValue)
    }

    mutating func frames() -> [JitterTrace.Frame] {
        var arrivals = (0..<count).map { Double($0) * 20 + delay(of: $0) }
        hold(&arrivals)
        let delivers = [.p2p, .lte, .edge].contains(kind)
        var latest = 0.0
        var isBad = false
        return arrivals.indices.map { place in
            latest = delivers ? max(latest, arrivals[place]) : arrivals[place]
            let sent = Int64(place) * JitterTrace.frameNanoseconds
            let arrived = loses(&isBad) ? -1 : Int64(latest * 1_000_000)
            return .init(sentNanoseconds: sent, arrivedNanoseconds: arrived)
        }
    }

    private mutating func delay(of place: Int) -> Double {
        switch kind {
        case .wifi:
            return 4 + 2 * delays.gammaOneAndAHalf()
        case .p2p:
            return 6 + 3 * (delays.exponential() + delays.exponential())
        case .lte:
            let draw = delays.uniform()
            let rounds = draw < 0.85 ? 0.0 : draw < 0.95 ? 1 : draw < 0.99 ? 2 : 3
            return 45 + 10 * delays.uniform() + 8 * rounds
        case .edge:
            return 70 + 13 * (delays.exponential() + delays.exponential())
        case .shift:
            let isLonger = place > count / 3 && place < count * 2 / 3
            return 20 + 2 * delays.gammaOneAndAHalf() + (isLonger ? 80 : 0)
        }
    }

    /// Lets stalls hold up what would arrive during them, until they end.
    private mutating func hold(_ arrivals: inout [Double]) {
        let end = Double(count) * 20
        var second = 0.0
        while second < end {
            let (start, length): (Double, Double)
            switch kind {
            case .wifi, .shift:
                return
            case .p2p:
                let happens = stalls.uniform() < 0.5
                start = second + 900 * stalls.uniform()
                length = happens ? 30 + 60 * stalls.uniform() : 0
                second += 1000
            case .lte:
                second += 45_000 * stalls.exponential()
                (start, length) = (second, 60 + 240 * stalls.uniform())
            case .edge:
                second += 6_000 * stalls.exponential()
                (start, length) = (second, 100 + 500 * stalls.uniform())
            }
            hold(&arrivals, from: start, to: start + length)
        }
    }

    private mutating func hold(_ arrivals: inout [Double], from start: Double, to end: Double) {
        // A frame that arrives in the stall was sent at most 3 s before it: none is slower.
        let first = min(max(0, Int((start - 3000) / 20)), count)
        let beyond = min(count, max(first, Int(end / 20) + 1))
        for place in first..<beyond where arrivals[place] >= start && arrivals[place] < end {
            arrivals[place] = end + 2 * stalls.uniform()
        }
    }

    private mutating func loses(_ isBad: inout Bool) -> Bool {
        let draw = losses.uniform()
        switch kind {
        case .wifi, .shift: return draw < 0.002
        case .p2p: return draw < 0.01
        case .lte: return draw < 0.005
        case .edge:
            // Bursts of three on average; 0.0139 into a burst makes 4 % in all.
            isBad = isBad ? draw < 2.0 / 3 : draw < 0.0139
            return isBad
        }
    }
}

extension RandomStream {
    /// A number from 0 to 1, without 1, in steps of 2^-53.
    mutating func uniform() -> Double {
        Double(next() >> 11) / 9_007_199_254_740_992
    }

    /// An exponential deviate of mean 1, by comparisons only (von Neumann, "Various techniques used
    /// in connection with random digits", 1951), so that no library function decides its bits.
    mutating func exponential() -> Double {
        var whole = 0.0
        while true {
            let first = uniform()
            var last = first
            var falls = true
            while true {
                let draw = uniform()
                guard draw < last else { break }
                last = draw
                falls.toggle()
            }
            if falls { return whole + first }
            whole += 1
        }
    }

    /// A gamma deviate of shape 3/2 and scale 1: an exponential one plus one of shape 1/2.
    ///
    /// The latter is an exponential deviate times the squared cosine of a random direction.
    mutating func gammaOneAndAHalf() -> Double {
        while true {
            let (x, y) = (2 * uniform() - 1, 2 * uniform() - 1)
            let squared = x * x + y * y
            guard squared > 0, squared <= 1 else { continue }
            return exponential() + exponential() * (x * x / squared)
        }
    }
}
