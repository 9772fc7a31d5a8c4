import Foundation
import IncomingCalls
import Testing

@Suite("Calls on a phone that does what phones do")
struct CallPropertyTests {
    /// How many phones each decade tries: 10, or a tenth of `KODAMA_PHONES`.
    private static let phonesPerDecade: UInt64 = {
        let environment = ProcessInfo.processInfo.environment
        return environment["KODAMA_PHONES"].flatMap { UInt64($0) }.map { $0 / 10 } ?? 10
    }()

    @Test(
        "Every push is reported, no call rings twice, and everything owed is done (VP-02, K-17, D-01)",
        arguments: 0..<10 as Range<UInt64>
    )
    func phone(decade: UInt64) {
        var rings = 0
        var conversations = 0
        let first = decade * Self.phonesPerDecade
        for seed in first..<first + Self.phonesPerDecade {
            var phone = ModelPhone(seed: seed)
            phone.live(40)
            #expect(phone.faults.isEmpty, "seed \(seed): \(phone.faults.prefix(3))")
            rings += phone.rings.values.reduce(0, +)
            conversations += phone.conversations
        }
        #expect(rings > 10, "phones that hardly ring prove little")
        #expect(conversations > 4, "phones that are hardly answered prove little")
    }

    @Test("Nobody answers without the microphone, and everything owed is done all the same (VP-05)")
    func microphone() {
        var answers = 0
        for seed in 0..<20 as Range<UInt64> {
            var phone = ModelPhone(seed: seed, microphone: .undecided)
            phone.live(40, deciding: seed.isMultiple(of: 2), after: 20)
            #expect(phone.faults.isEmpty, "seed \(seed): \(phone.faults.prefix(3))")
            answers += phone.answers
        }
        #expect(answers > 0, "phones that never allow it prove little")
    }

    @Test("By the source's rules the same phones find what ends the app, and calls that ring twice")
    func asSpecified() {
        var faults: [String] = []
        for seed in 0..<20 as Range<UInt64> {
            var phone = ModelPhone(seed: seed, .asSpecified)
            phone.live(40)
            faults += phone.faults
        }
        for fault in ["a push without a report", "rings 2 times", "calls that never end"] {
            #expect(faults.contains { $0.contains(fault) }, "\(fault)")
        }
    }
}
