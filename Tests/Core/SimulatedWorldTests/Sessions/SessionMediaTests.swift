@testable import KodamaEvidence
@testable import KodamaLanguage
@testable import KodamaNetwork
@testable import KodamaPhone
@testable import KodamaSession
import RealtimeVoice
import SansIO
import Testing

@Suite("Voice computed from the state of the path is heard when frames would be")
struct SessionMediaTests {
    /// What happens to the path, each on a clean link so that nothing but the path decides.
    enum Trouble: String, CaseIterable {
        case blackHole
        case offline
        case mediaCut
        case signallingCut
        case handover
        case flapping
        case serverRestart

        func befall(_ plan: inout WorldPlan) {
            switch self {
            case .blackHole: plan.at(.milliseconds(10_500), block(nil, lasting: 12))
            case .mediaCut: plan.at(.milliseconds(10_500), block(.media, lasting: 20))
            case .signallingCut: plan.at(.milliseconds(10_500), block(.signalling, lasting: 30))
            case .offline:
                for interface in [NetworkInterface.wifi, .cellular] {
                    plan.at(.milliseconds(10_500), radio(interface, isUp: false))
                    plan.at(.milliseconds(18_500), radio(interface, isUp: true))
                }
            case .handover: plan.at(.milliseconds(10_500), radio(.wifi, isUp: false))
            case .flapping:
                for start in stride(from: 10, through: 30, by: 5) as StrideThrough<Int64> {
                    plan.at(.milliseconds(start * 1_000 + 500), block(nil, lasting: 3))
                }
            case .serverRestart:
                plan.at(.milliseconds(10_500), .rooms(.restart(downtime: .seconds(5))))
            }
        }

        private func block(_ traffic: TrafficClass?, lasting seconds: Int64) -> TimedAct {
            .phone(.block(nil, traffic, lasting: .seconds(seconds)))
        }

        private func radio(_ interface: NetworkInterface, isUp: Bool) -> TimedAct {
            .phone(.radio(interface, isUp: isUp, .immediate))
        }
    }

    /// Frames come every 20 ms and show a change that much late; a voice that ends is missed when the
    /// next frame fails, one that begins is heard with the next frame.
    private static let tolerance: Int64 = 45_000_000

    @Test(
        "Every absence begins, ends and is accounted for alike with frames and without (K-01a)",
        arguments: Trouble.allCases
    )
    func agreement(trouble: Trouble) throws {
        for seed in 1...5 as ClosedRange<UInt64> {
            var plan = WorldPlan.session(lasting: .seconds(90))
            trouble.befall(&plan)
            let carried = try WorldRun(plan.carrying(.sized), seed: seed)
            let computed = try WorldRun(plan.carrying(.reachability), seed: seed)
            for name in [
                "session.connect.time", "session.reconnect.whole.time", "session.recovery.time",
                "session.audio.lost.time", "session.false_connected.time",
            ] {
                try expectAlike(name, carried, computed, "\(trouble), seed \(seed)")
            }
            #expect(carried.violationCount == 0 && computed.violationCount == 0)
            #expect(computed.records(VoiceHeard.self).isEmpty)
        }
    }

    @Test(
        "The server gives a dark phone and its room up at the same time with frames and without",
        arguments: [10_500, 11_300, 12_100, 12_900] as [Int64]
    )
    func givenUp(cut: Int64) throws {
        var plan = WorldPlan.session(lasting: .seconds(120))
        plan.at(.milliseconds(cut), .phone(.block(nil, nil, lasting: .seconds(80))))
        let carried = try WorldRun(plan.carrying(.sized))
        let computed = try WorldRun(plan.carrying(.reachability))
        for form in [ParticipantLeft.self, AgentClosed.self] as [any TraceForm.Type] {
            let one = try #require(carried.records(form).first).instant.nanoseconds
            let other = try #require(computed.records(form).first).instant.nanoseconds
            let since = [one, other].map { $0 / 1_000_000 - cut }
            #expect(abs(one - other) <= 100_000_000, "\(form): \(since)")
        }
    }

    private func expectAlike(
        _ name: String,
        _ carried: WorldRun,
        _ computed: WorldRun,
        _ case: String
    ) throws {
        let one = try #require(carried.distribution(name))
        let other = try #require(computed.distribution(name))
        #expect(one.count == other.count, "\(name), \(`case`)")
        for perMille in [0, 500, 1_000] {
            guard let left = one.quantile(perMille: perMille),
                let right = other.quantile(perMille: perMille)
            else { continue }
            #expect(abs(left - right) <= Self.tolerance, "\(name), \(`case`): \(left), \(right)")
        }
    }
}
