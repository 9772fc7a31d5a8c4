import AppCoordination
@testable import KodamaEvidence
@testable import KodamaLanguage
@testable import KodamaNetwork
@testable import KodamaSession
import RealtimeVoice
import SansIO
import Testing

@Suite("What a room object lacks that says that it is connected (RS-11)")
struct SessionLackTests {
    private func run(
        _ defects: SDKDefects,
        _ voice: VoiceMode,
        _ timeline: [(Duration, TimedAct)],
        _ configuration: RealtimeSessionConfiguration = RealtimeSessionConfiguration()
    ) throws -> WorldRun {
        var plan = WorldPlan.session(voice, lasting: .seconds(150))
        var app = SessionAppPlan()
        app.sdk.defects = defects
        app.configuration.session = configuration
        plan.phones[0].apps = [AppPlan(app, start: .opened(at: .zero))]
        for (time, act) in timeline { plan.at(time, act) }
        return try WorldRun(plan)
    }

    @Test(
        "Signalling that dies after a resume is dead unnoticed, unless the SDK goes on pinging (Z1)",
        arguments: [VoiceMode.reachability, .sized]
    )
    func forgottenPings(voice: VoiceMode) throws {
        // The SDK's pings find the first cut within 20 s, and a resume heals it.
        let timeline: [(Duration, TimedAct)] = [
            (.seconds(10), .phone(.block(nil, .signalling, lasting: .seconds(25)))),
            (.seconds(60), .phone(.block(nil, .signalling, lasting: .seconds(50)))),
        ]
        var ideal = SDKDefects.faithful
        ideal.forgetsPingsAfterResume = false
        for (defects, isUnnoticed) in [(SDKDefects.faithful, true), (ideal, false)] {
            let run = try run(defects, voice, timeline)
            let times = try #require(run.distribution("session.signalling.unnoticed.time"))
            let longest = try #require(times.quantile(perMille: 1_000))
            #expect((longest > 30_000_000_000) == isUnnoticed, "\(longest)")
            #expect(run.violationCount == 0)
        }
    }

    @Test(
        "A full reconnect that failed leaves no transport, unless the SDK tries on (Z2)",
        arguments: [VoiceMode.reachability, .sized]
    )
    func failedFull(voice: VoiceMode) throws {
        let leave = RoomServerFault.leave(
            identity: "mika-phone",
            .init(.reconnect, .stateMismatch)
        )
        let timeline: [(Duration, TimedAct)] = [
            (.seconds(10), .rooms(leave)),
            (.milliseconds(10_100), .phone(.block(nil, nil, lasting: .seconds(20)))),
        ]
        func isHollow(
            _ defects: SDKDefects,
            _ configuration: RealtimeSessionConfiguration
        ) throws -> Bool {
            let run = try run(defects, voice, timeline, configuration)
            return try #require(run.count("session.transportless")) > 0
        }
        // Another defect would forget that the server asked for a full one.
        var faithful = SDKDefects.faithful
        faithful.losesFullMark = false
        var ideal = faithful
        ideal.takesEarlyFullFailureForSuccess = false
        #expect(try isHollow(faithful, .asSpecified))
        #expect(try !isHollow(ideal, .asSpecified))
        // The default preset believes what it hears.
        #expect(try !isHollow(faithful, RealtimeSessionConfiguration()))
    }
}
