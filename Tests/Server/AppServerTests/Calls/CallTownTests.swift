@testable import AppServer
@testable import IncomingCalls
@testable import KodamaPhone
import Testing

@Suite("Phones, server and push provider face to face")
struct CallTownTests {
    @Test(
        "However answers get lost, no phone rings twice for a call, and all sides end it (K-17, VP-05)",
        arguments: [0, 10, 30]
    )
    func town(loss: Int) {
        var rings = 0
        var calls = 0
        var deliveries = 0
        var noticed = 0
        for seed in 0..<8 as Range<UInt64> {
            var town = CallTown(seed: seed, loss: loss)
            for _ in 0..<4 { town.callAndRest() }
            #expect(town.faults.isEmpty, "seed \(seed): \(town.faults.prefix(3))")
            rings += town.rings.count
            calls += town.phones[0].ends.count
            deliveries += town.deliveries
            noticed += town.phones[1].notices.count
            // Both of the callee's phones give the same notices: one each of the calls that nobody took.
            if loss == 0 {
                #expect(town.phones[1].notices == town.phones[2].notices)
                // A cancel that comes too late for the server is a hang-up.
                let taken = town.phones.dropFirst().flatMap { phone in
                    phone.ends.filter { $0.value == .hungUp }.keys
                }
                let missed = town.phones[0].ends.filter {
                    [.cancelled, .unanswered].contains($0.value) && !taken.contains($0.key)
                }
                #expect(Set(town.phones[1].notices) == Set(missed.keys), "seed \(seed)")
            }
        }
        #expect(calls == 32)
        #expect(rings > 32, "phones that do not ring prove little")
        #expect(noticed > 2)
        if loss > 0 { #expect(deliveries > rings, "nothing was ever delivered twice") }
    }

    @Test("An app woken for a call has time to lose a packet twice, and gives notice (VP-05)")
    func ringTime() throws {
        let ring = try #require(CallsConfiguration().ringTimeout)
        // A SYN is sent again after 1 s, and after 2 s more (RFC 6298).
        let lost = Duration.seconds(3)
        #expect(ring + lost <= CallBook.ringTime, "an answer at the last moment")
        let asked = CallBook.ringTime + MissedCallInbox.listingMargin
        #expect(asked + lost <= PhoneSystemConfiguration().pushGrace, "the notice")
        #expect(CallRegistry.serverRingTime == CallBook.ringTime, "what the app believes")
    }
}
