import CoachAccount
import CoachExchange
import CoachStore
import SansIO
import SansIOTesting
import Testing

@Suite("Onboarding's seven steps go on where they stopped (AN-14)")
struct OnboardingTests {
    @Test("A kill at every step shows no step twice that was kept, and leaves none out")
    func kills() throws {
        for killAt in 0...14 {
            let town = try CoachTown(seed: 1)
            if killAt > 0 { town.killAt = killAt }
            var shown: [OnboardingStep] = []
            let machine: Onboarding = try town.run {
                (Onboarding(), [.opened(try town.store.onboardingProgress())])
            } perform: { effect in
                switch effect {
                case .keep(let operation, let progress):
                    try town.store.keep(progress, at: town.wall)
                    return .kept(operation, isKept: true)
                case .show(let step):
                    shown.append(step)
                    return .stepEnded(step, step == .microphone ? .declined : .done)
                case .finished: return nil
                }
            }
            #expect(machine.isFinished, "killed before step \(killAt)")
            #expect(machine.progress.outcomes.count == 7)
            #expect(machine.progress.outcome(of: .microphone) == .declined)
            #expect(shown.count <= 8)
            var order: [OnboardingStep] = []
            for step in shown where order.last != step { order.append(step) }
            #expect(order == OnboardingStep.allCases, "killed before step \(killAt)")
        }
    }

    @Test("A step that is not shown ends nothing, and a store that refuses is asked again")
    func patience() throws {
        var story = Transcript(Onboarding())
        let first = OnboardingProgress(outcomes: [.done])
        try story.expect(.opened(OnboardingProgress()), at: .zero) {
            Onboarding.Effect.show(.welcome)
        }
        try story.expect(.stepEnded(.voice, .done), at: .zero)
        try story.expect(.stepEnded(.welcome, .done), at: .zero) {
            Onboarding.Effect.keep(OperationID(number: 1), first)
        }
        try story.expect(.kept(OperationID(number: 1), isKept: false), at: .zero)
        try story.expectWake(at: .seconds(1)) {
            Onboarding.Effect.keep(OperationID(number: 2), first)
        }
        try story.expect(.kept(OperationID(number: 2), isKept: true), at: .seconds(1)) {
            Onboarding.Effect.show(.account)
        }
    }

    @Test("The onboarding keeps the laws of its contract", arguments: 0..<20 as Range<UInt64>)
    func laws(seed: UInt64) throws {
        try checkLaws(
            seed: seed,
            steps: 200,
            make: { Onboarding() },
            foreign: [
                .kept(OperationID(number: .max), isKept: true),
                .kept(OperationID(number: .max), isKept: false),
            ]
        ) { random, _ in
            let operation = OperationID(number: UInt32(1 + random.below(20)))
            switch random.below(4) {
            case 0: return .opened(OnboardingProgress(outcomes: [.done]))
            case 1: return .kept(operation, isKept: random.chance(percent: 70))
            default:
                let steps = OnboardingStep.allCases
                return .stepEnded(steps[random.below(7)], .done)
            }
        }
    }
}

@Suite("The own voice is heard in headphones only (AN-16)")
struct SelfTalkTests {
    private typealias Effect = SelfTalk.Effect

    private func operation(_ number: UInt32) -> OperationID { OperationID(number: number) }

    @Test("A phrase plays in headphones, in turn and not too often, and stops when they go")
    func headphones() throws {
        var story = Transcript(SelfTalk())
        try story.expect(.phrasesChanged(["a", "b"]), at: .zero)
        try story.expect(.triggerSeen, at: .zero)
        try story.expect(.outputChanged(.wiredHeadphones), at: .zero)
        try story.expect(.triggerSeen, at: .zero) { Effect.play(operation(1), phrase: "a") }
        try story.expect(.outputChanged(.loudspeaker), at: .seconds(1)) {
            Effect.stop(operation(1))
        }
        try story.expect(.outputChanged(.wiredHeadphones), at: .seconds(2))
        try story.expect(.triggerSeen, at: .seconds(299))
        try story.expect(.triggerSeen, at: .seconds(300)) { Effect.play(operation(2), phrase: "b") }
        try story.expect(.phraseEnded(operation(2)), at: .seconds(303))
        try story.expect(.outputChanged(.loudspeaker), at: .seconds(304))
    }

    @Test("A Bluetooth device counts when the user has said so; a call, or no voice, is silence")
    func others() throws {
        var story = Transcript(SelfTalk())
        try story.expect(.phrasesChanged(["a"]), at: .zero)
        try story.expect(.outputChanged(.bluetooth("car")), at: .zero)
        try story.expect(.triggerSeen, at: .zero)
        try story.expect(.headphonesConfirmed("car", true), at: .zero)
        try story.expect(.conversationChanged(isActive: true), at: .zero)
        try story.expect(.triggerSeen, at: .zero)
        try story.expect(.conversationChanged(isActive: false), at: .zero)
        try story.expect(.triggerSeen, at: .zero) { Effect.play(operation(1), phrase: "a") }
        try story.expect(.conversationChanged(isActive: true), at: .zero) {
            Effect.stop(operation(1))
        }
        try story.expect(.conversationChanged(isActive: false), at: .seconds(600))
        try story.expect(.triggerSeen, at: .seconds(600)) { Effect.play(operation(2), phrase: "a") }
        try story.expect(.phrasesChanged([]), at: .seconds(601)) { Effect.stop(operation(2)) }
        try story.expect(.triggerSeen, at: .seconds(1_200))
    }

    @Test("A phrase that plays is let end, and who takes a device back is not heard on it")
    func patience() throws {
        var story = Transcript(SelfTalk(headphones: ["x"]))
        try story.expect(.phrasesChanged(["a", "b"]), at: .zero)
        try story.expect(.outputChanged(.bluetooth("x")), at: .zero)
        try story.expect(.triggerSeen, at: .zero) { Effect.play(operation(1), phrase: "a") }
        try story.expect(.triggerSeen, at: .seconds(400))
        try story.expect(.phrasesChanged(["a", "b"]), at: .seconds(400))
        try story.expect(.headphonesConfirmed("y", false), at: .seconds(400))
        try story.expect(.phraseEnded(operation(1)), at: .seconds(401))
        try story.expect(.triggerSeen, at: .seconds(402)) { Effect.play(operation(2), phrase: "b") }
        try story.expect(.headphonesConfirmed("x", false), at: .seconds(403)) {
            Effect.stop(operation(2))
        }
        try story.expect(.triggerSeen, at: .seconds(900))
        try story.expect(.headphonesConfirmed("x", true), at: .seconds(901))
        // The turn is the list's, also where that has become shorter.
        try story.expect(.phrasesChanged(["c"]), at: .seconds(902))
        for round in 0..<2 as Range<UInt32> {
            let time = Duration.seconds(903 + 300 * Int(round))
            try story.expect(.triggerSeen, at: time) {
                Effect.play(operation(3 + round), phrase: "c")
            }
            try story.expect(.phraseEnded(operation(3 + round)), at: time + .seconds(1))
        }
    }

    @Test("Sixteen devices are remembered; one more takes the place of the oldest")
    func devices() {
        var machine = SelfTalk(headphones: (0..<20).map { "\($0)" })
        #expect(machine.headphones == (4..<20).map { "\($0)" })
        _ = machine.drive(.headphonesConfirmed("5", true), at: .zero)
        #expect(machine.headphones == (4..<20).map { "\($0)" }.filter { $0 != "5" } + ["5"])
        for device in ["a", "b"] {
            _ = machine.drive(.headphonesConfirmed(device, true), at: .zero)
        }
        #expect(machine.headphones.count == 16)
        #expect(machine.headphones.first == "7" && machine.headphones.suffix(3) == ["5", "a", "b"])
    }

    @Test(
        "Two hours after an evening the next one's phrases are heard as the first's (L12)",
        arguments: 0..<20 as Range<UInt64>
    )
    func secondRound(seed: UInt64) throws {
        let compared = try checkSecondRound(
            seed: seed,
            steps: 200,
            make: { SelfTalk() },
            rule: SecondRoundRule(
                rest: [
                    .phrasesChanged([]), .outputChanged(.loudspeaker),
                    .headphonesConfirmed("x", false), .conversationChanged(isActive: false),
                ],
                // The pause behind the last phrase is over by then.
                kept: ["operations", "latest"]
            )
        ) { _ in
            var playing: [SelfTalk.Event] = []
            return { random, _, orders in
                for case .play(let operation, _) in orders {
                    playing.append(.phraseEnded(operation))
                }
                switch random.below(8) {
                case 0: return playing.popLast() ?? .triggerSeen
                case 1: return .outputChanged(.loudspeaker)
                case 2: return .outputChanged(.bluetooth("x"))
                case 3: return .headphonesConfirmed("x", random.chance(percent: 70))
                case 4: return .conversationChanged(isActive: random.chance(percent: 30))
                case 5: return .phrasesChanged(["a"])
                default: return .triggerSeen
                }
            }
        }
        #expect(compared > 0)
    }

    @Test("Nothing ever plays aloud, and it keeps the laws", arguments: 0..<20 as Range<UInt64>)
    func laws(seed: UInt64) throws {
        try checkLaws(
            seed: seed,
            steps: 300,
            make: { SelfTalk(headphones: ["x"]) },
            foreign: [.phraseEnded(OperationID(number: .max))]
        ) { random, _ in
            switch random.below(7) {
            case 0: return .phrasesChanged(random.chance(percent: 80) ? ["a", "b"] : [])
            case 1: return .outputChanged(.loudspeaker)
            case 2:
                return .outputChanged(
                    random.chance(percent: 50) ? .bluetooth("x") : .wiredHeadphones
                )
            case 3: return .headphonesConfirmed("x", random.chance(percent: 70))
            case 4: return .conversationChanged(isActive: random.chance(percent: 30))
            case 5: return .phraseEnded(OperationID(number: UInt32(1 + random.below(20))))
            default: return .triggerSeen
            }
        }
    }
}

@Suite("A limit is a clear state (AN-20)")
struct UsageLimitsTests {
    private func count(_ kind: UsageKind, _ used: Int64, _ seconds: Int64) -> UsageCount {
        UsageCount(kind: kind, used: used, allowed: 5, resetsIn: .seconds(seconds))
    }

    @Test("It is shown once, until it is reset, by whichever answer")
    func shown() throws {
        var story = Transcript(UsageLimits())
        try story.expect(.counted([count(.reflections, 4, 9)]), at: .zero)
        try story.expect(.refused(count(.reflections, 5, 9)), at: .zero) {
            UsageLimits.Effect.show([.reflections])
        }
        try story.expect(.refused(count(.reflections, 5, 8)), at: .seconds(1))
        try story.expect(.counted([count(.voiceClones, 5, 2)]), at: .seconds(1)) {
            UsageLimits.Effect.show([.voiceClones, .reflections])
        }
        try story.expectWake(at: .seconds(3)) { UsageLimits.Effect.show([.reflections]) }
        try story.expectWake(at: .seconds(9)) { UsageLimits.Effect.show([]) }
    }

    @Test("The limits keep the laws of their contract", arguments: 0..<10 as Range<UInt64>)
    func laws(seed: UInt64) throws {
        try checkLaws(seed: seed, steps: 200, make: { UsageLimits() }) { random, _ in
            let kind = UsageKind.allCases[random.below(4)]
            let count = count(kind, Int64(random.below(7)), Int64(random.below(90)))
            return random.chance(percent: 50) ? .refused(count) : .counted([count])
        }
    }
}
