import SansIO
import SansIOTesting
import Testing
import WakeFlow

private typealias Effect = NudgeFlow.Effect
private typealias Event = NudgeFlow.Event

@Suite("A nudge leads from the detector's word to an intervention and back")
struct NudgeFlowTests {
    /// A phone whose orders are kept, and whose record outlives the process.
    struct Phone {
        var flow: NudgeFlow
        let configuration: NudgeConfiguration
        var now = Instant.zero
        var disk = NudgeRecord()
        var outbox: [CoachFact] = []
        var log: [NudgeFlow.Effect] = []

        init(
            _ configuration: NudgeConfiguration = NudgeConfiguration(),
            flags: CoachFlags = CoachFlags()
        ) {
            self.configuration = configuration
            flow = NudgeFlow(configuration: configuration, flags: flags)
            launch()
            send(.grantChanged(.granted))
        }

        var time: WallTime { ModelMorning.midnight.advanced(by: Instant.zero.duration(to: now)) }

        mutating func launch() { send(.resumed(time, ModelMorning.tokyo)) }

        mutating func relaunch() {
            restart()
            launch()
            send(.grantChanged(.granted))
        }

        /// A new process, which has heard nothing yet.
        mutating func restart() {
            flow = NudgeFlow(restoring: disk, configuration: configuration)
        }

        mutating func send(_ event: NudgeFlow.Event) { perform(flow.drive(event, at: now)) }

        mutating func pass(_ seconds: Double) {
            let end = now.advanced(by: .milliseconds(Int64(seconds * 1_000)))
            while let due = flow.deadline?.instant, due <= end {
                now = max(now, due)
                perform(flow.drive(nil, at: now))
            }
            now = end
        }

        private mutating func perform(_ effects: [NudgeFlow.Effect]) {
            for effect in effects {
                log.append(effect)
                guard case .store(let record, let facts) = effect else { continue }
                disk = record
                outbox += facts
            }
        }

        mutating func takeOrders() -> [NudgeFlow.Effect] {
            defer { log = [] }
            return log.filter { if case .store = $0 { false } else { true } }
        }

        var posts: Int { log.count { if case .post = $0 { true } else { false } } }
    }

    private let first = NudgeID(number: 1)

    @Test(
        "Detected, opened, talked, done after the full form's least time, back by the breadcrumb (AN-03, D-24)"
    )
    func full() {
        var phone = Phone()
        for number in 1...2 as ClosedRange<UInt32> {
            let id = NudgeID(number: number)
            phone.send(.distractionDetected)
            #expect(phone.takeOrders() == [.post(id, .local)])
            phone.pass(20)
            phone.send(.opened(id))
            #expect(phone.takeOrders() == [.connectSession])
            phone.pass(1)
            phone.send(.conversationStarted)
            #expect(phone.takeOrders() == [.intervene(.full, isOnline: true)])
            phone.pass(11)
            phone.send(.instructionDone)
            phone.send(.instructionDone)
            phone.pass(17.9)
            #expect(phone.takeOrders().isEmpty)
            phone.pass(0.1)
            #expect(phone.takeOrders() == [.endSession, .offerReturn])
            phone.pass(10)
            phone.send(.wentBack)
            let outcome = NudgeOutcome(.done, length: .seconds(30), wentBack: true)
            #expect(phone.takeOrders() == [.ended(id, outcome)])
            phone.pass(900)
        }
        let kinds = ["nudge_sent", "nudge_joined", "nudge_done"]
        #expect(phone.outbox.map(\.kind.rawValue) == kinds + kinds)
        #expect(Set(phone.outbox.map(\.key)).count == 6)
    }

    @Test("The full form ends after a minute, the short one after half, done or not (AN-03)")
    func limits() {
        for isOnline in [true, false] {
            var phone = Phone()
            phone.send(.distractionDetected)
            phone.send(.opened(first))
            phone.send(isOnline ? .conversationStarted : .conversationFailed)
            _ = phone.takeOrders()
            phone.pass(isOnline ? 59.9 : 29.9)
            #expect(phone.takeOrders().isEmpty)
            phone.pass(0.1)
            #expect(phone.takeOrders() == [.endSession, .offerReturn])
            phone.pass(60)
            let length = Duration.seconds(isOnline ? 60 : 30)
            let outcome = NudgeOutcome(.opened, length: length, wentBack: false)
            #expect(phone.takeOrders() == [.ended(first, outcome)])
        }
    }

    @Test(
        "Without a session within 3 s the phone's own short form begins, and ends once it is done (AN-03)"
    )
    func offline() {
        var phone = Phone()
        phone.send(.distractionDetected)
        phone.send(.opened(first))
        phone.pass(3)
        #expect(phone.takeOrders().last == .intervene(.short, isOnline: false))
        phone.pass(7)
        phone.send(.instructionDone)
        #expect(phone.takeOrders() == [.endSession, .offerReturn])
        var scripted = Phone(flags: CoachFlags(usesRealtime: false))
        scripted.send(.called)
        #expect(scripted.takeOrders() == [.intervene(.short, isOnline: false)])
    }

    @Test("Nudges are 15 min apart, one at a time, and none without permission (D-25, AN-06)")
    func gap() {
        var phone = Phone()
        phone.send(.distractionDetected)
        phone.send(.distractionDetected)
        #expect(phone.posts == 1)
        phone.pass(300)
        #expect(phone.log.suffix(2) == [.withdraw(first), .ended(first, NudgeOutcome(.unopened))])
        phone.pass(599)
        phone.send(.distractionDetected)
        #expect(phone.posts == 1)
        phone.pass(1)
        phone.send(.grantChanged(.denied))
        phone.send(.distractionDetected)
        #expect(phone.posts == 1)
        phone.send(.grantChanged(.granted))
        phone.send(.distractionDetected)
        #expect(phone.posts == 2)
    }

    @Test("After 3, 5 and 7 self-run days there are fewer nudges, and none at last (AN-07)")
    func fadeOut() {
        var phone = Phone()
        let today = ModelMorning.tokyo.local(phone.time).day.number
        func perDay(_ phone: Phone) -> Int { phone.flow.nudgesMax(on: LocalDay(number: today)) }
        var seen: [Int] = []
        for day in today - 7...today {
            phone.send(.routineRunAlone(LocalDay(number: day)))
            phone.send(.routineRunAlone(LocalDay(number: day)))
            seen.append(phone.flow.nudgesMax(on: LocalDay(number: day)))
        }
        #expect(seen == [8, 8, 4, 4, 2, 2, 0, 0])
        #expect(perDay(phone) == 0)
        phone.send(.distractionDetected)
        #expect(phone.posts == 0)
        phone.send(.called)
        #expect(phone.log.contains(.connectSession))
        #expect(perDay(phone) == 8)
        #expect(phone.flow.nudgesMax(on: LocalDay(number: today + 1)) == 0)
        #expect(phone.flow.nudgesMax(on: LocalDay(number: today + 2)) == 8)
    }

    @Test("A day has no more nudges than its level allows, and the next day begins anew")
    func perDay() {
        var configuration = NudgeConfiguration()
        configuration.perDay = [2]
        var phone = Phone(configuration)
        for _ in 0..<5 {
            phone.send(.distractionDetected)
            phone.pass(1_000)
        }
        #expect(phone.posts == 2)
        phone.pass(86_400)
        phone.send(.distractionDetected)
        #expect(phone.posts == 3)
    }

    @Test("66 self-run days make 95 % of a habit, and a missed day takes nothing away (Lally)")
    func habit() {
        var phone = Phone()
        for day in 0..<66 as Range<Int32> {
            phone.send(.routineRunAlone(LocalDay(number: 20_000 + day + (day > 30 ? 1 : 0))))
        }
        #expect((949_000...951_000).contains(phone.flow.habitStrength.partsPerMillion))
        #expect(phone.flow.streak(on: LocalDay(number: 20_066)) == 35)
        #expect(phone.flow.streak(on: LocalDay(number: 20_068)) == 0)
    }

    @Test("A call or leaving breaks the intervention off, and the nudge is accounted for once")
    func brokenOff() {
        var phone = Phone()
        phone.send(.distractionDetected)
        phone.send(.opened(first))
        phone.pass(2)
        phone.send(.brokenOff)
        phone.send(.brokenOff)
        let outcome = NudgeOutcome(.opened, length: .seconds(2))
        #expect(phone.takeOrders().suffix(2) == [.endSession, .ended(first, outcome)])
        #expect(phone.outbox.map(\.kind) == [.nudgeSent, .nudgeJoined])
    }

    @Test("A process that dies in a nudge accounts for it at its relaunch, once")
    func killed() {
        var phone = Phone()
        phone.send(.distractionDetected)
        phone.relaunch()
        phone.send(.opened(first))
        phone.send(.conversationStarted)
        _ = phone.takeOrders()
        phone.relaunch()
        #expect(phone.takeOrders() == [.ended(first, NudgeOutcome(.opened))])
        phone.relaunch()
        #expect(phone.takeOrders().isEmpty)
        #expect(phone.outbox.map(\.kind) == [.nudgeSent, .nudgeJoined])
        phone.pass(900)
        phone.send(.distractionDetected)
        #expect(phone.takeOrders() == [.post(NudgeID(number: 2), .local)])
    }

    @Test(
        "A nudge that is opened before the phone is known goes on once it is, twice in a row (AN-03)"
    )
    func openedEarly() {
        var phone = Phone()
        for number in 1...2 as ClosedRange<UInt32> {
            let id = NudgeID(number: number)
            phone.send(.distractionDetected)
            _ = phone.takeOrders()
            phone.restart()
            phone.send(.opened(id))
            #expect(phone.takeOrders().isEmpty)
            phone.launch()
            #expect(phone.takeOrders() == [.connectSession])
            phone.send(.grantChanged(.granted))
            phone.send(.conversationStarted)
            phone.send(.instructionDone)
            phone.pass(1_000)
            #expect(phone.takeOrders().last == .ended(id, outcome(wentBack: false)))
        }
        #expect(phone.outbox.count { $0.kind == .nudgeJoined } == 2)
        #expect(phone.outbox.allSatisfy { $0.time >= ModelMorning.midnight })
    }

    private func outcome(wentBack: Bool) -> NudgeOutcome {
        NudgeOutcome(.done, length: NudgeConfiguration().fullMin, wentBack: wentBack)
    }

    @Test("A nudge is known by its notification's identifier, and by no other")
    func identifiers() {
        for number in [1, 7, .max] as [UInt32] {
            let id = NudgeID(number: number)
            #expect(NudgeID(id.text) == id)
        }
        for other in ["nudge.", "nudge.07", "nudge.+7", "nudge.4294967296", "wake.1.0.0", "7"] {
            #expect(NudgeID(other) == nil, "\(other)")
        }
    }

    @Test("A clock put back by a day doesn't silence nudges for a day, the second time either")
    func clock() {
        var phone = Phone()
        for turn in 1...2 {
            phone.send(.distractionDetected)
            let time = ModelMorning.midnight.advanced(by: .seconds(-86_400 * turn))
            phone.send(.clockChanged(time))
            let unopened = phone.flow.deadline?.instant
            #expect(unopened == phone.now.advanced(by: .seconds(300)))
            phone.pass(899)
            phone.send(.distractionDetected)
            #expect(phone.posts == turn, "the gap of 15 min holds")
            phone.pass(1)
        }
        phone.send(.distractionDetected)
        #expect(phone.posts == 3)
    }

    @Test("One that was taken back and is tapped all the same leads, and counts no more (AN-03)")
    func tappedLate() {
        var phone = Phone()
        for number in 1...2 as ClosedRange<UInt32> {
            phone.send(.distractionDetected)
            phone.pass(300)
            _ = phone.takeOrders()
            phone.send(.opened(NudgeID(number: number)))
            #expect(phone.takeOrders() == [.connectSession])
            phone.send(.conversationStarted)
            phone.send(.instructionDone)
            phone.pass(1_000)
            let led: [Effect] = [
                .intervene(.full, isOnline: true), .endSession, .offerReturn,
            ]
            #expect(phone.takeOrders() == led)
        }
        #expect(phone.outbox.map(\.kind) == [.nudgeSent, .nudgeSent])
    }

    @Test("One that is opened into an intervention ends with it, unserved, twice in a row (AN-03)")
    func openedInto() {
        var phone = Phone()
        for number in 1...2 as ClosedRange<UInt32> {
            let id = NudgeID(number: number)
            phone.send(.distractionDetected)
            phone.send(.called)
            phone.send(.conversationStarted)
            _ = phone.takeOrders()
            phone.send(.opened(id))
            #expect(phone.takeOrders() == [.ended(id, NudgeOutcome(.opened))])
            phone.send(.brokenOff)
            #expect(phone.takeOrders() == [.endSession])
            phone.pass(900)
        }
    }

    @Test("Whoever calls before they have gone back did not go back, twice in a row (D-24)")
    func calledAgain() {
        var phone = Phone()
        for number in 1...2 as ClosedRange<UInt32> {
            let id = NudgeID(number: number)
            phone.send(.distractionDetected)
            phone.send(.opened(id))
            phone.send(.conversationStarted)
            phone.send(.instructionDone)
            phone.pass(30)
            _ = phone.takeOrders()
            phone.send(.called)
            #expect(
                phone.takeOrders() == [.ended(id, outcome(wentBack: false)), .connectSession]
            )
            phone.send(.wentBack)
            phone.send(.brokenOff)
            #expect(phone.takeOrders() == [.endSession])
            phone.pass(900)
        }
    }

    @Test(
        "Days alone that a clock showed which was ahead neither fade nudges out nor keep days from counting (AN-07)"
    )
    func streakAhead() {
        var phone = Phone()
        for turn in 1...2 as ClosedRange<Int32> {
            let today = ModelMorning.tokyo.local(phone.time).day
            for day in 28..<28 + 7 as Range<Int32> {
                let ahead = LocalDay(number: today.number + day)
                phone.send(.routineRunAlone(ahead))
            }
            #expect(phone.flow.streak(on: LocalDay(number: today.number + 34)) == 7)
            phone.send(.clockChanged(phone.time))
            #expect(phone.disk.lastAlone == today)
            #expect(
                phone.flow.nudgesMax(on: LocalDay(number: today.number + 2)) == 8,
                "turn \(turn)"
            )
            phone.send(.routineRunAlone(LocalDay(number: today.number + 1)))
            #expect(phone.flow.streak(on: LocalDay(number: today.number + 1)) == 8)
            phone.pass(10 * 86_400)
        }
    }

    @Test("A journey that takes a day back keeps the streak (AN-07)")
    func streakWest() {
        var phone = Phone()
        let today = ModelMorning.tokyo.local(phone.time).day
        phone.send(.routineRunAlone(today))
        phone.send(.resumed(phone.time, TimeZoneRules(offsetSeconds: -10 * 3_600)))
        #expect(phone.flow.record.lastAlone == today)
    }
}
