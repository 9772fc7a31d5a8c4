import Testing

@Suite("Calls on a phone that does what phones do")
struct CallPropertyTests {
    @Test(
        "Every push is reported, no call rings twice, and everything owed is done (VP-02, K-17, D-01)",
        arguments: 0..<10 as Range<UInt64>
    )
    func phone(decade: UInt64) {
        var rings = 0
        var conversations = 0
        for seed in decade * 10..<decade * 10 + 10 {
            var phone = ModelPhone(seed: seed)
            phone.live(40)
            #expect(phone.faults.isEmpty, "seed \(seed): \(phone.faults.prefix(3))")
            rings += phone.rings.values.reduce(0, +)
            conversations += phone.conversations
        }
        #expect(rings > 10, "phones that hardly ring prove little")
        #expect(conversations > 5, "phones that are hardly answered prove little")
    }
}
