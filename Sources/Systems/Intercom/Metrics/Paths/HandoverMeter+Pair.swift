import KodamaEvidence
import PeerTransport

extension HandoverMeter {
    /// What is kept for each speaker and listener.
    struct Pair {
        /// By which paths the latest frames were sent and came, as bits, by index.
        var sentIndices = [Int64](repeating: -1, count: Self.frameCount)
        var sentPaths = [UInt8](repeating: 0, count: Self.frameCount)
        /// The latest frame that came by each path.
        var carriedByRadio: Int64 = -1
        var carriedByInternet: Int64 = -1
        /// By which path frames go while nothing changes.
        var settled: TransportPaths = []
        /// When it changed last.
        var changedAt: Int64?
        /// The handover that is under way.
        var change: HandoverChange?
        /// When the last sound ended, when it had been said, and its capture index.
        var heardUntil: Int64?
        var capturedAt: Int64 = 0
        var heardIndex: Int64 = 0
        /// How long its samples sounded.
        var heardDuration = Self.frameDuration
        /// Up to which frame losses have been given.
        private var givenUntil: Int64 = 0
        /// The latest ends of the radio, each with when the first spurt after it began.
        var firstOnsets: [(end: Int64, onset: Int64)] = []

        /// Whether a spurt is the first one after an end of the radio.
        func isFirst(spurtFrom onset: Int64) -> Bool {
            firstOnsets.contains { $0.onset == onset }
        }

        /// More than the jitter buffer can hold back: 5 s.
        static let frameCount = 256
        /// So many spurts may begin before what became of the first is known.
        static let onsetCount = 8

        mutating func sent(_ index: Int64, by path: TransportPath) {
            let slot = Int(index & Int64(Self.frameCount - 1))
            let bit = TransportPaths(path).rawValue
            sentPaths[slot] = sentIndices[slot] == index ? sentPaths[slot] | bit : bit
            sentIndices[slot] = index
        }

        mutating func lost(_ index: Int64) {
            let slot = Int(index & Int64(Self.frameCount - 1))
            if sentIndices[slot] == index { sentPaths[slot] |= Self.lostBit }
        }

        mutating func arrived(_ index: Int64, by path: TransportPath) {
            let slot = Int(index & Int64(Self.frameCount - 1))
            let bit = TransportPaths(path).rawValue
            if sentIndices[slot] == index { sentPaths[slot] |= bit << Self.arrivedShift }
        }

        func paths(of index: Int64) -> TransportPaths {
            TransportPaths(rawValue: word(of: index)).intersection(.both)
        }

        /// The frames that the settled path lost around one that sounds after a silence.
        ///
        /// Those before it are not heard. It and those right after it, if lost, are heard by their
        /// copies: by the settled path alone they would have cost that silence. Each frame is
        /// given once.
        mutating func lostIndices(around index: Int64) -> [Int64] {
            let first = max(heardIndex + 1, index - Int64(Self.frameCount), givenUntil)
            var lost = first < index ? (first..<index).filter(isLost) : []
            var next = max(index, first)
            while isLost(next) {
                lost.append(next)
                next += 1
            }
            givenUntil = next
            return lost
        }

        /// Less than this after the last sound is no silence, if this frame sounds next.
        func silenceMin(before index: Int64) -> Int64 {
            guard index == heardIndex + 1 else { return Self.clockRounding }
            return Self.clockRounding + max(0, Self.frameDuration - heardDuration)
        }

        private static var clockRounding: Int64 { 1_000_000 }
        /// How long a frame sounds that is neither shortened nor stretched.
        private static var frameDuration: Int64 { 20_000_000 }

        private func isLost(_ index: Int64) -> Bool {
            let settled = settled.rawValue
            let lost = settled | Self.lostBit
            return word(of: index) & (lost | settled << Self.arrivedShift) == lost
        }

        /// Whether the latest frames go by another path alone than those before.
        var isSentElsewhere: Bool {
            guard let latest = sentIndices.max(), latest >= 0 else { return false }
            let paths = paths(of: latest)
            return !paths.isEmpty && paths != .both && paths != settled
        }

        /// The latest frame that came by the settled path.
        var carried: Int64 { settled == .local ? carriedByRadio : carriedByInternet }

        private func word(of index: Int64) -> UInt8 {
            let slot = Int(index & Int64(Self.frameCount - 1))
            return sentIndices[slot] == index ? sentPaths[slot] : 0
        }

        private static let lostBit: UInt8 = 4
        /// Where the bits of the paths lie by which a frame came.
        private static let arrivedShift: UInt8 = 3

        /// One of the two has left the group: what they say to each other later is another talk.
        mutating func forget() {
            var fresh = Pair()
            fresh.firstOnsets = firstOnsets
            self = fresh
        }
    }
}
