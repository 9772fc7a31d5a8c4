@testable import KodamaEvidence
@testable import KodamaWorld
import Testing

@Suite("Deliveries")
struct DeliveryTests {
    @Test("A delivery takes eight bytes, with room for a million phones")
    func size() {
        #expect(MemoryLayout<Delivery>.size == 8)
        // A phone, its person, three radios and two apps.
        #expect(Delivery.componentsMax >= 7 * 1_000_000)
    }

    @Test("Receiver, word and argument come out as they went in", arguments: [0, 1, 65_534])
    func fields(receiver: Int) {
        for word: UInt8 in [0, 7, 255] {
            for argument: UInt32 in [0, 1, .max] {
                let delivery = Delivery(to: ComponentIndex(receiver), word, argument)
                #expect(delivery.receiver == receiver)
                #expect(delivery.word == word)
                #expect(delivery.argument == argument)
            }
        }
    }

    @Test("A word that its receiver does not know stops the run")
    func unknownWord() async {
        await #expect(processExitsWith: .failure) {
            let host = EchoHost("deaf", index: 0, diary: Diary())
            var stage = Stage.empty()
            host.deliver(Delivery(to: host.index, 17), on: &stage)
        }
    }
}
