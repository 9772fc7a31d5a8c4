import SansIO
import SansIOTesting
import Testing
import WakeFlow

private let seven = ModelMorning.midnight.advanced(by: .seconds(22 * 3_600))

@Suite("No sound comes into a guide that goes on (D-23)")
struct WakeInGuideTests {
    private func evening() -> ModelMorning {
        var configuration = WakeConfiguration.sparse
        configuration.guideGuard = .seconds(30)
        var phone = ModelMorning(configuration)
        phone.launch()
        return phone
    }

    @Test("A second tap in the guide does not bring the ladder into its line (D-23)")
    func tappedAgain() throws {
        var phone = evening()
        phone.set(7, 0)
        phone.pass(until: seven.advanced(by: .seconds(61)))
        let entry = try #require(phone.sounding).id
        phone.send(.tapped(entry))
        phone.pass(.seconds(1))
        phone.send(.tapped(entry))
        #expect(phone.sounds(after: phone.time).first == 34, "behind the first tap's connect")
        phone.send(.conversationStarted)
        for _ in 1...2 {
            phone.pass(.seconds(4))
            let next = phone.sounds(after: phone.time).first
            phone.send(.tapped(entry))
            #expect(phone.sounds(after: phone.time).first == next)
            #expect(try #require(next) > 60)
        }
    }

    @Test(
        "A wake that comes due in another's guide is silent, before it is over and after (D-23, K-23)"
    )
    func dueInTheGuide() throws {
        var phone = evening()
        phone.set(7, 0, .everyDay)
        phone.set(7, 2, .everyDay, id: 2)
        for day in 0...1 as ClosedRange<Int64> {
            let due = seven.advanced(by: .seconds(86_400 * day))
            phone.pass(until: due)
            phone.send(.tapped(try #require(phone.sounding).id))
            phone.send(.conversationStarted)
            let heard = phone.shown.count
            phone.pass(.seconds(50))
            phone.send(.heard("OK"))
            // The second step lasts until 170 s, its guard until 200 s: nothing of the wake at 120 s.
            #expect(phone.sounds(after: due).first == 200)
            phone.pass(.seconds(80))
            #expect(phone.shown.count == heard)
            phone.send(.heard("澄む"))
            phone.send(.heard("完了"))
            #expect(phone.shown.count == heard)
            #expect(phone.sounds(after: due).first == 86_400)
        }
    }

    @Test("A guide that is over before another wake has that sound in time (D-23)")
    func overBefore() throws {
        var phone = evening()
        phone.set(7, 0)
        phone.set(7, 1, id: 2)
        phone.pass(until: seven)
        phone.send(.tapped(try #require(phone.sounding).id))
        phone.send(.conversationStarted)
        #expect(phone.sounds(after: seven).first == 90)
        phone.sayAll()
        #expect(phone.outcomes == [.done])
        #expect(phone.sounds(after: seven).prefix(2) == [60, 120])
    }
}
