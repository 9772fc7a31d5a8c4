import Glibc

/// The benchmark's command line: one workload a process, one line of results.
@main
struct KodamaBench {
    /// Every workload; a new one is a file of its own and a line here.
    static let benchmarks = [
        HoldExponential.benchmark,
        HoldTies.benchmark,
        CancelledTimers.benchmark,
        PacketStreams.benchmark,
        NetworkPackets.benchmark,
    ]

    static func main() {
        var arguments = CommandLine.arguments.dropFirst()
        guard let command = arguments.popFirst() else { fail("no workload is named") }
        guard command != "--help" else { return print(usage) }
        let countsAllocations = command == "allocations"
        guard let name = countsAllocations ? arguments.popFirst() : command else {
            fail("allocations of which workload?")
        }
        guard let benchmark = benchmarks.first(where: { $0.name == name }) else {
            fail("there is no workload '\(name)'")
        }
        let expected = countsAllocations ? ["N"] : benchmark.parameters
        guard arguments.count == expected.count else {
            fail("\(command) takes \(expected.joined(separator: " and ")) after its name")
        }
        let numbers = zip(expected, arguments).map { number($1, called: $0) }
        guard countsAllocations else {
            return print(benchmark.run(numbers).line)
        }
        print("kodama", name, numbers[0], benchmark.countAllocations(numbers[0]), separator: "\t")
    }

    private static var usage: String {
        let forms = benchmarks.map {
            "kodama-bench \($0.name) \($0.parameters.joined(separator: " "))"
        }
        return """
            usage: \(forms.joined(separator: "\n       "))
                   kodama-bench allocations WORKLOAD N

            Prints one line: who, workload, size, count, processor seconds, rate, peak MiB and the
            checksum of the order of events, separated by tabs. With `allocations`: who, workload,
            size, and how often memory was asked for between one million and two million events.
            """
    }

    /// Says what was wrong and how it is meant, and ends with EX_USAGE of sysexits.h.
    private static func fail(_ complaint: String) -> Never {
        let text = "kodama-bench: \(complaint)\n\(usage)\n"
        _ = text.utf8CString.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count - 1) }
        exit(64)
    }

    private static func number(_ text: String, called name: String) -> Int {
        guard let number = Int(text), (1...1 << 32).contains(number) else {
            fail("\(name) is '\(text)', not a whole number from 1 to 4294967296")
        }
        return number
    }
}
