import SansIO
import SansIOTesting
import Testing
import WakeFlow

@Suite("A kill at any instant loses and doubles nothing")
struct WakeKillTests {
    /// Two days of a daily wake and one that rings once: answered, stopped, snoozed, slept through.
    private func live(_ phone: inout ModelMorning, deadAfter effects: Int?) {
        phone.lifeLeft = effects
        phone.launch()
        phone.set(7, 0, .everyDay)
        phone.set(6, 50, id: 2)
        let seven = ModelMorning.midnight.advanced(by: .seconds(22 * 3_600))
        phone.pass(until: seven.advanced(by: .seconds(-600)))
        answer(&phone) { .snoozed($0) }
        phone.pass(.seconds(540))
        answer(&phone) { .tapped($0) }
        phone.send(.conversationStarted)
        phone.sayAll()
        phone.pass(until: seven.advanced(by: .seconds(120)))
        answer(&phone) { .stopped($0) }
        phone.pass(.seconds(100))
        answer(&phone) { .tapped($0) }
        phone.send(.conversationStarted)
        phone.sayAll()
        phone.pass(until: seven.advanced(by: .seconds(86_400 + 7_200)))
    }

    private func answer(_ phone: inout ModelMorning, _ event: (WakeEntryID) -> WakeFlow.Event) {
        guard let entry = phone.sounding else { return }
        phone.send(event(entry.id))
    }

    @Test("After a kill between any two orders the system has exactly what the record says")
    func everyEffect() {
        var whole = ModelMorning()
        live(&whole, deadAfter: nil)
        let count = whole.log.count
        #expect(count > 60)
        for effects in 0..<count {
            var phone = ModelMorning()
            live(&phone, deadAfter: effects)
            #expect(phone.deaths == 1)
            check(phone, "killed after \(effects) effects")
        }
    }

    private func check(_ phone: ModelMorning, _ what: Comment) {
        let known = phone.disk.armed.filter { phone.due($0.entry) > phone.time }.map(\.entry)
        #expect(Set(phone.system) == Set(known), what)
        #expect(phone.system.count == known.count, what)
        #expect(phone.disk == phone.flow.record, what)
        #expect(Set(phone.outbox.map(\.key)).count == phone.outbox.count, what)
        // Both wakes were set, or the kill came before the record of it.
        let days = phone.disk.wakes.map(\.setting.id.number)
        #expect(days == [1] || days == [], what)
        if days == [1] { #expect(!phone.system.isEmpty, what) }
    }

    @Test("A kill in the guide is followed by sounds, not by silence")
    func inTheGuide() throws {
        let seven = ModelMorning.midnight.advanced(by: .seconds(22 * 3_600))
        var phone = ModelMorning()
        phone.launch()
        phone.set(7, 0)
        phone.pass(until: seven)
        for isTalking in [false, true] {
            phone.send(.tapped(try #require(phone.sounding).id))
            if isTalking { phone.send(.conversationStarted) }
            #expect(phone.system.isEmpty)
            phone.relaunch()
            #expect(phone.sounds(after: phone.time).first == 60)
            #expect(phone.outcomes.isEmpty)
            phone.pass(.seconds(60))
        }
        #expect(phone.facts == ["wake_triggered", "wake_joined"])
    }

    @Test("With the guard a process that dies unnoticed in the guide is followed by a sound")
    func guarded() throws {
        var configuration = WakeConfiguration.sparse
        configuration.guideGuard = .seconds(45)
        var phone = ModelMorning(configuration)
        phone.launch()
        phone.set(7, 0)
        phone.pass(.seconds(22 * 3_600))
        phone.send(.tapped(try #require(phone.sounding).id))
        #expect(phone.sounds(after: phone.time).first == 50)
        phone.pass(.seconds(4))
        phone.send(.conversationStarted)
        #expect(phone.sounds(after: phone.time).first == 105)
        phone.sayAll()
        #expect(phone.system.isEmpty)
    }

    @Test("The guard moves on with each line, and never sounds before its answer is due (D-23)")
    func guardedLines() throws {
        var configuration = WakeConfiguration.sparse
        configuration.guideGuard = .seconds(45)
        var phone = ModelMorning(configuration)
        phone.launch()
        phone.set(7, 0)
        phone.pass(.seconds(22 * 3_600))
        phone.send(.tapped(try #require(phone.sounding).id))
        phone.send(.conversationStarted)
        let heard = phone.shown.count
        for step in configuration.script.steps {
            let timeout = step.timeout.components.seconds
            #expect(phone.sounds(after: phone.time).first == timeout + 45)
            phone.pass(step.timeout)
            // It is said again, and the ladder begins behind that.
            #expect(phone.sounds(after: phone.time).first == timeout + 45)
            phone.pass(.seconds(10))
            phone.send(.heard(step.expectedWord))
        }
        #expect(phone.shown.count == heard, "nothing has sounded meanwhile")
        #expect(phone.facts.last == "wake_done")
        #expect(phone.system.isEmpty)
    }

    @Test(
        "Random lives with a kill anywhere keep the system as the record says",
        arguments: 0..<100 as Range<UInt64>
    )
    func random(seed: UInt64) {
        var random = LawRandom(seed: seed)
        var weather = WakeWeather()
        var phone = ModelMorning()
        phone.launch()
        var seen = 0
        for _ in 0..<60 {
            let event = weather.next(&random)
            switch event {
            case .resumed: phone.relaunch()
            case .clockChanged(let time):
                phone.start = time.advanced(by: .nanoseconds(-phone.now.nanoseconds))
                phone.send(event)
            case .zoneChanged(let zone):
                phone.zone = zone
                phone.send(event)
            case .grantsChanged(let grants):
                phone.grants = grants
                phone.send(event)
            case .armingFailed: continue
            default: phone.send(event)
            }
            for effect in phone.log[seen...] { weather.note(effect) }
            seen = phone.log.count
            if random.chance(percent: 30) { phone.lifeLeft = random.below(12) }
            phone.pass(.seconds(random.below(3_000)))
            phone.fire()
            let known = phone.disk.armed.filter { phone.due($0.entry) > phone.time }.map(\.entry)
            #expect(Set(phone.system) == Set(known))
            #expect(phone.system.count == known.count)
        }
        let grouped = Set(phone.outbox.map(\.key))
        #expect(grouped.count == phone.outbox.count)
    }
}
