import SansIO
import SansIOTesting
import Testing
import WakeFlow

private let seven = ModelMorning.midnight.advanced(by: .seconds(22 * 3_600))

@Suite("The evening's task fetches the morning's sound, or leaves the bundled one (AN-01)")
struct WakePreloadTests {
    private func evening() -> ModelMorning {
        var phone = ModelMorning()
        phone.launch()
        phone.set(7, 0, .everyDay)
        return phone
    }

    private func operation(_ phone: ModelMorning, isAudio: Bool) -> OperationID? {
        phone.log.reversed().lazy.compactMap { effect in
            switch effect {
            case .fetchAudio(let operation): isAudio ? operation : nil
            case .syncConversation(let operation): isAudio ? nil : operation
            default: nil
            }
        }.first
    }

    @Test("The task is asked for the evening before, each evening")
    func requested() throws {
        var phone = evening()
        let evening = seven.advanced(by: .seconds(-36_000))
        #expect(phone.log.contains(.requestBackgroundTask(notBefore: evening)))
        phone.pass(until: seven)
        _ = phone.takeLog()
        phone.send(.tapped(try #require(phone.sounding).id))
        phone.send(.conversationStarted)
        phone.sayAll()
        let next = evening.advanced(by: .seconds(86_400))
        #expect(phone.log.contains(.requestBackgroundTask(notBefore: next)))
    }

    @Test("What is fetched is what the next morning sounds like, and no later one (AN-20)")
    func fetched() throws {
        var phone = evening()
        phone.pass(until: seven.advanced(by: .seconds(-30_000)))
        phone.send(.backgroundTaskStarted)
        #expect(phone.log.contains(.clearCaches(keeping: .bundled)))
        let audio = try #require(operation(phone, isAudio: true))
        phone.send(.audioFetched(audio, .stored(name: "w.caf", length: .seconds(29))))
        #expect(!phone.log.contains(.completeBackgroundTask(success: true)))
        let sync = try #require(operation(phone, isAudio: false))
        phone.send(.conversationSynced(sync, accepted: true))
        #expect(phone.log.contains(.completeBackgroundTask(success: true)))
        for entry in phone.system {
            let isNext = phone.due(entry) < seven.advanced(by: .seconds(3_600))
            #expect(entry.sound == (isNext ? .preloaded(name: "w.caf") : .bundled))
        }
        // The second task of the evening keeps the file, and fetches nothing.
        _ = phone.takeLog()
        phone.send(.backgroundTaskStarted)
        #expect(phone.log.contains(.clearCaches(keeping: .preloaded(name: "w.caf"))))
        #expect(operation(phone, isAudio: true) == nil)
    }

    @Test(
        "A file that the system would not play is not used",
        arguments: [("a/w.caf", 20), ("a/\u{301}w.caf", 20), ("", 20), ("w.caf", 30), ("w.caf", 0)]
    )
    func unplayable(name: String, seconds: Int64) throws {
        var phone = evening()
        phone.pass(until: seven.advanced(by: .seconds(-30_000)))
        phone.send(.backgroundTaskStarted)
        let sync = try #require(operation(phone, isAudio: false))
        phone.send(.conversationSynced(sync, accepted: true))
        for pause in [2, 4, 8, 16] as [Int64] {
            let audio = try #require(operation(phone, isAudio: true))
            phone.send(.audioFetched(audio, .stored(name: name, length: .seconds(seconds))))
            phone.pass(.seconds(pause))
        }
        #expect(phone.log.contains(.completeBackgroundTask(success: false)))
        #expect(phone.system.allSatisfy { $0.sound == .bundled })
    }

    @Test("A fetch is tried four times with growing pauses, then the task is asked for again")
    func retried() throws {
        var phone = evening()
        for _ in 0..<2 {
            phone.pass(until: max(phone.time, seven.advanced(by: .seconds(-30_000))))
            _ = phone.takeLog()
            phone.send(.backgroundTaskStarted)
            phone.send(
                .conversationSynced(try #require(operation(phone, isAudio: false)), accepted: true)
            )
            for pause in [2, 4, 8] as [Int64] {
                phone.send(.audioFetched(try #require(operation(phone, isAudio: true)), .failed))
                let tries = phone.log.count
                phone.pass(.milliseconds(pause * 1_000 - 1))
                #expect(phone.log.count == tries)
                phone.pass(.milliseconds(1))
                #expect(phone.log.count == tries + 1)
            }
            phone.send(.audioFetched(try #require(operation(phone, isAudio: true)), .failed))
            #expect(phone.log.contains(.completeBackgroundTask(success: false)))
            let again = phone.time.advanced(by: .seconds(1_800))
            #expect(phone.log.contains(.requestBackgroundTask(notBefore: again)))
            #expect(phone.system.allSatisfy { $0.sound == .bundled })
        }
    }

    @Test("Time that is taken back ends the requests, and late answers count no more (L6)")
    func expired() throws {
        var phone = evening()
        phone.pass(until: seven.advanced(by: .seconds(-30_000)))
        phone.send(.backgroundTaskStarted)
        let audio = try #require(operation(phone, isAudio: true))
        phone.send(.backgroundTaskExpired)
        #expect(phone.log.contains(.cancel(audio)))
        #expect(phone.log.contains(.completeBackgroundTask(success: false)))
        phone.send(.audioFetched(audio, .stored(name: "w.caf", length: .seconds(20))))
        #expect(phone.system.allSatisfy { $0.sound == .bundled })
    }

    @Test("A preload that failed for one morning delays that of no other (AN-01)")
    func failedForAnother() throws {
        var phone = evening()
        for day in 1...2 as ClosedRange<Int64> {
            let evening = seven.advanced(by: .seconds(86_400 * (day - 1) - 30_000))
            phone.pass(until: max(phone.time, evening))
            phone.send(.backgroundTaskStarted)
            phone.send(.backgroundTaskExpired)
            #expect(phone.log.contains(.completeBackgroundTask(success: false)))
            phone.send(.wakeRemoved(WakeID(number: 1)))
            phone.pass(until: seven.advanced(by: .seconds(86_400 * day - 20_000)))
            _ = phone.takeLog()
            phone.set(7, 0, .everyDay)
            #expect(phone.log.contains(.requestBackgroundTask(notBefore: phone.time)))
            // One that is set for the same morning anew waits as before.
            phone.send(.backgroundTaskStarted)
            phone.send(.backgroundTaskExpired)
            _ = phone.takeLog()
            phone.set(7, 30, .everyDay)
            let again = phone.time.advanced(by: .seconds(1_800))
            #expect(phone.log.contains(.requestBackgroundTask(notBefore: again)))
            phone.send(.wakeRemoved(WakeID(number: 1)))
            phone.set(7, 0, .everyDay)
        }
    }

    @Test("An app that is opened in the evening fetches without the task")
    func inFront() {
        var phone = evening()
        phone.pass(until: seven.advanced(by: .seconds(-30_000)))
        phone.relaunch()
        #expect(operation(phone, isAudio: true) != nil)
    }

    @Test(
        "No alarm sounds in a voice that is deleted, before its audio is fetched or after (AN-04)",
        arguments: 0...2
    )
    func voiceDeleted(answers: Int) throws {
        var phone = evening()
        for day in 0...1 as ClosedRange<Int64> {
            let due = seven.advanced(by: .seconds(86_400 * day))
            phone.pass(until: due.advanced(by: .seconds(-30_000)))
            _ = phone.takeLog()
            phone.send(.backgroundTaskStarted)
            let audio = try #require(operation(phone, isAudio: true))
            let sync = try #require(operation(phone, isAudio: false))
            let file = WakeFlow.AudioAnswer.stored(name: "w.caf", length: .seconds(20))
            let facts: [WakeFlow.Event] = [
                .audioFetched(audio, file), .conversationSynced(sync, accepted: true),
            ]
            for fact in facts.prefix(answers) { phone.send(fact) }
            let isPreloaded = phone.system.contains { $0.sound == .preloaded(name: "w.caf") }
            #expect(isPreloaded == (answers == 2))
            phone.send(.voiceDeleted)
            for fact in facts.dropFirst(answers) { phone.send(fact) }
            #expect(phone.system.allSatisfy { $0.sound == .bundled })
            #expect(phone.sounds(after: due).prefix(2) == [0, 60])
            #expect(phone.disk.sound == .bundled)
            // The file goes when nothing that is armed names it.
            #expect(phone.log.last == .clearCaches(keeping: .bundled))
            #expect(phone.log.contains(.cancel(audio)) == (answers == 0))
            phone.pass(until: due)
            #expect(phone.sounding?.sound == .bundled)
            phone.send(.tapped(try #require(phone.sounding).id))
            phone.send(.conversationStarted)
            phone.sayAll()
        }
    }

    @Test(
        "A kill anywhere in the deletion leaves no alarm without a sound, and none in the voice (AN-04)"
    )
    func killedAtDeletion() throws {
        var whole = evening()
        whole.pass(until: seven.advanced(by: .seconds(-30_000)))
        whole.send(.backgroundTaskStarted)
        let audio = try #require(operation(whole, isAudio: true))
        let sync = try #require(operation(whole, isAudio: false))
        whole.send(.audioFetched(audio, .stored(name: "w.caf", length: .seconds(20))))
        whole.send(.conversationSynced(sync, accepted: true))
        #expect(whole.system.contains { $0.sound == .preloaded(name: "w.caf") })
        _ = whole.takeLog()
        let before = whole
        whole.send(.voiceDeleted)
        for effects in 0..<whole.log.count {
            var phone = before
            phone.lifeLeft = effects
            phone.send(.voiceDeleted)
            // The account finds the deletion under way, and says so again.
            phone.send(.voiceDeleted)
            #expect(
                phone.sounds(after: seven) == before.sounds(after: seven),
                "killed after \(effects)"
            )
            #expect(phone.system.allSatisfy { $0.sound == .bundled }, "killed after \(effects)")
            #expect(phone.log.contains(.clearCaches(keeping: .bundled)), "killed after \(effects)")
        }
    }
}
