import AppCoordination
import CoachAccount
import CoachExchange
import SansIO
import SansIOTesting
import Testing
import WakeFlow

@Suite("What the coach has its account do")
struct CoachErrandTests {
    private typealias Effect = CoachAccountEffect

    private static let ada = CoachAccountTests.ada
    private static let one = OperationID(number: 1)
    private static let noon = WallTime(secondsSince1970: 1_795_834_800)
    private static let link = CoachAnswer.link(url: "/wake/1", timeToLive: .seconds(60))
    private static let stored = WakeFlow.AudioAnswer.stored(name: "a.caf", length: .seconds(9))

    /// An account whose user has a cloned voice.
    private func story() throws -> Transcript<CoachAccountCoordinator> {
        var story = Transcript(CoachAccountTests.machine())
        try story.expect(.voice(.opened(.registered(profile: "p", voice: "v"))), at: .zero) {
            Effect.voice(.destroyRecording)
            Effect.voice(.show(.registered))
        }
        return story
    }

    @Test("The wake audio is asked for by the voice's profile, downloaded and handed over (AN-01)")
    func audio() throws {
        var story = try story()
        for number in 1...2 as ClosedRange<UInt32> {
            let id = OperationID(number: number)
            try story.expect(.errand(.audioWanted(id)), at: .zero) {
                Effect.callServer(.preload, id, .presignWake(profile: "p"), session: Self.ada)
            }
            try story.expect(.serverAnswered(.preload, id, Self.link), at: .zero) {
                Effect.download(id, url: "/wake/1")
            }
            try story.expect(.serverAnswered(.preload, id, Self.link), at: .zero)
            try story.expect(.errand(.audioDownloaded(id, Self.stored)), at: .zero) {
                Effect.answerCoach(.audioFetched(id, Self.stored))
            }
        }
    }

    @Test(
        "Without a voice, a link or a file there is no audio, and a limit is shown (AN-01, AN-20)"
    )
    func noAudio() throws {
        var without = Transcript(CoachAccountTests.machine())
        try without.expect(.errand(.audioWanted(Self.one)), at: .zero) {
            Effect.answerCoach(.audioFetched(Self.one, .failed))
        }
        var story = try story()
        let limit = UsageCount(kind: .wakeLinks, used: 1, allowed: 1, resetsIn: .seconds(60))
        for answer in [CoachAnswer.limited(limit), .failed] {
            try story.expect(.errand(.audioWanted(Self.one)), at: .zero) {
                Effect.callServer(.preload, Self.one, .presignWake(profile: "p"), session: Self.ada)
            }
            let shown = answer == .failed ? [] : [Effect.showLimits([.wakeLinks])]
            try story.expect(.serverAnswered(.preload, Self.one, answer), at: .zero) {
                shown
                Effect.answerCoach(.audioFetched(Self.one, .failed))
            }
        }
    }

    @Test("What is not wanted any more is cancelled, and not handed over")
    func unwanted() throws {
        var story = try story()
        try story.expect(.errand(.audioWanted(Self.one)), at: .zero) {
            Effect.callServer(.preload, Self.one, .presignWake(profile: "p"), session: Self.ada)
        }
        try story.expect(.errand(.unwanted(Self.one)), at: .zero) {
            Effect.cancelCall(.preload, Self.one)
        }
        try story.expect(.serverAnswered(.preload, Self.one, Self.link), at: .zero)
        try story.expect(.errand(.audioWanted(Self.one)), at: .zero) {
            Effect.callServer(.preload, Self.one, .presignWake(profile: "p"), session: Self.ada)
        }
        try story.expect(.serverAnswered(.preload, Self.one, Self.link), at: .zero) {
            Effect.download(Self.one, url: "/wake/1")
        }
        try story.expect(.errand(.unwanted(Self.one)), at: .zero) {
            Effect.cancelDownload(Self.one)
        }
        try story.expect(.errand(.audioDownloaded(Self.one, Self.stored)), at: .zero)
    }

    @Test("A sync is answered after its time: by whether the outboxes are empty (AN-20)")
    func sync() throws {
        for isEmpty in [false, true] {
            var story = Transcript(CoachAccountTests.machine())
            try story.expect(.errand(.syncWanted(Self.one)), at: .zero) {
                Effect.load(.reflections, Self.one, countMax: 1)
                Effect.load(.metrics, Self.one, countMax: OutboxDelivery.metricsPerRequest)
            }
            if isEmpty {
                for outbox in [OutboxDelivery.Outbox.reflections, .metrics] {
                    try story.expect(.loaded(outbox, Self.one, .empty), at: .zero) {
                        Effect.showDelivery(outbox, .delivered)
                    }
                }
            }
            try story.expectWake(at: .seconds(4)) {
                Effect.answerCoach(.conversationSynced(Self.one, accepted: isEmpty))
            }
        }
    }

    @Test("A summary is sent for the guide, which hears whether the server has it (AN-05)")
    func summary() throws {
        let summary = OfflineSummary(key: "a/1", beganAt: Self.noon, user: "ada")
        var story = Transcript(CoachAccountTests.machine())
        for answer in [CoachAnswer.accepted, .failed] {
            try story.expect(.errand(.summaryWanted(Self.one, summary)), at: .zero) {
                Effect.callServer(
                    .guide,
                    Self.one,
                    .summary(SummaryReport(summary)),
                    session: Self.ada
                )
            }
            let isAccepted = answer == .accepted
            try story.expect(.serverAnswered(.guide, Self.one, answer), at: .zero) {
                Effect.answerCoach(.summaryAnswered(Self.one, accepted: isAccepted))
            }
        }
        try story.expect(.errand(.summaryUnwanted(Self.one)), at: .zero) {
            Effect.cancelCall(.guide, Self.one)
        }
    }

    @Test(
        "A summary that the server rejects for what it says is not sent for ever, and holds up none (AN-05)"
    )
    func rejectedSummary() throws {
        let summary = OfflineSummary(key: "a/1", beganAt: Self.noon, user: "ada")
        var story = Transcript(CoachAccountTests.machine())
        for answer in [
            CoachAnswer.rejected("it is no summary"), .gone, .busy(RetryAfter(.seconds(5))),
        ] {
            try story.expect(.errand(.summaryWanted(Self.one, summary)), at: .zero) {
                Effect.callServer(
                    .guide,
                    Self.one,
                    .summary(SummaryReport(summary)),
                    session: Self.ada
                )
            }
            let isSettled = answer == .gone || answer == .rejected("it is no summary")
            try story.expect(.serverAnswered(.guide, Self.one, answer), at: .zero) {
                Effect.answerCoach(.summaryAnswered(Self.one, accepted: isSettled))
            }
        }
    }

    @Test("Each process that finds the voice's deletion under way tells the coach (AN-04)")
    func deletionUnderWay() throws {
        for _ in 0..<2 {
            var next = Transcript(CoachAccountTests.machine())
            try next.expect(.voice(.opened(.deleting(profile: "p"))), at: .zero) {
                Effect.voice(.destroyRecording)
                Effect.voice(.destroyVoiceKey)
                Effect.voice(.show(.deleting))
                Effect.answerCoach(.voiceDeleted)
                Effect.callServer(.voice, Self.one, .deleteVoice(profile: "p"), session: Self.ada)
            }
        }
    }
}
