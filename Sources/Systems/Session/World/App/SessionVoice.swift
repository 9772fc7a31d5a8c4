import KodamaEvidence
package import KodamaNetwork
import KodamaPhone
import KodamaWorld
package import RealtimeVoice
package import SansIO

/// The voice of one phone with a session: what is said, sent, heard and flowing.
package struct SessionVoice {
    /// A frame of voice: 20 ms, Opus's default (RFC 6716 §2.1.4).
    package static let frame = Duration.milliseconds(20)
    /// The size of a frame on the wire: the mean payload of libopus at 24 kbit/s, 61 bytes as measured
    /// in this project's benchmark, with RTP, the SRTP tag, UDP and IPv4 (RFC 3550, 3711, 768, 791).
    package static let wireBytes = 61 + headerBytes
    /// RTP, the SRTP tag, UDP and IPv4 around a payload.
    package static let headerBytes = 12 + 10 + 28

    /// The mean payload of libopus at a rate: what it gives in 20 ms and a byte, which fits the 41.6, 61 and 81
    /// bytes measured at 16, 24 and 32 kbit/s.
    package static func payloadBytes(at rate: DataRate) -> Int { Int(rate.bitsPerSecond / 400) + 1 }

    /// People who speak at the phone now.
    package var speakers = 0
    /// The number of the next frame from the phone.
    package var sequence: Int64 = 0
    /// How the app has the microphone published.
    package var published = PublishedAudio.speech
    /// Whether frames are being made.
    package var isTicking = false
    /// By which way the phone's voice flows, where frames are not counted; `nil` if it does not.
    package var upRoute: MediaRoute?
    /// Whether the agent's does.
    package var flowsDown = false
    /// The last answer that was heard.
    package var answerHeard: Answer?

    /// One answer of one agent.
    package struct Answer: Equatable {
        package var agent: UInt32
        package var turn: Int
    }

    package var isSpeaking: Bool { speakers > 0 }
}
