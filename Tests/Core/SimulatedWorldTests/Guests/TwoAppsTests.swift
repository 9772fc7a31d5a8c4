@testable import KodamaEvidence
@testable import KodamaIntercom
@testable import KodamaLanguage
@testable import KodamaSession
import SansIO
import Testing

@Suite("Two apps that want one microphone")
struct TwoAppsTests {
    private static let second: Int64 = 1_000_000_000

    /// Mika's phone has the intercom open, and the voice session beside it, which she opens at 10 s.
    private static func run(
        _ happenings: (Duration, PhoneAct)...
    ) throws -> WorldRun {
        var plan = WorldPlan.pair(lasting: .seconds(40))
        plan.talk = [.monologue(person: "mika", at: .seconds(1), lasting: .seconds(38))]
        let session = WorldPlan.session(lasting: .seconds(40)).phones[0]
        plan.phones[0].radios = session.radios
        plan.phones[0].apps.append(AppPlan(SessionAppPlan(), start: .opened(at: .seconds(10))))
        for (time, act) in happenings { plan.at(time, .phone(act)) }
        return try WorldRun(plan)
    }

    private static func captured(_ run: WorldRun) -> [Int64] {
        run.records(FrameCaptured.self)
            .filter { run.phone(of: $0.component) == "mika-phone" }
            .map(\.instant.nanoseconds)
    }

    @Test(
        "The session that is opened takes the microphone; who comes back to the intercom talks there"
    )
    func taken() throws {
        let run = try Self.run(
            (.seconds(20), .killApp("session")),
            (.seconds(22), .openApp("intercom"))
        )
        let frames = Self.captured(run)
        let before = frames.filter { $0 < 10 * Self.second }
        #expect(before.count > 490)
        let last = try #require(frames.last { $0 < 20 * Self.second })
        #expect(last < 13 * Self.second, "the session has begun")
        let back = try #require(frames.first { $0 > 15 * Self.second })
        #expect((22 * Self.second..<23 * Self.second) ~= back)
        #expect(frames.count { $0 > 22 * Self.second } > 800)
        let heard = run.values(VoiceHeard.self).filter { $0.direction.value == .fromPhone }
        #expect(heard.contains { (14 * Self.second..<20 * Self.second) ~= $0.heard.nanoseconds })
        #expect(heard.allSatisfy { $0.heard.nanoseconds < 21 * Self.second })
        #expect(run.violationCount == 0)
    }

    @Test("The trace says which of the phone's apps its user opens or kills")
    func named() throws {
        let run = try Self.run(
            (.seconds(20), .killApp("session")),
            (.seconds(22), .openApp("intercom"))
        )
        let apps = run.records(UserActed.self).map { run.trace.directory.name(of: $0.subject) }
        #expect(apps == ["mika-phone.session", "mika-phone.session", "mika-phone.intercom"])
    }

    @Test("At no time is a frame both apps'")
    func oneOwner() throws {
        let run = try Self.run(
            (.seconds(18), .openApp("intercom")),
            (.seconds(23), .openApp("session")),
            (.seconds(28), .openApp("intercom"))
        )
        let frames = Self.captured(run)
        for second in [5, 20, 32] as [Int64] {
            #expect(frames.contains { abs($0 - second * Self.second) < 20_000_000 }, "\(second) s")
        }
        let heard = run.values(VoiceHeard.self).filter { $0.direction.value == .fromPhone }
        for second in [15, 26] as [Int64] {
            #expect(
                heard.contains { abs($0.captured.nanoseconds - second * Self.second) < 20_000_000 },
                "\(second) s"
            )
        }
        for frame in heard {
            let sound = frame.captured.nanoseconds
            // A frame of the intercom's is written down when its 20 ms and the input's buffers are over.
            let both = frames.contains { abs($0 - 25_000_000 - sound) < 20_000_000 }
            #expect(!both, "\(sound) ns is in a frame of both")
        }
    }

    @Test("The app in the background doesn't take the microphone back by itself")
    func background() throws {
        let run = try Self.run()
        let frames = Self.captured(run)
        #expect(!frames.contains { $0 > 14 * Self.second })
    }
}
