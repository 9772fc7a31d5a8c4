@testable import KodamaEvidence
@testable import KodamaHarness
import SansIO
import Testing

@Suite("Runs of like sentences are folded")
struct SentenceFoldingTests {
    private func sentence(_ seconds: Int64, _ component: String, _ text: String) -> Sentence {
        Sentence(at: Instant(nanoseconds: seconds * 1_000_000_000), of: component, text)
    }

    @Test(
        "Like sentences that differ in numbers, alone or in turn, are told once with their number"
    )
    func folded() {
        var sentences = [sentence(0, "ida", "the app is launched")]
        for number in 1...20 {
            let at = Int64(10 * number)
            sentences.append(sentence(at, "ida", "attempt \(number) begins"))
            sentences.append(sentence(at + 1, "ida", "attempt \(number) fails: no network"))
        }
        sentences.append(sentence(300, "ida", "the path is back"))
        let lines = SentenceFolding(sentences).lines
        #expect(lines.count == 5)
        #expect(lines[3] == .more(19, of: 2, last: sentences[40]))
        #expect(
            Explanation.lines(sentences, isWhole: false)[3]
                == "201.000 s  ida  … these 2 lines 19 more times, the last: Attempt 20 fails: no network."
        )
        #expect(Explanation.lines(sentences, isWhole: true).count == 42)
    }

    @Test("The longest time of those that are folded is told too (HN-06)")
    func longest() {
        func silences(_ seconds: [String]) -> [String] {
            let sentences = seconds.enumerated().map { index, length in
                sentence(Int64(10 * index), "ida", "nothing was heard for \(length), 3 samples")
            }
            return Explanation.lines(sentences, isWhole: false)
        }
        var all = Array(repeating: "0.3 s", count: 21)
        let last = "Nothing was heard for 0.3 s, 3 samples."
        #expect(silences(all)[1] == "200.000 s  ida  … the same 20 more times, the last: \(last)")
        (all[7], all[9], all[12]) = ("14 s", "14 s", "2.5 s")
        #expect(
            silences(all)[1]
                == "200.000 s  ida  … the same 20 more times, the longest at 70.000 s: "
                + "Nothing was heard for 14 s, 3 samples. The last: \(last)"
        )
        all[15] = "1,200 s"
        #expect(
            silences(all)[1].contains("the longest at 150.000 s: Nothing was heard for 1,200 s")
        )
        // What is shown already needs no word.
        all[0] = "2,000 s"
        #expect(!silences(all)[1].contains("longest"))
        (all[0], all[20]) = ("0.3 s", "2,000 s")
        #expect(!silences(all)[1].contains("longest"))
    }

    @Test("Two like sentences, and those of different phones, are told as they are")
    func few() {
        let two = [sentence(1, "a", "attempt 1 fails"), sentence(2, "a", "attempt 2 fails")]
        #expect(SentenceFolding(two).lines.count == 2)
        let apart = (1...9).map { sentence($0, "phone-\($0)", "attempt \($0) fails") }
        #expect(SentenceFolding(apart).lines.count == 9)
        #expect(SentenceFolding([]).lines.isEmpty)
    }
}
