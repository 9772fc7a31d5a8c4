@testable import KodamaNetwork
@testable import KodamaSession
import RealtimeVoice
import SansIO
import Testing

@Suite("How long the SDKs wait between attempts")
struct RoomClientCurveTests {
    /// A case of client-sdk-swift's own test, and what it expects.
    struct Case: CustomTestStringConvertible, Sendable {
        let attempts: Int
        let first: Duration
        let maximum: Duration
        let milliseconds: [Int64]

        var testDescription: String { "(\(attempts), \(first), \(maximum))" }
    }

    static let swiftCases = [
        Case(
            attempts: 10,
            first: .milliseconds(300),
            maximum: .seconds(7),
            milliseconds: [300, 3_369, 4_511, 5_294, 5_871, 6_302, 6_617, 6_832, 6_959, 7_000]
        ),
        Case(
            attempts: 10,
            first: .milliseconds(500),
            maximum: .seconds(6),
            milliseconds: [500, 3_020, 3_957, 4_599, 5_073, 5_427, 5_685, 5_862, 5_966, 6_000]
        ),
        Case(
            attempts: 5,
            first: .seconds(1),
            maximum: .seconds(5),
            milliseconds: [1_000, 3_646, 4_464, 4_873, 5_000]
        ),
        Case(
            attempts: 5,
            first: .seconds(10),
            maximum: .seconds(5),
            milliseconds: [10_000, 6_693, 5_670, 5_159, 5_000]
        ),
    ]

    @Test("The Swift SDK's curve to the millisecond (RS-11)", arguments: swiftCases)
    func swiftCurve(example: Case) {
        var options = ConnectOptions(
            reconnectAttempts: example.attempts,
            reconnectAttemptDelay: example.first,
            reconnectMaxDelay: example.maximum
        )
        // The initializer raises it to the first delay, as the SDK's does; the policy itself does not.
        options.reconnectMaxDelay = example.maximum
        let delays = (1...example.attempts).map {
            ReconnectCurve.swift.delay(afterFailedAttempt: $0, options: options, jitter: 0)
        }
        #expect(delays.map { ($0.wholeNanoseconds + 500_000) / 1_000_000 } == example.milliseconds)
    }

    @Test("Chance adds less than a tenth to the Swift SDK's waits, and nothing to the last (RS-11)")
    func swiftJitter() {
        for number in 1...9 {
            let curve = ReconnectCurve.swift
            let base = curve.delay(afterFailedAttempt: number, options: .sdk, jitter: 0)
            let most = curve.delay(afterFailedAttempt: number, options: .sdk, jitter: .max)
            #expect(most > base * 1.099)
            #expect(most < base * 1.1)
        }
        let last = ReconnectCurve.swift.delay(afterFailedAttempt: 10, options: .sdk, jitter: .max)
        #expect(last == .seconds(7))
    }

    @Test(
        "The JavaScript SDK's attempts begin at 0, 0.3, 1.5, 4.2, 9, 16, 23, 30, 37, 44 s (RS-11)"
    )
    func jsCurve() {
        var beginnings: [Duration] = []
        var time = Duration.zero
        for number in 0..<10 {
            time += ReconnectCurve.js.delay(afterFailedAttempt: number, options: .sdk, jitter: 0)
            beginnings.append(time)
        }
        let expected = [0, 300, 1_500, 4_200, 9_000, 16_000, 23_000, 30_000, 37_000, 44_000]
        #expect(beginnings == expected.map { .milliseconds($0) })
        let late = ReconnectCurve.js.delay(afterFailedAttempt: 2, options: .sdk, jitter: .max)
        #expect(late > .milliseconds(2_199) && late < .milliseconds(2_200))
        let early = ReconnectCurve.js.delay(afterFailedAttempt: 1, options: .sdk, jitter: .max)
        #expect(early == .milliseconds(300))
    }

    @Test("Android waits 100 ms and half a second times the square, at most 5 s (RS-11)")
    func androidCurve() {
        let delays = (0..<5).map {
            ReconnectCurve.android.delay(afterFailedAttempt: $0, options: .sdk, jitter: 0)
        }
        #expect(delays == [100, 600, 2_100, 4_600, 5_000].map { .milliseconds($0) })
    }

    @Test("Rust begins at once, then waits up to 300 ms, doubled up to 7 s (RS-11)")
    func rustCurve() {
        func delays(_ jitter: UInt32) -> [Duration] {
            (0..<8).map {
                ReconnectCurve.rust.delay(afterFailedAttempt: $0, options: .sdk, jitter: jitter)
            }
        }
        #expect(delays(0).allSatisfy { $0 == .zero })
        #expect(
            delays(1 << 31)
                == [0, 150, 300, 600, 1_200, 2_400, 3_500, 3_500].map { .milliseconds($0) }
        )
    }

    @Test(
        "If every attempt fails at once they begin where the curve says (RS-11)",
        arguments: [
            (
                ConnectOptions.sdk,
                [0, 300, 3_669, 8_181, 13_475, 19_345, 25_647, 32_264, 39_097, 46_055] as [Int64]
            ),
            (
                .asSpecified,
                [0, 500, 3_520, 7_477, 12_076, 17_149, 22_576, 28_262, 34_124, 40_090]
            ),
        ]
    )
    func beginnings(options: ConnectOptions, milliseconds: [Int64]) throws {
        var bench = RoomClientBench.connected(options: options)
        bench.cut = [.signalling, .media]
        bench.send(.addressesChanged([]))
        bench.send(.socketsFailed(RoomClientBench.wifi))
        let detection = try #require(bench.time(of: .lossDetected(.signalClosed)))
        bench.run(for: .seconds(60))
        for (number, expected) in zip(1..., milliseconds) {
            let began = try #require(bench.beginning(ofAttempt: number)) - detection
            #expect(abs(began.wholeNanoseconds / 1_000_000 - expected) <= 1, "attempt \(number)")
        }
        #expect(bench.beginning(ofAttempt: 11) == nil)
    }
}
