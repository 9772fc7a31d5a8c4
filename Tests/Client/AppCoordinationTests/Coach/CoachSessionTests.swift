import AppCoordination
import RealtimeVoice
import SansIO
import Testing
import WakeFlow

@Suite("The coach's session, which wakes, nudges and the user share")
struct CoachSessionTests {
    /// An entry of a morning that is over.
    private static let old = WakeEntryID(wake: WakeID(number: 1), arming: 999, rung: 0)

    /// A story at six, an hour before the wake.
    private func dawn() -> CoachStory {
        var story = CoachStory()
        story.launch()
        _ = story.takeOrders()
        return story
    }

    /// A story at seven, when the first sound is on.
    private func morning() -> CoachStory {
        var story = dawn()
        story.wait(.seconds(3_600))
        _ = story.takeOrders()
        return story
    }

    private func connected(_ story: inout CoachStory) {
        story.tell(.relayed(.sessionShown(.connected)))
    }

    @Test(
        "A conversation for no morning ends when the user hangs up, or a call comes (RS-13, AN-20)"
    )
    func hungUp() {
        var story = dawn()
        for end in [CoachEvent.hungUp, .hungUp, .audioInterrupted] {
            story.tell(.entryTapped(Self.old))
            #expect(story.takeOrders() == [.voice(.beginSession)])
            connected(&story)
            #expect(story.takeOrders() == [] && story.machine.wantsSession)
            story.tell(end)
            #expect(story.takeOrders() == [.voice(.endSession)])
            #expect(!story.machine.wantsSession)
            story.tell(end)
            #expect(story.takeOrders() == [], "it has ended")
        }
    }

    @Test("A conversation for no morning that nobody ends is over after its time (AN-20)")
    func forgotten() {
        var story = dawn()
        for _ in 0..<2 {
            story.tell(.entryTapped(Self.old))
            connected(&story)
            story.wait(.seconds(599))
            #expect(story.machine.wantsSession)
            story.wait(.seconds(1))
            #expect(story.takeOrders() == [.voice(.beginSession), .voice(.endSession)])
            #expect(!story.machine.wantsSession)
        }
    }

    @Test("A conversation for no morning ends where its session cannot be had")
    func failed() {
        var story = dawn()
        for _ in 0..<2 {
            story.tell(.entryTapped(Self.old))
            story.tell(.relayed(.sessionShown(.couldNotConnect)))
            #expect(story.takeOrders() == [.voice(.beginSession), .voice(.endSession)])
        }
    }

    @Test("A wake that comes into the user's conversation leads it, and ends it once (AN-02)")
    func joined() throws {
        var story = dawn()
        story.tell(.entryTapped(Self.old))
        connected(&story)
        story.wait(.seconds(300))
        story.tell(.hungUp)
        story.wait(.seconds(2_900))
        story.tell(.entryTapped(Self.old))
        connected(&story)
        story.wait(.seconds(420))
        _ = story.takeOrders()
        story.tell(.entryStopped(try #require(story.system.first).id))
        #expect(
            story.takeOrders() == [
                .voice(.beginSession), .voice(.beginConversation), .voice(.askAgent(.first)),
                .voice(.countAgentPackets),
            ]
        )
        story.tell(.lineFinished(number: 0))
        story.tell(.heard("OK", byPhone: false))
        #expect(story.takeOrders().count { $0 == .voice(.endSession) } == 1)
        #expect(!story.machine.wantsSession)
    }

    @Test("A nudge that ends leaves the session to a wake that connects (AN-20)")
    func nudgeEnds() throws {
        var story = morning()
        for _ in 0..<2 {
            story.tell(.distractionDetected)
            guard case .nudge(.post(let id, _)) = story.takeOrders().last else { return }
            story.tell(.nudgeOpened(id))
            story.tell(.entryStopped(try #require(story.system.first).id))
            _ = story.takeOrders()
            story.tell(.interventionLeft)
            #expect(!story.takeOrders().contains(.voice(.endSession)))
            #expect(story.machine.wantsSession)
            connected(&story)
            #expect(story.takeOrders().contains(.voice(.askAgent(.first))))
            story.tell(.gaveUp)
            #expect(story.takeOrders().contains(.voice(.endSession)))
            story.wait(.seconds(86_400))
            _ = story.takeOrders()
        }
    }

    @Test("A morning that ends leaves the session to a nudge that goes on (AN-20)")
    func wakeEnds() throws {
        var story = morning()
        story.tell(.distractionDetected)
        story.tell(.nudgeOpened(NudgeID(number: 1)))
        connected(&story)
        story.tell(.entryStopped(try #require(story.system.first).id))
        #expect(story.takeOrders().contains(.voice(.askAgent(.first))), "it joins at once")
        story.tell(.gaveUp)
        let ended = story.takeOrders()
        #expect(ended.contains(.voice(.endConversation(isDone: false))))
        #expect(!ended.contains(.voice(.endSession)) && !ended.contains(.voice(.stopVoiceEngine)))
        story.tell(.interventionLeft)
        let left = story.takeOrders()
        #expect(left.contains(.voice(.endSession)) && left.contains(.nudge(.endIntervention)))
    }

    @Test("What a session shows about its end is not taken for the failure of the next one (RS-13)")
    func lastWord() throws {
        var story = morning()
        for _ in 0..<2 {
            story.tell(.entryStopped(try #require(story.system.first).id))
            connected(&story)
            story.tell(.distractionDetected)
            guard case .nudge(.post(let id, _)) = story.takeOrders().last else { return }
            story.resume(since: [.gaveUp, .nudgeOpened(id)])
            let both = story.takeOrders()
            #expect(both.contains(.voice(.endSession)) && both.contains(.voice(.beginSession)))
            connected(&story)
            #expect(story.takeOrders() == [.nudge(.intervene(.full, isOnline: true))])
            story.tell(.interventionLeft)
            story.wait(.seconds(86_400))
            _ = story.takeOrders()
        }
    }

    @Test("Who hangs up in a nudge has left it; in a guide, the ladder goes on (AN-20, D-23)")
    func hangsUp() throws {
        var story = morning()
        story.tell(.entryStopped(try #require(story.system.first).id))
        connected(&story)
        _ = story.takeOrders()
        story.tell(.hungUp)
        #expect(story.takeOrders().contains(.voice(.endSession)))
        let isToSound = story.isToSound(within: .seconds(120))
        #expect(isToSound && !story.outbox.contains(.wakeDone))
        story.tell(.distractionDetected)
        story.tell(.nudgeOpened(NudgeID(number: 1)))
        connected(&story)
        _ = story.takeOrders()
        story.tell(.hungUp)
        let ended = story.takeOrders()
        #expect(ended.contains(.voice(.endSession)) && ended.contains(.nudge(.endIntervention)))
    }
}
