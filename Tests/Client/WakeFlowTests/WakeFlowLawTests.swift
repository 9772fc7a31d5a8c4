import SansIO
import SansIOTesting
import Testing
import WakeFlow

/// Draws events of all kinds, about wakes and entries that mostly exist.
struct WakeWeather {
    var ids: [WakeEntryID] = []
    var operations: [OperationID] = []
    var time = ModelMorning.midnight

    mutating func note(_ effect: WakeFlow.Effect) {
        switch effect {
        case .arm(let entry): ids = Array((ids + [entry.id]).suffix(40))
        case .fetchAudio(let operation), .syncConversation(let operation):
            operations = Array((operations + [operation]).suffix(4))
        default: break
        }
    }

    private func id(_ random: inout LawRandom) -> WakeEntryID {
        guard !ids.isEmpty, random.chance(percent: 95) else {
            return WakeEntryID(wake: WakeID(number: 1), arming: 0, rung: 0)
        }
        return ids[random.below(ids.count)]
    }

    private func operation(_ random: inout LawRandom) -> OperationID {
        operations.isEmpty ? OperationID(number: 99) : operations[random.below(operations.count)]
    }

    static func zone(_ random: inout LawRandom) -> TimeZoneRules {
        TimeZoneRules(
            offsetSeconds: Int32(random.below(26) - 12) * 3_600,
            transitions: (0..<random.below(3)).map { _ in
                TimeZoneRules.Transition(
                    at: ModelMorning.midnight.advanced(by: .seconds(random.below(900_000))),
                    offsetSeconds: Int32(random.below(26) - 12) * 3_600
                )
            }
        )
    }

    static func grants(_ random: inout LawRandom) -> WakeGrants {
        func grant() -> Grant { [.granted, .granted, .denied, .undecided][random.below(4)] }
        return WakeGrants(
            systemVersion: 25 + random.below(2),
            systemAlarm: grant(),
            notifications: grant(),
            criticalAlert: grant()
        )
    }

    mutating func next(_ random: inout LawRandom) -> WakeFlow.Event {
        if random.chance(percent: 30) {
            time = time.advanced(
                by: .seconds(random.below(20_000) - (random.below(4) == 0 ? 30_000 : 0))
            )
        }
        switch random.below(24) {
        case 0:
            let pending = ids.filter { _ in random.chance(percent: 90) }
            return .resumed(
                PhoneFacts(
                    time: time,
                    zone: Self.zone(&random),
                    grants: Self.grants(&random),
                    pending: pending,
                    delivered: ids
                )
            )
        case 1, 2: return .clockChanged(time)
        case 3: return .zoneChanged(Self.zone(&random))
        case 4: return .grantsChanged(Self.grants(&random))
        case 5: return .flagsChanged(CoachFlags(usesRealtime: random.chance(percent: 80)))
        case 6, 7:
            let id = WakeID(number: UInt32(1 + random.below(3)))
            let day = Weekdays(rawValue: UInt8(random.below(128)))
            let due = TimeOfDay(seconds: Int32(random.below(1_440) * 60))
            let isFixed = random.chance(percent: 30)
            let fixed = WakeTime.fixed(time.advanced(by: .seconds(random.below(9_000))))
            return .wakeSet(WakeSetting(id: id, time: isFixed ? fixed : .relative(due, day)))
        case 8: return .wakeRemoved(WakeID(number: UInt32(1 + random.below(3))))
        case 9: return .armingFailed(id(&random), .allCases[random.below(3)])
        case 10, 11: return .tapped(id(&random))
        case 12: return .stopped(id(&random))
        case 13: return .snoozed(id(&random))
        case 14: return .conversationStarted
        case 15: return .conversationFailed
        case 16: return .heard(["OK", "澄む", "完了", "no"][random.below(4)])
        case 17: return [.gaveUp, .callBegan, .hungUp][random.below(3)]
        case 18: return .backgroundTaskStarted
        case 19: return .backgroundTaskExpired
        case 20:
            let stored = WakeFlow.AudioAnswer.stored(name: "wake.caf", length: .seconds(20))
            return .audioFetched(operation(&random), random.chance(percent: 50) ? stored : .failed)
        case 21: return .ranAlone
        case 22: return .voiceDeleted
        default:
            return .conversationSynced(operation(&random), accepted: random.chance(percent: 50))
        }
    }
}

@Suite("The laws of the coach's machines")
struct CoachLawTests {
    @Test("A wake keeps the laws of its contract", arguments: 0..<5 as Range<UInt64>)
    func wake(decade: UInt64) throws {
        var mornings = 0
        for seed in decade * 20..<decade * 20 + 20 {
            var weather = WakeWeather()
            var driver = MachineDriver(WakeFlow())
            var random = LawRandom(seed: seed)
            for step in 0..<300 {
                let now = Instant(nanoseconds: Int64(step) * 1_000_000_000)
                driver.send(weather.next(&random), at: now) { effect in
                    weather.note(effect)
                    if case .morningEnded = effect { mornings += 1 }
                }
            }
            var fresh = WakeWeather()
            fresh.ids = weather.ids
            fresh.operations = weather.operations
            try checkLaws(seed: seed, steps: 300, make: { WakeFlow() }) { random, _ in
                fresh.next(&random)
            }
        }
        #expect(mornings > 20, "stories without mornings prove little")
    }

    @Test("A guided script keeps the laws of its contract, to its end")
    func script() throws {
        for seed in 0..<100 as Range<UInt64> {
            try checkLaws(seed: seed, steps: 60, make: { GuidedScript() }) { random, _ in
                switch random.below(12) {
                case 0: .begun
                case 1: random.chance(percent: 20) ? .gaveUp : .begun
                case 2: random.chance(percent: 20) ? .callBegan : .begun
                default: .heard(["OK", "澄む", "完了", "no"][random.below(4)])
                }
            }
        }
    }

    @Test("Nudges keep the laws of their contract")
    func nudge() throws {
        for seed in 0..<100 as Range<UInt64> {
            var time = ModelMorning.midnight
            try checkLaws(seed: seed, steps: 300, make: { NudgeFlow() }) { random, _ in
                time = time.advanced(by: .seconds(random.below(2_000) - 200))
                return switch random.below(15) {
                case 0: .resumed(time, ModelMorning.tokyo)
                case 1: .clockChanged(time)
                case 2: .zoneChanged(WakeWeather.zone(&random))
                case 3: .grantChanged(random.chance(percent: 80) ? .granted : .denied)
                case 4: .flagsChanged(CoachFlags(usesRealtime: random.chance(percent: 80)))
                case 5, 6, 7: .distractionDetected
                case 8: .opened(NudgeID(number: UInt32(1 + random.below(8))))
                case 9: .called
                case 10: random.chance(percent: 70) ? .conversationStarted : .conversationFailed
                case 11: .instructionDone
                case 12: .brokenOff
                case 13: .wentBack
                default: .routineRunAlone(LocalDay(number: Int32(20_000 + random.below(30))))
                }
            }
        }
    }

    @Test("The offline guide keeps the laws of its contract")
    func guide() throws {
        for seed in 0..<100 as Range<UInt64> {
            var line = 0
            var operation: UInt32 = 0
            func nextLine() -> ScriptLine {
                line += 1
                return ScriptLine(number: line, step: line, isRepetition: false, text: "line")
            }
            try checkLaws(
                seed: seed,
                steps: 300,
                make: { OfflineGuide(hasClone: true, seed: seed) }
            ) {
                random,
                _ in
                operation = min(operation + 1, 40)
                return switch random.below(16) {
                case 14, 15: .agentPackets(Int64(random.below(3)))
                case 0: .conversationBegan(UniqueID(high: random.next(), low: 1))
                case 1, 2: .voiceDoubted
                case 3: .voiceConfirmed
                case 4: .handedOver
                case 5, 6: .takenBack
                case 7: random.chance(percent: 20) ? .conversationEnded : .voiceConfirmed
                case 8: .lineOrdered(nextLine())
                case 9: .lineFinished(number: line)
                case 10: .heard("OK")
                case 11: .cloneChanged(isAvailable: random.chance(percent: 50))
                case 12:
                    .clockChanged(ModelMorning.midnight.advanced(by: .seconds(random.below(90))))
                default:
                    .summaryAnswered(
                        OperationID(number: 1 + UInt32(random.below(Int(operation)))),
                        accepted: random.chance(percent: 60)
                    )
                }
            }
        }
    }
}
