import AppCoordination
import RealtimeVoice
import SansIO
import SansIOTesting
import Testing
import WakeFlow

@Suite("The coach's coordinator")
struct CoachCoordinatorTests {
    /// A story at seven, when the first sound is on.
    private func morning(
        _ configuration: CoachConfiguration = CoachStory.configuration
    ) -> CoachStory {
        var story = CoachStory(configuration)
        story.launch()
        story.wait(.seconds(3_600))
        _ = story.takeOrders()
        return story
    }

    private func firstEntry(of story: CoachStory) throws -> WakeEntryID {
        try #require(story.system.first).id
    }

    @Test("The first wakes are set at the first launch, and at no other (AN-01)")
    func firstWakes() {
        var story = CoachStory()
        story.launch()
        let entries = story.system
        #expect(entries.count == 3, "two sounds today and one tomorrow")
        for _ in 0..<2 {
            story.wait(.seconds(60))
            story.launch()
            #expect(story.system == entries)
            #expect(story.disk.wake.wakes.count == 1)
        }
    }

    @Test("The agent leads each morning, and its session ends with it (RS-13, AN-20)")
    func mornings() throws {
        var story = morning()
        for day in 1...2 {
            story.tell(.entryStopped(try firstEntry(of: story)))
            #expect(story.takeOrders() == [.voice(.beginSession)])
            #expect(story.machine.wantsSession && !story.machine.isTalking)
            story.tell(.relayed(.sessionShown(.connecting)))
            #expect(story.takeOrders() == [])
            story.tell(.relayed(.sessionShown(.connected)))
            #expect(
                story.takeOrders() == [
                    .voice(.beginConversation), .voice(.askAgent(.first)),
                    .voice(.countAgentPackets),
                ]
            )
            #expect(story.machine.isTalking && !story.machine.listensItself)
            story.tell(.lineFinished(number: 0))
            story.tell(.heard("OK", byPhone: false))
            let ended = story.takeOrders()
            #expect(
                ended == [
                    .showMorning(WakeID(number: 1), .done), .voice(.endSession),
                    .voice(.endConversation(isDone: true)),
                ]
            )
            #expect(!story.machine.wantsSession && !story.machine.isTalking)
            #expect(story.outbox.count { $0 == .wakeDone } == day)
            story.wait(.seconds(86_400))
            _ = story.takeOrders()
        }
    }

    @Test("Without a session the phone's own voice leads, and its engine stops with it (AN-05)")
    func offline() throws {
        var configuration = CoachStory.configuration
        configuration.flags.usesRealtime = false
        var story = morning(configuration)
        for _ in 0..<2 {
            story.tell(.entryStopped(try firstEntry(of: story)))
            #expect(
                story.takeOrders() == [
                    .voice(.beginConversation), .voice(.muteAgent), .voice(.speak(.first)),
                ]
            )
            #expect(story.machine.listensItself)
            story.tell(.lineFinished(number: 0))
            story.tell(.heard("OK", byPhone: true))
            let ended = story.takeOrders()
            #expect(
                ended.contains(.voice(.stopVoiceEngine)) && !ended.contains(.voice(.endSession))
            )
            #expect(story.disk.guide.unsent.last?.heard == ["OK"])
            for case .voice(.sendSummary(let operation, _)) in ended {
                story.tell(.summaryAnswered(operation, accepted: true))
            }
            story.wait(.seconds(86_400))
            _ = story.takeOrders()
        }
    }

    @Test("A session that comes late takes over after the phone's line, and only once (AN-05)")
    func lateSession() throws {
        var story = morning()
        story.tell(.entryStopped(try firstEntry(of: story)))
        story.tell(.relayed(.sessionShown(.couldNotConnect)))
        #expect(story.takeOrders().contains(.voice(.speak(.first))))
        #expect(story.machine.listensItself)
        story.tell(.relayed(.sessionShown(.connected)))
        #expect(story.takeOrders() == [.voice(.countAgentPackets)])
        #expect(story.machine.listensItself, "the line is not over")
        story.tell(.lineFinished(number: 0))
        #expect(story.takeOrders().contains(.voice(.unmuteAgent(atLine: 0))))
        #expect(!story.machine.listensItself)
        story.tell(.relayed(.sessionShown(.connected)))
        #expect(story.takeOrders() == [])
    }

    @Test("A session that is lost in the guide leaves it to the phone's voice (AN-05)")
    func lostSession() throws {
        var story = morning()
        story.tell(.entryStopped(try firstEntry(of: story)))
        story.tell(.relayed(.sessionShown(.connected)))
        _ = story.takeOrders()
        story.tell(.relayed(.sessionShown(.disconnected)))
        #expect(story.takeOrders().contains(.voice(.speak(.first))))
        #expect(story.machine.isTalking && story.machine.listensItself)
    }

    @Test("A path that is lost makes the phone's voice go on within its patience (AN-05)")
    func lostPath() throws {
        var story = morning()
        for _ in 0..<2 {
            story.tell(.entryStopped(try firstEntry(of: story)))
            story.tell(.relayed(.sessionShown(.connected)))
            _ = story.takeOrders()
            story.tell(.session(.pathChanged(.unsatisfied)))
            #expect(!story.machine.listensItself)
            story.wait(.milliseconds(500))
            #expect(story.takeOrders().contains(.voice(.speak(.first))))
            #expect(story.machine.listensItself)
            story.tell(.gaveUp)
            story.wait(.seconds(86_400))
            _ = story.takeOrders()
        }
    }

    @Test("A launch connects nothing, nor does a session that nobody wants begin anything (RS-13)")
    func unwanted() throws {
        var story = Transcript(CoachStory().machine)
        try story.expect(.session(.launched), at: .zero)
        try story.expect(.session(.notificationTapped), at: .zero)
        try story.expect(.relayed(.sessionShown(.connected)), at: .zero)
        try story.expect(.relayed(.sessionShown(.couldNotConnect)), at: .seconds(1))
        #expect(!story.machine.wantsSession)
    }

    @Test("A nudge is led by the agent, and ends its session (AN-03, AN-20)")
    func nudge() throws {
        var story = CoachStory()
        story.launch()
        _ = story.takeOrders()
        for number in 1...2 as ClosedRange<UInt32> {
            let id = NudgeID(number: number)
            story.tell(.distractionDetected)
            #expect(story.takeOrders() == [.nudge(.post(id, .local))])
            story.tell(.nudgeOpened(id))
            #expect(story.takeOrders() == [.voice(.beginSession)])
            story.tell(.relayed(.sessionShown(.connected)))
            #expect(story.takeOrders() == [.nudge(.intervene(.full, isOnline: true))])
            story.wait(.seconds(40))
            story.tell(.instructionDone)
            #expect(
                story.takeOrders() == [
                    .voice(.endSession), .nudge(.endIntervention), .nudge(.offerReturn),
                ]
            )
            story.tell(.wentBack)
            let outcome = NudgeOutcome(.done, length: .seconds(40), wentBack: true)
            #expect(story.takeOrders() == [.nudge(.show(id, outcome))])
            story.wait(.seconds(960))
        }
        #expect(story.outbox == [.nudgeSent, .nudgeJoined, .nudgeDone] * 2)
    }

    @Test("A nudge that ends in a morning leaves the session to the guide (AN-20)")
    func sharedSession() throws {
        var story = morning()
        story.tell(.distractionDetected)
        story.tell(.nudgeOpened(NudgeID(number: 1)))
        story.tell(.entryStopped(try firstEntry(of: story)))
        story.tell(.relayed(.sessionShown(.connected)))
        _ = story.takeOrders()
        story.tell(.interventionLeft)
        let ended = story.takeOrders()
        #expect(ended.contains(.nudge(.endIntervention)) && !ended.contains(.voice(.endSession)))
        #expect(story.machine.wantsSession && story.machine.isTalking)
    }

    @Test("What was done to a held process is heard once it knows the phone, the wake first")
    func since() throws {
        var story = morning()
        story.tell(.distractionDetected)
        _ = story.takeOrders()
        let entry = try firstEntry(of: story)
        story.resume(since: [.nudgeOpened(NudgeID(number: 1)), .entryStopped(entry)])
        #expect(story.takeOrders() == [.voice(.beginSession), .voice(.beginSession)])
        #expect(story.outbox == [.nudgeSent, .wakeTriggered, .nudgeJoined])
    }

    @Test("What the user allows, when asked or in Settings, both wakes and nudges hear (D-23)")
    func permissions() {
        var story = CoachStory()
        story.launch()
        var grants = CoachStory.grants
        for number in 1...2 as ClosedRange<UInt32> {
            grants.notifications = .denied
            story.tell(.grantsChanged(grants))
            story.tell(.distractionDetected)
            #expect(story.takeOrders() == [])
            grants.notifications = .granted
            story.tell(.grantsChanged(grants))
            story.tell(.distractionDetected)
            #expect(story.takeOrders() == [.nudge(.post(NudgeID(number: number), .local))])
            story.wait(.seconds(960))
            _ = story.takeOrders()
        }
    }

    @Test("A kill behind any order counts a morning once, and loses no ladder (AN-20)")
    func kills() throws {
        for life in 0..<40 {
            var story = morning()
            story.lifeLeft = life
            story.tell(.entryStopped(try firstEntry(of: story)))
            story.tell(.relayed(.sessionShown(.connected)))
            story.tell(.lineFinished(number: 0))
            story.tell(.heard("OK", byPhone: false))
            story.now = story.now.advanced(by: .seconds(5))
            story.lifeLeft = nil
            story.launch()
            if !story.outbox.contains(.wakeDone) {
                let isToSound = story.isToSound(within: .seconds(120))
                #expect(isToSound, "nothing sounds after a kill behind order \(life)")
                story.tell(.entryStopped(try firstEntry(of: story)))
                story.tell(.relayed(.sessionShown(.connected)))
                story.tell(.heard("OK", byPhone: false))
            }
            for kind in [CoachFact.Kind.wakeTriggered, .wakeDone] {
                #expect(story.outbox.count { $0 == kind } == 1, "\(kind) after order \(life)")
            }
        }
    }

    @Test("What the phone heard before it was known again is in the summary of its stretch (AN-05)")
    func heardSince() throws {
        var configuration = CoachStory.configuration
        configuration.flags.usesRealtime = false
        var story = morning(configuration)
        for day in 1...2 {
            story.tell(.entryStopped(try firstEntry(of: story)))
            story.tell(.lineFinished(number: 0))
            story.resume(since: [.heard("OK", byPhone: true)])
            #expect(story.disk.guide.unsent.map(\.heard) == Array(repeating: ["OK"], count: day))
            #expect(story.outbox.count { $0 == .wakeDone } == day)
            story.wait(.seconds(86_400))
        }
    }

    @Test(
        "A deleted voice is heard of also before the phone is known: no alarm sounds in it (AN-04)"
    )
    func voiceDeletedSince() throws {
        for isKnown in [false, true] {
            var story = CoachStory()
            story.launch()
            story.tell(.backgroundTaskStarted)
            for order in story.takeOrders() {
                switch order {
                case .fetchAudio(let audio):
                    story.tell(.audioFetched(audio, .stored(name: "w.caf", length: .seconds(20))))
                case .syncConversation(let sync):
                    story.tell(.conversationSynced(sync, accepted: true))
                default: break
                }
            }
            #expect(story.system.contains { $0.sound == .preloaded(name: "w.caf") })
            if isKnown { story.tell(.voiceDeleted) } else { story.resume(since: [.voiceDeleted]) }
            #expect(story.system.count == 3 && story.system.allSatisfy { $0.sound == .bundled })
            #expect(story.takeOrders().contains(.clearCaches(keeping: .bundled)))
        }
    }
}

/// Repeats a list.
private func * <Element>(list: [Element], count: Int) -> [Element] {
    Array(repeating: list, count: count).flatMap { $0 }
}
