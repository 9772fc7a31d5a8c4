public import SansIO

/// When packets may leave.
public enum Capacity: Sendable, Equatable {
    /// At once.
    case unlimited
    /// One after the other, each taking its size over the rate; from 1 bit/s to 1 Tbit/s.
    case rate(DataRate)
    /// At the opportunities of a trace in mahimahi's format.
    case opportunities(DeliveryTrace)

    var faults: [String] {
        switch self {
        case .unlimited:
            []
        case .rate(let rate):
            (1...1_000_000_000_000).contains(rate.bitsPerSecond)
                ? [] : ["a rate of \(rate.bitsPerSecond) bit/s lies outside 1 bit/s...1 Tbit/s"]
        case .opportunities(let trace):
            trace.faults
        }
    }
}

/// What happens to packets that wait.
///
/// The limits count the bytes not yet sent, the rest of the packet being sent and the new packet
/// included. They lie between 1 byte and 1 GiB.
public enum QueueDiscipline: Sendable, Equatable {
    /// A packet that finds no room is dropped.
    case dropTail(limitBytes: Int)
    /// Controlled delay (RFC 8289), with a drop-tail limit behind it.
    ///
    /// RFC 8289 §4.3 and §4.4 recommend a target of 5 ms and an interval of 100 ms. The interval is
    /// at most 3 s here.
    case coDel(target: Duration, interval: Duration, limitBytes: Int)

    var limitBytes: Int {
        switch self {
        case .dropTail(let limitBytes), .coDel(_, _, let limitBytes): limitBytes
        }
    }

    var faults: [String] {
        var faults: [String] = []
        if !(1...1 << 30).contains(limitBytes) {
            faults.append("a queue of \(limitBytes) bytes lies outside 1 B...1 GiB")
        }
        if case .coDel(let target, let interval, _) = self {
            if target <= .zero || target >= interval {
                faults.append("CoDel's target \(target) does not lie between 0 and its interval")
            }
            if interval > .seconds(3) {
                faults.append("CoDel's interval \(interval) exceeds 3 s")
            }
        }
        return faults
    }
}
