package import KodamaEvidence
import SansIO

/// How one side of a session sounds at the other: what was decoded and what was made up.
package struct SoundLine: Sendable {
    /// Sound made up in a row, between frames that came.
    package struct Run: Equatable, Sendable {
        /// When it was heard.
        package var span: Span
        /// Whether the frame before it carried speech.
        package var isInSpeech: Bool
    }

    /// Whether a decoder has been made: frames are sound, and not only sizes.
    package private(set) var isOpen = false
    /// How many frames were played, and how many samples made up.
    package private(set) var frames: Int64 = 0
    package private(set) var madeUpSamples: Int64 = 0
    /// What was made up, in order; the last may go on.
    package private(set) var runs: [Run] = []
    private var isMakingUp = false
    private var wasSpeech = false

    /// Samples of a frame at 48 kHz.
    package static let frameSamples: Int64 = 960

    /// Begins before anything is heard.
    package init() {}

    /// A decoder is made.
    package mutating func open() {
        isOpen = true
        (isMakingUp, wasSpeech) = (false, false)
    }

    /// A frame is heard.
    package mutating func play(isSpeech: Bool) {
        frames += 1
        (isMakingUp, wasSpeech) = (false, isSpeech)
    }

    /// So many samples are made up, heard from an instant on.
    package mutating func makeUp(_ samples: Int64, heard: Int64) {
        madeUpSamples += samples
        let end = heard + samples * 62_500 / 3
        if isMakingUp, let last = runs.indices.last {
            runs[last].span.end = end
        } else {
            runs.append(Run(span: Span(start: heard, end: end), isInSpeech: wasSpeech))
        }
        isMakingUp = true
    }
}

/// Both sides of a session as sound.
struct SoundPair: Sendable {
    private(set) var fromPhone = SoundLine()
    private(set) var toPhone = SoundLine()
    /// The agents whose voice it is, and who listen.
    private(set) var agents = ComponentIndex.none

    subscript(direction: TraceWord<VoiceDirection>) -> SoundLine {
        get { direction.value == .fromPhone ? fromPhone : toPhone }
        set {
            if direction.value == .fromPhone { fromPhone = newValue } else { toPhone = newValue }
        }
    }

    mutating func open(_ opened: SoundOpened, to agents: ComponentIndex) {
        self[opened.direction].open()
        self.agents = agents
    }

    /// A frame is heard.
    ///
    /// - Returns: Whether it is sound.
    mutating func play(_ voice: VoiceHeard) -> Bool {
        guard self[voice.direction].isOpen else { return false }
        self[voice.direction].play(isSpeech: voice.speech.isSet)
        return true
    }

    mutating func makeUp(_ sound: SoundMadeUp) {
        self[sound.direction].makeUp(sound.samples, heard: sound.heard.nanoseconds)
    }
}
