import SansIO
import SansIOTesting
import Testing
import WakeFlow

@Suite("The agent has the word back once its packets are steady (AN-05)")
struct OfflineGuideSteadyTests {
    /// A phone whose packets of the agent's are counted each 100 ms.
    private struct Phone {
        var guide = OfflineGuide(seed: 1)
        var now = Instant.zero
        var packets: Int64 = 0
        var line = 0

        mutating func send(_ event: OfflineGuide.Event?) -> [OfflineGuide.Effect] {
            var effects = guide.drive(event, at: now)
            if effects.contains(.countAgentPackets) {
                effects += guide.drive(.agentPackets(packets), at: now)
            }
            return effects
        }

        /// The agent is to say another line.
        mutating func order() {
            line += 1
            let next = ScriptLine(number: line, step: 0, isRepetition: false, text: "")
            _ = send(.lineOrdered(next))
        }

        /// How many counts pass until the guide orders something; 0 if it does not in ten seconds.
        mutating func counts(
            grow: Bool,
            until isWanted: (OfflineGuide.Effect) -> Bool
        ) -> Int {
            for count in 1...100 {
                now = now.advanced(by: .milliseconds(100))
                if grow { packets += 5 }
                if send(nil).contains(where: isWanted) { return count }
            }
            return 0
        }

        /// How many counts the phone takes to have the word, and the agent to have it back.
        mutating func lose() -> [Int] {
            let lost = counts(grow: false) { $0 == .muteAgent }
            _ = send(.lineFinished(number: line))
            let line = line
            return [lost, counts(grow: true) { $0 == .unmuteAgent(atLine: line) }]
        }
    }

    @Test(
        "Each time that packets stay away they are to come for twice as long; a conversation begins anew"
    )
    func doubled() {
        var phone = Phone()
        for number in 1...2 as ClosedRange<UInt64> {
            _ = phone.send(.conversationBegan(UniqueID(high: 1, low: number)))
            phone.order()
            // Before the agent was heard at all it has two seconds, and a further half afterwards.
            #expect(phone.lose() == [20, 6], "conversation \(number)")
            for back in [11, 21] {
                phone.order()
                #expect(phone.lose() == [5, back], "conversation \(number)")
            }
            _ = phone.send(.conversationEnded)
        }
    }
}
