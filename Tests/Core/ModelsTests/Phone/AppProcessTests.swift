@testable import KodamaPhone
@testable import KodamaSimulation
import SansIO
import SansIOTesting
import Testing

private typealias Effect = AppProcess.Effect

@Suite("An app's process")
struct AppProcessTests {
    static let launches = RandomStream(seed: 1, purpose: "launch", entity: "mika-phone")
    private static let task = OperationID(number: 7)
    private static let duty = OperationID(number: 1)

    /// A phone that launches every app in 0.6 s.
    static var configuration: PhoneSystemConfiguration {
        var configuration = PhoneSystemConfiguration()
        configuration.launch.sigmaMillionths = 0
        return configuration
    }

    /// A story whose process runs since 0.6 s.
    private func running() throws -> Transcript<AppProcess> {
        var story = Transcript(
            AppProcess(launches: Self.launches, configuration: Self.configuration)
        )
        try story.expect(.opened(.user), at: .zero) { Effect.launch }
        try story.expectWake(at: .milliseconds(600)) { Effect.launched(.user) }
        return story
    }

    /// A story whose process is in the background since 10 s and has a task open.
    private func busy() throws -> Transcript<AppProcess> {
        var story = try running()
        try story.expect(.backgroundTaskBegan(Self.task), at: .seconds(9))
        try story.expect(.movedToBackground(true), at: .seconds(10))
        return story
    }

    @Test("A launch takes a time that is the app's own draw, another one each time (HN-01)")
    func launchTimes() {
        func times(_ entity: String) -> [Int64] {
            var process = AppProcess(
                launches: RandomStream(seed: 1, purpose: "launch", entity: entity),
                configuration: PhoneSystemConfiguration()
            )
            return (1...20).map { _ in
                process.handle(.opened(.user), at: .zero)
                let time = process.deadline?.instant.nanoseconds ?? 0
                process.handle(.killed(.user), at: .zero)
                return time
            }
        }
        let own = times("mika-phone")
        #expect(own == times("mika-phone"))
        #expect(own != times("taro-phone"))
        #expect(own.allSatisfy { (100_000_000...3_000_000_000).contains($0) })
        #expect(own.contains { $0 != own[0] })
    }

    @Test("A killed launch is void, and the next one is another")
    func killedLaunch() throws {
        var story = Transcript(
            AppProcess(launches: Self.launches, configuration: Self.configuration)
        )
        try story.expect(.opened(.user), at: .zero) { Effect.launch }
        try story.expect(.killed(.user), at: .milliseconds(100)) { Effect.kill(.user) }
        try story.expect(.opened(.user), at: .milliseconds(200)) { Effect.launch }
        try story.expectWake(at: .milliseconds(600))
        try story.expectWake(at: .milliseconds(800)) { Effect.launched(.user) }
        #expect(story.machine.launchCount == 2)
    }

    @Test("In the background it is suspended after 5 s without sound")
    func suspension() throws {
        var story = try running()
        try story.expect(.movedToBackground(true), at: .seconds(10))
        try story.expectWake(at: .seconds(15)) { Effect.suspend }
        try story.expect(.opened(.user), at: .seconds(20)) { Effect.resume(asleep: .seconds(5)) }
        #expect(story.machine.phase == .running)
    }

    @Test("Sound keeps it running; the grace counts from its end")
    func sound() throws {
        var story = try running()
        try story.expect(.soundChanged(isOn: true), at: .seconds(1))
        try story.expect(.movedToBackground(true), at: .seconds(10))
        #expect(story.machine.deadline == nil)
        try story.expect(.soundChanged(isOn: false), at: .seconds(100))
        try story.expectWake(at: .seconds(105)) { Effect.suspend }
    }

    /// A story whose sound a call took at 60 s, and which was suspended for it.
    private func silenced(
        _ configuration: PhoneSystemConfiguration = AppProcessTests.configuration
    ) throws -> Transcript<AppProcess> {
        var story = Transcript(AppProcess(launches: Self.launches, configuration: configuration))
        try story.expect(.opened(.user), at: .zero) { Effect.launch }
        try story.expectWake(at: .milliseconds(600)) { Effect.launched(.user) }
        try story.expect(.soundChanged(isOn: true), at: .seconds(1))
        try story.expect(.movedToBackground(true), at: .seconds(10))
        try story.expect(.soundChanged(isOn: false), at: .seconds(60))
        try story.expectWake(at: .seconds(65)) { Effect.suspend }
        return story
    }

    @Test("After a call that took its audio it runs again, for 5 s unless it sounds (RS-15)")
    func afterCall() throws {
        var story = try silenced()
        try story.expect(.wokenForAudio, at: .seconds(180)) {
            Effect.resume(asleep: .seconds(115))
        }
        var silent = story
        try silent.expectWake(at: .seconds(185)) { Effect.suspend }
        try story.expect(.soundChanged(isOn: true), at: .seconds(181))
        #expect(story.machine.deadline == nil)
    }

    @Test("A system that resumes nobody after calls leaves it suspended")
    func notAfterCall() throws {
        var configuration = Self.configuration
        configuration.resumesAfterCalls = false
        var story = try silenced(configuration)
        try story.expect(.wokenForAudio, at: .seconds(180))
        #expect(story.machine.phase == .suspended)
    }

    @Test("A background task that the expiration handler ends lets it be suspended after 30 s")
    func taskEnded() throws {
        var story = try busy()
        try story.expectWake(at: .seconds(40)) { Effect.expireBackgroundTime(Self.duty) }
        try story.expect(.backgroundTaskEnded(Self.task), at: .seconds(40))
        try story.expect(.handlerReturned(Self.duty), at: .seconds(40)) { Effect.suspend }
    }

    @Test("A background task that is open when the expiration handler returns ends the process")
    func taskOverrun() throws {
        var story = try busy()
        try story.expectWake(at: .seconds(40)) { Effect.expireBackgroundTime(Self.duty) }
        try story.expect(.handlerReturned(OperationID(number: 9)), at: .seconds(40))
        try story.expect(.handlerReturned(Self.duty), at: .seconds(40)) {
            Effect.kill(.backgroundTaskOverrun)
        }
        #expect(story.machine.phase == .notRunning)
    }

    @Test("A process that is to be suspended while it holds a lock on a file is ended (0xdead10cc)")
    func lockedFile() throws {
        var story = try busy()
        try story.expect(.fileLockChanged(isHeld: true), at: .seconds(11))
        var asking = story
        try asking.expect(.fileLockChanged(isHeld: false), at: .seconds(12))
        try asking.expect(.backgroundTaskEnded(Self.task), at: .seconds(12))
        try asking.expectWake(at: .seconds(15)) { Effect.suspend }
        try story.expect(.backgroundTaskEnded(Self.task), at: .seconds(12))
        try story.expectWake(at: .seconds(15)) { Effect.kill(.fileLockHeld) }
        #expect(story.machine.phase == .notRunning)
    }

    @Test("A user who comes back while the expiration handler runs saves the process")
    func returned() throws {
        var story = try busy()
        try story.expectWake(at: .seconds(40)) { Effect.expireBackgroundTime(Self.duty) }
        try story.expect(.opened(.user), at: .seconds(40))
        try story.expect(.handlerReturned(Self.duty), at: .seconds(40))
        #expect(story.machine.phase == .running)
    }

    @Test("The process keeps the laws of its contract", arguments: 0..<4 as Range<UInt64>)
    func laws(decade: UInt64) throws {
        for seed in decade * 50..<decade * 50 + 50 {
            try checkLaws(
                seed: seed,
                steps: 300,
                make: {
                    AppProcess(
                        launches: Self.launches,
                        configuration: PhoneSystemConfiguration()
                    )
                },
                event: { random, _ in Self.event(&random) }
            )
        }
    }

    private static func event(_ random: inout LawRandom) -> AppProcess.Event {
        let number = OperationID(number: UInt32(random.below(3)))
        switch random.below(12) {
        case 0: return .opened(.notification)
        case 1: return .opened(.user)
        case 2: return .soundChanged(isOn: random.chance(percent: 40))
        case 3: return .backgroundTaskBegan(number)
        case 4: return .backgroundTaskEnded(number)
        case 5: return .handlerReturned(number)
        case 7: return .wokenForPush
        case 8: return .wokenForCall
        case 9: return .callsChanged([.none, .ringing, .going][random.below(3)])
        case 10: return .wokenForAudio
        case 6: return random.chance(percent: 30) ? .killed(.user) : .opened(.user)
        default: return .movedToBackground(random.chance(percent: 70))
        }
    }
}
