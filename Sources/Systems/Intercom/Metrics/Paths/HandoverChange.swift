import KodamaEvidence

/// A handover under way, and the silence in it.
struct HandoverChange: Sendable {
    /// When the last sound before it ended.
    let start: Int64
    /// Whether the talker spoke on at its beginning.
    let hasVoice: Bool
    private(set) var silence: Int64 = 0
    /// The frames missing in the silence that the former path lost, where it is not known yet
    /// whether it still carries.
    private var doubtful: [Int64] = []
    /// How long a frame of them sounds.
    private var frameDuration: Int64 = 0

    /// A path that carries again a second after a loss had not ended.
    private static var ownLossFrames: Int64 { 50 }

    init(start: Int64, hasVoice: Bool) {
        self.start = start
        self.hasVoice = hasVoice
    }

    /// Adds a silence, with what of it may turn out to be the former path's own loss.
    mutating func add(_ gap: Int64, doubtful lost: [Int64], frameDuration: Int64) {
        silence += gap
        guard gap > 0, frameDuration > 0 else { return }
        // No more frames than were missed: others may have been lost while a call had the sound.
        let missed = (gap + frameDuration / 2) / frameDuration
        doubtful += lost.suffix(Int(missed))
        self.frameDuration = frameDuration
    }

    /// The former path carried a frame: what it lost just before that is its own loss.
    mutating func carried(_ index: Int64) {
        guard !doubtful.isEmpty else { return }
        // Only the other path lost this frame: here it was still on its way.
        doubtful.removeAll { $0 == index }
        let former = doubtful.count
        doubtful.removeAll { $0 < index && index - $0 <= Self.ownLossFrames }
        silence = max(0, silence - Int64(former - doubtful.count) * frameDuration)
    }
}
