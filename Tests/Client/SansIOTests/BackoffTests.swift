import SansIO
import Testing

@Suite("Waits after failures")
struct BackoffTests {
    @Test("Waits double, or grow by a share, up to the longest; half is drawn", arguments: [1, 8])
    func growth(share: Int64) {
        var generator = SeededGenerator(seed: 7)
        var backoff = Backoff()
        var most: Int64 = 8_000
        for _ in 0..<60 {
            let wait = backoff.next(
                first: .seconds(8),
                longest: .seconds(900),
                growingBy: share,
                by: &generator
            )
            #expect(wait >= .milliseconds(most / 2 - 1) && wait <= .milliseconds(most + 1))
            most = min(most + most / share, 900_000)
        }
        #expect(backoff.hasFailed)
        backoff.reset()
        #expect(!backoff.hasFailed)
        let wait = backoff.next(first: .seconds(8), longest: .seconds(900), by: &generator)
        #expect(wait <= .seconds(8))
    }

    @Test("What grows by an eighth is tried some forty times in the first hour")
    func hour() {
        var counts: [Int] = []
        for seed in 0..<50 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var backoff = Backoff()
            var time = Duration.zero
            var count = 0
            while time < .seconds(3_600) {
                time += backoff.next(
                    first: .seconds(8),
                    longest: .seconds(900),
                    growingBy: 8,
                    by: &generator
                )
                count += 1
            }
            counts.append(count)
        }
        #expect(counts.allSatisfy { (30...45).contains($0) }, "\(counts)")
    }

    @Test("A busy server is heeded for 5 minutes at most, upon 429 and 503, and in seconds only")
    func retryAfter() {
        #expect(RetryAfter(statusCode: 429, field: "7") == RetryAfter(.seconds(7)))
        #expect(RetryAfter(statusCode: 503, field: "7")?.wait == .seconds(7))
        #expect(RetryAfter(statusCode: 429, field: "86400")?.wait == .seconds(300))
        #expect(RetryAfter(.seconds(-1)).wait == .zero)
        #expect(RetryAfter(statusCode: 500, field: "7") == nil)
        for field in [nil, "", "-1", "86401", "Fri, 31 Dec 1999 23:59:59 GMT"] {
            #expect(RetryAfter(statusCode: 429, field: field) == nil)
        }
    }
}
