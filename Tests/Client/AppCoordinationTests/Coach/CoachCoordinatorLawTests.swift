import AppCoordination
import RealtimeVoice
import SansIO
import SansIOTesting
import Testing
import WakeFlow

@Suite("The coach's laws")
struct CoachCoordinatorLawTests {
    @Test("The coach keeps the laws of its contract", arguments: 0..<10 as Range<UInt64>)
    func laws(decade: UInt64) throws {
        var conversations = 0
        var interventions = 0
        for seed in decade * 10..<decade * 10 + 10 {
            var weather = CoachWeather()
            var configuration = CoachStory.configuration
            configuration.flags.usesRealtime = seed % 4 != 3
            try checkLaws(
                seed: seed,
                steps: 300,
                make: { Self.machine(configuration) },
                frame: { effect in
                    weather.note(effect)
                    if effect == .voice(.beginConversation) { conversations += 1 }
                    if effect == .nudge(.endIntervention) { interventions += 1 }
                    return nil
                }
            ) { random, _ in
                weather.next(&random)
            }
        }
        #expect(conversations > 5 && interventions > 5, "stories without either prove little")
    }

    @Test(
        "A morning after others is like the first of a launch (L12)",
        arguments: 0..<20 as Range<UInt64>
    )
    func secondRound(seed: UInt64) throws {
        let phone = PhoneFacts(
            time: CoachWeather.night,
            zone: CoachStory.tokyo,
            grants: CoachStory.grants,
            isInFront: false
        )
        let compared = try checkSecondRound(
            seed: seed,
            steps: 200,
            make: { Self.machine(CoachStory.configuration) },
            rule: SecondRoundRule(
                rest: [
                    .resumed(phone, hasClone: false, since: []), .gaveUp, .hungUp,
                    .interventionLeft, .wentBack,
                ],
                kept: [
                    // What is stored tells of the whole past.
                    "memory", "record", "storedRecord", "requestedFor",
                    "generator", "operations",
                    // A conversation begins with both anew.
                    "silences", "hasHeardAgent",
                    // It has a second round of its own.
                    "session",
                ],
                identities: ["OperationID", "UniqueID"],
                answer: { effect in
                    switch effect {
                    case .relay(let relay): .relayed(relay)
                    case .voice(.sendSummary(let id, _)): .summaryAnswered(id, accepted: true)
                    default: nil
                    }
                },
                tellsAgain: false
            )
        ) { _ in
            var weather = CoachWeather(isWhole: false)
            return { random, _, orders in
                for order in orders { weather.note(order) }
                return weather.next(&random)
            }
        }
        #expect(compared > 0)
    }

    private static func machine(_ configuration: CoachConfiguration) -> CoachCoordinator {
        CoachCoordinator(
            configuration: configuration,
            restoring: CoachMemory(),
            seeds: CoachSeeds(guide: 1, conversations: 2, session: 3)
        )
    }
}

/// Draws what the phone, its user and the session may say to the coach.
struct CoachWeather {
    /// 2026-11-28 06:58 in Tokyo, two minutes before the wake.
    static let night = CoachStory.dawn.advanced(by: .seconds(3_480))

    /// Whether the system runs the preload's task, and the session is told more than how it stands.
    let isWhole: Bool
    private var session = VoiceAppWeather()
    private var relays: [CoachRelay] = []
    private var ids: [WakeEntryID] = []
    private var operations: [OperationID] = []
    private var nudge = NudgeID(number: 1)
    private var line = 0
    private var packets: Int64 = 0
    private var hasBegun = false

    init(isWhole: Bool = true) { self.isWhole = isWhole }

    mutating func note(_ effect: CoachEffect) {
        switch effect {
        case .relay(let relay): relays.append(relay)
        case .session(let effect): session.note(effect)
        case .arm(let entry): ids = Array((ids + [entry.id]).suffix(20))
        case .nudge(.post(let id, _)): nudge = id
        case .voice(.askAgent(let said)), .voice(.speak(let said)): line = said.number
        case .fetchAudio(let id), .syncConversation(let id), .voice(.sendSummary(let id, _)):
            operations = Array((operations + [id]).suffix(4))
        default: break
        }
    }

    private func phone(_ random: inout LawRandom) -> PhoneFacts {
        PhoneFacts(
            time: Self.night.advanced(by: .seconds(random.below(600))),
            zone: CoachStory.tokyo,
            grants: CoachStory.grants,
            pending: ids.filter { _ in random.chance(percent: 90) },
            isInFront: isWhole && random.chance(percent: 50)
        )
    }

    private func id(_ random: inout LawRandom) -> WakeEntryID {
        guard !ids.isEmpty else {
            return WakeEntryID(wake: WakeID(number: 1), arming: 0, rung: 0)
        }
        return ids[random.below(ids.count)]
    }

    /// The id of an entry that no ladder of today has.
    private func strange(_ random: inout LawRandom) -> WakeEntryID {
        WakeEntryID(wake: WakeID(number: 7), arming: 0, rung: UInt16(random.below(3)))
    }

    private func operation(_ random: inout LawRandom) -> OperationID {
        operations.isEmpty ? OperationID(number: 99) : operations[random.below(operations.count)]
    }

    mutating func next(_ random: inout LawRandom) -> CoachEvent {
        // An app has these go round before it hears of anything else.
        if !relays.isEmpty { return .relayed(relays.removeFirst()) }
        guard hasBegun else {
            hasBegun = true
            return .resumed(phone(&random), hasClone: nil, since: [])
        }
        switch random.below(20) {
        case 0: return .resumed(phone(&random), hasClone: true, since: [user(&random)])
        case 1: return .clockChanged(Self.night.advanced(by: .seconds(random.below(600))))
        case 2: return .zoneChanged(CoachStory.tokyo)
        case 3: return .grantsChanged(CoachStory.grants)
        case 4, 5:
            guard isWhole else { return .summaryAnswered(operation(&random), accepted: true) }
            return random.chance(percent: 30) ? task(&random) : .session(session.next(&random))
        case 6, 7, 8, 9, 10: return .relayed(told(&random))
        case 11: return .lineFinished(number: line)
        case 12:
            packets += Int64(random.below(2))
            return .agentPackets(packets)
        case 13: return .summaryAnswered(operation(&random), accepted: random.chance(percent: 50))
        default: return user(&random)
        }
    }

    private func task(_ random: inout LawRandom) -> CoachEvent {
        switch random.below(6) {
        case 5: return .voiceDeleted
        case 0, 1: return .backgroundTaskStarted
        case 2: return .backgroundTaskExpired
        case 3:
            let stored = WakeFlow.AudioAnswer.stored(name: "wake.caf", length: .seconds(20))
            return .audioFetched(operation(&random), random.chance(percent: 50) ? stored : .failed)
        default:
            return .conversationSynced(operation(&random), accepted: random.chance(percent: 50))
        }
    }

    private func told(_ random: inout LawRandom) -> CoachRelay {
        switch random.below(7) {
        case 0, 1, 2: .sessionShown(.connected)
        case 3: .sessionShown(.couldNotConnect)
        case 4: .sessionShown(.reconnecting)
        case 5: .sessionHandedOver
        default: .sessionTookBack
        }
    }

    private func user(_ random: inout LawRandom) -> CoachEvent {
        switch random.below(18) {
        case 0, 1, 2, 3: .entryStopped(id(&random))
        case 16: .entryTapped(id(&random))
        case 17: random.chance(percent: 30) ? .hungUp : .entryTapped(strange(&random))
        case 4: .entrySnoozed(id(&random))
        case 5, 6: .distractionDetected
        case 7, 8: .nudgeOpened(nudge)
        case 9: .helpCalled
        case 10: .instructionDone
        case 11: random.chance(percent: 30) ? .interventionLeft : .wentBack
        case 12: random.chance(percent: 30) ? .gaveUp : .audioInterrupted
        default: .heard(["OK", "no"][random.below(2)], byPhone: random.chance(percent: 50))
        }
    }
}
