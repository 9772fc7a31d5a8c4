public import KodamaWorld
import SansIO

/// Excerpts of what is heard in one run of two settings, the worst second of either first.
public struct HeardPair: Sendable, Equatable {
    /// Something wrong with what is heard, or an instant at which it may be.
    public struct Mark: Sendable, Equatable {
        /// When it begins, in nanoseconds since the run's beginning.
        public var from: Int64
        /// When it ends; the same of an instant.
        public var until: Int64
        /// What it is, and of whose voice.
        public var label: String
    }

    /// What one setting lets hear.
    public struct Side: Sendable, Equatable {
        /// The sound.
        public var sound: WaveFile
        /// What is wrong with it.
        public var marks: [Mark]
    }

    /// The same stretch of both.
    public struct Excerpt: Sendable, Equatable {
        /// Whose speaker is heard.
        public var phone: String
        /// When it begins, in nanoseconds since the run's beginning.
        public var from: Int64
        /// When it ends.
        public var until: Int64
        /// When the second begins for which it was chosen, and on which side that is the worst.
        public var worst: (from: Int64, side: Int)
        /// How much of that second is at fault there, in nanoseconds.
        public var faulty: Int64
        /// Both sides.
        public var sides: [Side]

        /// Whether both are the same.
        public static func == (left: Excerpt, right: Excerpt) -> Bool {
            left.phone == right.phone && left.from == right.from && left.until == right.until
                && left.worst == right.worst && left.faulty == right.faulty
                && left.sides == right.sides
        }
    }

    /// The excerpts; none if nothing is at fault on either side.
    public let excerpts: [Excerpt]

    private static let second: Int64 = 1_000_000_000
    /// How much is heard before the worst second, and in all.
    private static let before = 2 * second
    private static let length = 6 * second

    /// Runs a seed of both settings, and listens.
    ///
    /// - Parameters:
    ///   - one: The run of the one setting.
    ///   - other: The run of the other, of the same seed.
    /// - Throws: What kept a world from being built or run.
    public init(_ one: SingleRun, _ other: SingleRun) throws(WorldError) {
        self.init([try HeardRun(one), try HeardRun(other)])
    }

    init(_ runs: [HeardRun]) {
        var excerpts: [Excerpt] = []
        for side in runs.indices {
            guard let worst = Self.worst(of: runs[side]) else { continue }
            let excerpt = Self.excerpt(of: runs, worst, side: side)
            let isThere = excerpts.contains { known in
                known.phone == excerpt.phone && known.from < excerpt.until
                    && excerpt.from < known.until
            }
            // Where both are at fault at once, one excerpt shows it; the worse side names it.
            if let index = excerpts.indices.first, isThere {
                if excerpt.faulty > excerpts[index].faulty { excerpts[index] = excerpt }
            } else {
                excerpts.append(excerpt)
            }
        }
        self.excerpts = excerpts.enumerated()
            .sorted { ($1.element.faulty, $0.offset) < ($0.element.faulty, $1.offset) }
            .map(\.element)
    }

    /// The second of a run in which most is at fault for a listener, the first of several.
    private static func worst(of run: HeardRun) -> (phone: String, from: Int64, faulty: Int64)? {
        var worst: (phone: String, from: Int64, faulty: Int64)?
        for phone in run.phones {
            var faults: [Int64: Int64] = [:]
            // What was never played is often made up too, and counts once.
            var end: Int64 = 0
            for mark in phone.marks where mark.until > max(mark.from, end) {
                let begin = max(mark.from, end)
                end = mark.until
                for number in begin / second...(end - 1) / second {
                    let from = max(begin, number * second)
                    let until = min(end, (number + 1) * second)
                    faults[number, default: 0] += until - from
                }
            }
            for (number, faulty) in faults.sorted(by: { $0.key < $1.key })
            where faulty > worst?.faulty ?? 0 {
                worst = (phone.name, number * second, faulty)
            }
        }
        return worst
    }

    private static func excerpt(
        of runs: [HeardRun],
        _ worst: (phone: String, from: Int64, faulty: Int64),
        side: Int
    ) -> Excerpt {
        let played = runs.flatMap(\.phones).map(\.samples.count).max() ?? 0
        let end = Int64(played) * 1_000_000_000 / Int64(HeardRun.sampleRateHertz)
        let from = max(0, min(worst.from - before, end - length))
        let until = from + length
        let sides = runs.map { run -> Side in
            let phone = run.phones.first { $0.name == worst.phone }
            let rate = Int64(HeardRun.sampleRateHertz)
            let first = Int(from / 1_000 * rate / 1_000_000)
            let count = Int(length / 1_000 * rate / 1_000_000)
            let samples = phone?.samples ?? []
            let sound = (first..<first + count).map {
                samples.indices.contains($0) ? samples[$0] : 0
            }
            return Side(
                sound: WaveFile(sampleRateHertz: HeardRun.sampleRateHertz, samples: sound),
                marks: (phone?.marks ?? []).filter { $0.from < until && $0.until >= from }
            )
        }
        return Excerpt(
            phone: worst.phone,
            from: from,
            until: until,
            worst: (worst.from, side),
            faulty: worst.faulty,
            sides: sides
        )
    }
}
