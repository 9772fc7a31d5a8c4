import CAllocationCount
import Glibc

/// Something to measure: a filled queue, and a loop over its events.
protocol Workload: ~Copyable {
    /// The name, and what the command line may ask for.
    static var benchmark: Benchmark { get }
    /// What the rate counts: events, or packets sent.
    var workDone: Int { get }
    /// A hash of the order of all events until now.
    var checksum: UInt64 { get }

    /// Executes that many events, or fewer if none is left.
    mutating func run(events: Int)
}

/// A workload on the command line.
struct Benchmark: Sendable {
    /// The name, also in the line of results.
    var name: String
    /// What the numbers after the name are called.
    var parameters: [String]
    /// Measures the workload with these numbers.
    var run: @Sendable ([Int]) -> Measurement
    /// Counts requests for memory between one million and two million events, at this size.
    var countAllocations: @Sendable (Int) -> UInt
}

/// One line of results.
struct Measurement {
    var workload: String
    /// Pending events, sessions or simulated seconds.
    var size: Int
    var count: Int
    var processorSeconds: Double
    var checksum: UInt64

    /// Who, workload, size, count, processor seconds, rate, peak MiB and checksum, separated by tabs.
    var line: String {
        let rate = Double(count) / processorSeconds
        let digits = String(checksum, radix: 16)
        let fields = [
            "kodama", workload, String(size), String(count),
            processorSeconds.text(decimals: 4), rate.text(decimals: 0),
            peakMebibytes().text(decimals: 1),
            String(repeating: "0", count: 16 - digits.count) + digits,
        ]
        return fields.joined(separator: "\t")
    }
}

/// Runs `warmUp` events, then measures `events` more.
func measure<Work: Workload & ~Copyable>(
    _ work: inout Work,
    size: Int,
    warmUp: Int,
    events: Int
) -> Measurement {
    work.run(events: warmUp)
    let before = work.workDone
    let start = processorSeconds()
    work.run(events: events)
    let seconds = processorSeconds() - start
    return Measurement(
        workload: Work.benchmark.name,
        size: size,
        count: work.workDone - before,
        processorSeconds: seconds,
        checksum: work.checksum
    )
}

/// How often memory was asked for between one million and two million events.
func allocationsInSecondMillion<Work: Workload & ~Copyable>(_ work: inout Work) -> UInt {
    work.run(events: 1_000_000)
    let before = allocation_count()
    work.run(events: 1_000_000)
    return allocation_count() - before
}

/// Processor time of this process, not wall time: the machine may be shared.
func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

/// The most memory this process has held: VmHWM, since `ru_maxrss` keeps its launcher's across exec.
func peakMebibytes() -> Double {
    guard let status = fopen("/proc/self/status", "r") else { return 0 }
    defer { fclose(status) }
    var line: [CChar] = Array(repeating: 0, count: 128)
    while fgets(&line, Int32(line.count), status) != nil {
        let text = String(
            decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)),
            as: UTF8.self
        )
        guard text.hasPrefix("VmHWM:") else { continue }
        return (Double(text.filter(\.isNumber)) ?? 0) / 1_024
    }
    return 0
}

extension Double {
    /// The number with that many decimals, for positive numbers.
    func text(decimals: Int) -> String {
        var scale = 1
        for _ in 0..<decimals { scale *= 10 }
        let scaled = Int(self * Double(scale) + 0.5)
        guard decimals > 0 else { return String(scaled) }
        let fraction = String(scaled % scale)
        return "\(scaled / scale)." + String(repeating: "0", count: decimals - fraction.count)
            + fraction
    }
}
