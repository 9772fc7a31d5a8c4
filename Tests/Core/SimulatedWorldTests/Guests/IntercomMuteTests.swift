@testable import KodamaEvidence
@testable import KodamaIntercom
@testable import KodamaLanguage
import SansIO
import Testing

@Suite("What users do with the microphone of an intercom (K-22)")
struct IntercomMuteTests {
    private static let second: Int64 = 1_000_000_000

    /// Mika talks without a pause up to 16.5 s, and does this to her phone.
    private func run(_ happenings: (Duration, TimedAct)...) throws -> WorldRun {
        var plan = WorldPlan.story(lasting: .seconds(20), for: .seconds(16))
        for (time, act) in happenings { plan.at(time, act) }
        return try WorldRun(plan)
    }

    private static func intercom(_ act: IntercomAct) -> TimedAct {
        TimedAct(act, to: "mika-phone.intercom")
    }

    private func acts(_ run: WorldRun) -> [UserAct] {
        run.acts(of: "mika-phone")
    }

    /// When what Taro hears was captured.
    private func heard(_ run: WorldRun) -> [Int64] {
        run.values(FramePlayed.self, of: "taro-phone").map(\.captured.nanoseconds)
    }

    @Test("Nothing of a mute is heard, and from the unmute on every word is (K-22, K-15)")
    func mutes() throws {
        let run = try run(
            (.milliseconds(3_003), Self.intercom(.mute)),
            (.milliseconds(6_007), Self.intercom(.unmute))
        )
        #expect(acts(run) == [.mute, .unmute])
        let heard = heard(run)
        #expect(!heard.contains { (3_003_000_000..<5_987_000_000) ~= $0 })
        #expect(heard.contains { (2_940_000_000..<3_003_000_000) ~= $0 })
        #expect(heard.contains { (5_987_000_000..<6_027_000_000) ~= $0 })
        #expect(heard.count { $0 > 6 * Self.second } > 480)
        #expect(run.violationCount == 0)
        #expect(run.count("voice.conduct.breaches") == 0)
        let clipped = run.distribution("voice.onset.clipped.listener.time")
        #expect(clipped?.count == 2 && clipped?.maximum ?? .max <= 20_000_000)
        #expect(run.distribution("voice.concealed.run.time")?.count == 0)
        #expect(run.proportion("voice.concealed")?.numerator == 0)
    }

    @Test("The record names the app, so that no session of the phone takes the mute for its own")
    func named() throws {
        let run = try run((.seconds(3), Self.intercom(.mute)))
        let records = run.records(UserActed.self) + run.records(MicrophoneMuted.self)
        let names = records.map {
            run.trace.directory.name(of: $0.kind == UserActed.kind ? $0.subject : $0.component)
        }
        #expect(names == ["mika-phone.intercom", "mika-phone.intercom"])
        #expect(run.metrics.first { $0.name == "conduct.breaches" }?.samples == 0)
    }

    @Test("Who mutes opens the app that was left or killed, and it hears of that once it runs")
    func opened() throws {
        for away in [PhoneAct.leaveApp, .killApp("intercom")] {
            let run = try run(
                (.seconds(3), .phone(away)),
                (.seconds(6), Self.intercom(.mute))
            )
            #expect(acts(run).suffix(2) == [.openApp, .mute])
            let muted = try #require(run.records(MicrophoneMuted.self).first).instant.nanoseconds
            #expect(!heard(run).contains { $0 >= muted })
            #expect(run.violationCount == 0)
        }
    }

    @Test("An app that is launched anew begins with the microphone on")
    func launchedAnew() throws {
        let run = try run(
            (.seconds(3), Self.intercom(.mute)),
            (.seconds(5), .phone(.killApp("intercom"))),
            (.seconds(7), .phone(.openApp("intercom")))
        )
        let changes = run.records(MicrophoneMuted.self)
        #expect(changes.map { MicrophoneMuted($0).isMuted.isSet } == [true, false])
        #expect(changes.last?.instant.nanoseconds == 5 * Self.second)
        #expect(heard(run).count { $0 > 10 * Self.second } > 250)
        #expect(run.violationCount == 0)
    }

    @Test("A mute that is repeated is done twice and written down as one")
    func repeated() throws {
        let run = try run(
            (.seconds(3), Self.intercom(.mute)),
            (.seconds(4), Self.intercom(.mute)),
            (.seconds(5), Self.intercom(.unmute))
        )
        #expect(acts(run) == [.mute, .mute, .unmute])
        #expect(run.records(MicrophoneMuted.self).count == 2)
    }
}
