@testable import KodamaEvidence
@testable import KodamaLanguage
@testable import KodamaSession
@testable import KodamaSimulation
import SansIO
import Testing

@Suite("Users who speak into the agent's answers")
struct SessionTurnTests {
    private func run(_ listener: ListenerConfiguration, seed: UInt64 = 1) throws -> WorldRun {
        var plan = WorldPlan.session(lasting: .seconds(63))
        var app = SessionAppPlan()
        app.listener = listener
        plan.phones[0].apps = [AppPlan(app, start: .opened(at: .zero))]
        return try WorldRun(plan, seed: seed)
    }

    private func stops(_ run: WorldRun) throws -> Proportion {
        let metric = run.metrics.first { $0.name == "turns.backchannel.stops" }
        guard case .proportion(let share) = try #require(metric).value else {
            throw Lacking()
        }
        return share
    }

    private struct Lacking: Error {}

    @Test("An interruption stops the agent half a second and a round trip after it began (K-09)")
    func bargeIns() throws {
        var listener = ListenerConfiguration()
        listener.bargesIn = .one
        for seed in 1...3 as ClosedRange<UInt64> {
            let run = try run(listener, seed: seed)
            let metric = run.metrics.first { $0.name == "turns.barge_in.time" }
            guard case .distribution(let times) = try #require(metric).value else {
                throw Lacking()
            }
            #expect(times.count >= 3)
            #expect((try #require(times.minimum)) > 500_000_000)
            #expect((try #require(times.maximum)) < 1_000_000_000)
            #expect(try stops(run).denominator == 0)
        }
    }

    @Test("A backchannel stops the agent only if it is as long as an interruption (K-09)")
    func backchannels() throws {
        var listener = ListenerConfiguration()
        listener.backchannels = .one
        listener.backchannel = LatencyLaw(median: .milliseconds(150), sigmaMillionths: 0)
        let short = try stops(try run(listener))
        #expect(short.denominator >= 3 && short.numerator == 0)
        listener.backchannel = LatencyLaw(median: .milliseconds(900), sigmaMillionths: 0)
        let long = try stops(try run(listener))
        #expect(long.denominator >= 3 && long.numerator == long.denominator)
    }

    @Test("Who says nothing into answers leaves no record of it")
    func silent() throws {
        let run = try run(ListenerConfiguration())
        #expect(run.records(Interjected.self).isEmpty && run.records(AgentFellSilent.self).isEmpty)
    }
}
