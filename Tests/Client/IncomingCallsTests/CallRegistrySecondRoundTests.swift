import IncomingCalls
import SansIO
import SansIOTesting
import Testing

private typealias Story = CallStory
private typealias Effect = CallRegistry.Effect

@Suite("What comes late to a call, before its time, or twice")
struct CallRegistrySecondRoundTests {
    private let uuid = CallStory.uuids[0]

    private static func instant(_ milliseconds: Int64) -> Instant {
        Instant.zero.advanced(by: .milliseconds(milliseconds))
    }

    @Test(
        "An end signal that comes late ends no call that was answered: the server is asked (VP-05, D-03)",
        arguments: ["cancelled", "unanswered", "answeredElsewhere", "declinedElsewhere"]
    )
    func lateEndSignal(reason: String) throws {
        let signal = CallRegistry.Event.endSignalReceived(Story.endSignal("c-1", reason))
        for story in [try Story.answering(), try Story.connected()] {
            var registry = story.machine
            let effects = registry.handle(signal, at: Self.instant(10_000))
            #expect(registry.descriptions.count == 1, "\(effects)")
            let isOver = effects.contains {
                if case .system(.reportEnded) = $0 { true } else { false }
            }
            #expect(!isOver)
        }
        // What rings ends, and the same signal once more says nothing new.
        var registry = try Story.ringing().machine
        let first = registry.handle(signal, at: Self.instant(10_000))
        #expect(registry.descriptions.isEmpty)
        #expect(first.contains { if case .system(.reportEnded) = $0 { true } else { false } })
        let second = registry.handle(signal, at: Self.instant(11_000))
        #expect(!second.contains { if case .system = $0 { true } else { false } }, "\(second)")
    }

    @Test(
        "A call that is put on hold before its media are joined is held as soon as they are (VP-05)"
    )
    func heldBeforeJoin() throws {
        for isTakenOff in [false, true] {
            var registry = try Story.answering().machine
            var media: [Effect] = []
            func send(_ event: CallRegistry.Event, at milliseconds: Int64) {
                for effect in registry.handle(event, at: Self.instant(milliseconds)) {
                    if case .media = effect { media.append(effect) }
                }
            }
            send(Story.action(2, .setHeld(uuid, isHeld: true)), at: 1_050)
            if isTakenOff { send(Story.action(3, .setHeld(uuid, isHeld: false)), at: 1_060) }
            let offer = CallOffer(room: "call-x", hasVideo: false)
            send(Story.answered(3, .offer(offer)), at: 1_100)
            send(Story.answered(4, .answered(room: "call-x")), at: 1_200)
            send(.mediaConnected(uuid), at: 2_000)
            let held: [Effect] = isTakenOff ? [] : [.media(uuid, .setHeld(true))]
            #expect(media == [.media(uuid, .join(room: "call-x"))] + held)
        }
    }

    @Test("A call whose reports are all refused is over, however many pushes announced it (VP-06)")
    func allReportsRefused() throws {
        for pushes in 1...4 as ClosedRange<UInt32> {
            var registry = Story.registry()
            var reports: [OperationID] = []
            var completed: Set<UInt32> = []
            func send(_ event: CallRegistry.Event, at milliseconds: Int64) -> [Effect] {
                let effects = registry.handle(event, at: Self.instant(milliseconds))
                for effect in effects {
                    switch effect {
                    case .system(.reportIncoming(let operation, _, _)): reports.append(operation)
                    case .completePush(let push): completed.insert(push.number)
                    default: break
                    }
                }
                return effects
            }
            _ = send(.credentialsChanged(Story.credentials), at: 0)
            for push in 1...pushes { _ = send(Story.push(push, Story.payload()), at: Int64(push)) }
            #expect(reports.count == Int(pushes))
            for report in reports.dropLast() {
                _ = send(.reportFinished(report, .filteredByDoNotDisturb), at: 100)
                #expect(registry.descriptions.count == 1, "another report may have better luck")
            }
            _ = send(.reportFinished(reports[reports.count - 1], .filteredByDoNotDisturb), at: 200)
            #expect(registry.descriptions.isEmpty, "\(pushes) reports")
            #expect(completed == Set(1...pushes))
        }
    }
}
