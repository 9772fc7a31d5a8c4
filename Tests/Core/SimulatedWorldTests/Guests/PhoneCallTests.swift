@testable import KodamaEvidence
@testable import KodamaIntercom
@testable import KodamaLanguage
import SansIO
import Testing

@Suite("A phone call in the middle of an intercom conversation")
struct PhoneCallTests {
    private static let second: Int64 = 1_000_000_000

    /// Mika and Taro talk from 1 s to the end; Mika's phone has a phone call from 10 s to 20 s.
    private static func run(seed: UInt64 = 1) throws -> WorldRun {
        var plan = WorldPlan.pair(lasting: .seconds(30))
        plan.talk = ["mika", "taro"].map {
            .monologue(person: $0, at: .seconds(1), lasting: .seconds(28))
        }
        plan.at(.seconds(10), .phone(.phoneCallBegins))
        plan.at(.seconds(20), .phone(.phoneCallEnds))
        return try WorldRun(plan, seed: seed)
    }

    @Test("The microphone hears nothing for the intercom during the call, and goes on right after")
    func microphone() throws {
        let run = try Self.run()
        let frames = run.records(FrameCaptured.self).filter {
            run.phone(of: $0.component) == "mika-phone"
        }
        let inCall = frames.filter {
            (10 * Self.second..<20 * Self.second) ~= $0.instant.nanoseconds
        }
        #expect(inCall.isEmpty)
        let after = frames.filter { $0.instant.nanoseconds >= 20 * Self.second }
        let first = try #require(after.first)
        #expect(first.instant.nanoseconds < 20 * Self.second + 50_000_000)
        // The clock went on: frames keep their numbers.
        #expect(FrameCaptured(first).index == first.instant.nanoseconds / 20_000_000 - 1)
        #expect(after.count > 400)
    }

    @Test("The others hear the end of what was said, and a new beginning after the call")
    func others() throws {
        let run = try Self.run()
        let played = run.records(FramePlayed.self).filter {
            run.phone(of: $0.component) == "taro-phone"
        }
        let captured = played.map { FramePlayed($0).captured.nanoseconds }
        #expect(!captured.contains { (10 * Self.second..<20 * Self.second) ~= $0 })
        #expect(captured.contains { $0 > 20 * Self.second })
        // Nothing is made up for ten seconds: the end mark told that the spurt was over.
        let concealed = run.records(FrameConcealed.self).filter {
            (11 * Self.second..<20 * Self.second) ~= $0.instant.nanoseconds
        }
        #expect(concealed.isEmpty)
        #expect(run.violationCount == 0)
    }

    @Test("Nothing of the intercom is played during the call, and nothing old after it")
    func speaker() throws {
        let run = try Self.run()
        let played = run.records(FramePlayed.self).filter {
            run.phone(of: $0.component) == "mika-phone"
        }
        let inCall = played.filter {
            (10 * Self.second..<20 * Self.second) ~= $0.instant.nanoseconds
        }
        #expect(inCall.isEmpty)
        let after = played.filter { $0.instant.nanoseconds >= 20 * Self.second }
        #expect(after.count > 400)
        let old = after.filter { FramePlayed($0).captured.nanoseconds < 19_900_000_000 }
        #expect(old.isEmpty)
    }

    @Test("A phone in the pocket goes on right after a call in which its app was suspended (RS-15)")
    func pocket() throws {
        var plan = WorldPlan.pair(lasting: .seconds(40))
        plan.talk = ["mika", "taro"].map {
            .monologue(person: $0, at: .seconds(1), lasting: .seconds(38))
        }
        plan.at(.seconds(5), .phone(.lock))
        plan.at(.seconds(8), .phone(.phoneCallBegins))
        plan.at(.seconds(28), .phone(.phoneCallEnds))
        let run = try WorldRun(plan, seed: 1)
        let times = run.records(FrameCaptured.self)
            .filter { run.phone(of: $0.component) == "mika-phone" }
            .map(\.instant.nanoseconds)
        #expect(!times.contains { (8 * Self.second..<28 * Self.second) ~= $0 })
        let after = times.filter { $0 >= 28 * Self.second }
        #expect(after.count > 500)
        let first = try #require(after.first)
        #expect(first < 28 * Self.second + 50_000_000)
        #expect(run.violationCount == 0)
    }
}
