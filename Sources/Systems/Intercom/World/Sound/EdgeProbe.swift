import KodamaWorld

/// How the sound of a phone's speaker was where a member's talk spurt began or ended.
struct SpurtEdge {
    /// Whose spurt it was.
    let peer: Int
    /// The greatest step between two samples within 1 ms of the edge, in units of 16 bits.
    let step: Int
    /// The step that nobody would notice there; 0 before a second of spurts has sounded.
    ///
    /// It is the 99.9th percentile of those within all spurts that sounded so far, or the greatest from 1
    /// to 10 ms off the edge if that is more.
    let usualStep: Int
    /// The mean square of the samples in the 10 ms before the edge.
    let levelBefore: Int
    /// The same in the 10 ms that begin 10 ms after it: by then every fade is over.
    let levelAfter: Int
}

/// Listens at a phone's speaker to the edges of talk spurts.
///
/// It is given what the speaker is given, a callback's worth at a time, and where in it spurts begin
/// and end. Edges beside which another member sounds are left out, since that one's speech is heard.
struct EdgeProbe {
    private struct Edge {
        let peer: Int
        let offset: Int
    }

    /// One callback's sound.
    private struct Block {
        var samples: [Int16] = []
        /// The members of whom a spurt sounds somewhere in it, one bit each.
        var sounding: UInt64 = 0
        var edges: [Edge] = []
    }

    /// The latest callbacks, old to new; the second is looked at, the others lie around it.
    private var blocks: [Block] = []
    private var next = Block()
    /// How often steps of each size sounded within spurts, in bins of `binWidth`.
    private var counts = [UInt32](repeating: 0, count: 65_536 / EdgeProbe.binWidth)
    private var countSum = 0

    private static let binWidth = 8
    private static let stepsMin = 48_000
    private static let length = SoundHardware.samplesPerRender
    private static let near = 48

    /// Adds a member's share of the sound that comes next.
    ///
    /// - Parameters:
    ///   - edges: Where in it spurts begin and end.
    ///   - isSounding: Whether a spurt sounds at its beginning or at its end.
    ///   - peer: The member.
    mutating func add(_ edges: [Int], isSounding: Bool, of peer: Int) {
        guard isSounding || !edges.isEmpty else { return }
        next.sounding |= 1 << UInt64(peer & 63)
        for offset in edges { next.edges.append(Edge(peer: peer, offset: offset)) }
    }

    /// The speaker is given `sound`, with the shares added before.
    mutating func sound(_ sound: UnsafeBufferPointer<Int16>, _ found: (SpurtEdge) -> Void) {
        next.samples = Array(sound)
        blocks.append(next)
        next = Block()
        guard blocks.count == 4 else { return }
        let around = blocks.reduce(0) { $0 | $1.sounding }
        if blocks.allSatisfy(\.edges.isEmpty) {
            if blocks[1].sounding != 0 { count() }
        } else {
            for edge in blocks[1].edges where around == 1 << UInt64(edge.peer & 63) {
                found(judge(edge))
            }
        }
        blocks.removeFirst()
    }

    /// Counts the steps of the block that is looked at.
    private mutating func count() {
        var last = Int(blocks[0].samples[Self.length - 1])
        for sample in blocks[1].samples {
            counts[abs(Int(sample) - last) / Self.binWidth] += 1
            last = Int(sample)
        }
        countSum += Self.length
    }

    private func judge(_ edge: Edge) -> SpurtEdge {
        let samples = blocks.flatMap(\.samples)
        let position = Self.length + edge.offset
        var (step, beside) = (0, 0)
        for index in max(1, position - Self.length)..<position + Self.length {
            let size = abs(Int(samples[index]) - Int(samples[index - 1]))
            if abs(index - position) <= Self.near {
                step = max(step, size)
            } else {
                beside = max(beside, size)
            }
        }
        let speech = speechStep
        return SpurtEdge(
            peer: edge.peer,
            step: step,
            usualStep: speech == 0 ? 0 : max(speech, beside),
            levelBefore: Self.level(samples[position - Self.length..<position]),
            levelAfter: Self.level(samples[position + Self.length..<position + 2 * Self.length])
        )
    }

    private static func level(_ samples: ArraySlice<Int16>) -> Int {
        samples.reduce(0) { $0 + Int($1) * Int($1) } / samples.count
    }

    /// The 99.9th percentile of the steps counted.
    private var speechStep: Int {
        guard countSum >= Self.stepsMin else { return 0 }
        var above = 0
        for bin in counts.indices.reversed() {
            above += Int(counts[bin])
            if above * 1_000 > countSum { return (bin + 1) * Self.binWidth - 1 }
        }
        return 0
    }
}
