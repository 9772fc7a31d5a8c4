public import SansIO

/// A voice frame that reached the receiver for the first time.
public struct ReceivedFrame: Sendable, Equatable {
    /// The media time in frames of 20 ms on the sender's clock, unwrapped; within ±2^36.
    public var captureIndex: Int64
    /// Where the driver keeps the payload.
    public var frame: FrameHandle
    /// The frame's place in its talk spurt.
    public var marks: FrameMarks
    /// The path it came by; any number that names the path.
    public var path: UInt8
    /// Whether the payload holds a coarse copy of the frame before (Opus in-band FEC, RFC 6716
    /// section 2.1.7).
    public var carriesFEC: Bool

    /// Describes a received frame.
    public init(
        captureIndex: Int64,
        frame: FrameHandle,
        marks: FrameMarks = [],
        path: UInt8 = 0,
        carriesFEC: Bool = false
    ) {
        self.captureIndex = captureIndex
        self.frame = frame
        self.marks = marks
        self.path = path
        self.carriesFEC = carriesFEC
    }
}

extension JitterBuffer {
    /// A fact about one sender's stream.
    public enum Event: Sendable, Equatable {
        /// A frame came that no earlier packet carried; the replay window has passed it.
        case frameReceived(ReceivedFrame)
        /// A copy of a frame came by a further path and was dropped before this machine.
        ///
        /// Copies tell how slow the second path is before its frames are needed (S-HO-004).
        case duplicateReceived(captureIndex: Int64, marks: FrameMarks, path: UInt8)
        /// An end mark or a keepalive said which frame was the last of its talk spurt.
        case talkEnded(lastCaptureIndex: Int64)
        /// The speaker wants this many samples at 48 kHz, the first of which sounds now.
        ///
        /// Any number; beyond one second the rest is silence.
        case renderRequested(samples: Int)
        /// The stream is over: everything held is handed back.
        case stop
    }

    /// An order to the decoder, the time scaler and the speaker.
    ///
    /// The samples of `play`, `conceal`, `recover` and `silence` follow each other without a gap;
    /// what goes beyond the request is counted towards the next one.
    public enum Effect: Sendable, Equatable {
        /// Decode the frame and scale its 960 samples to `samples`: fewer compress, more stretch.
        case play(FrameHandle, captureIndex: Int64, samples: Int)
        /// Extrapolate the sound (packet loss concealment).
        ///
        /// Any number of samples: a codec that extrapolates whole frames keeps the rest for the next
        /// of these effects.
        case conceal(captureIndex: Int64, samples: Int)
        /// Decode the copy of this frame that the next one carries; that one stays in the buffer.
        case recover(captureIndex: Int64, from: FrameHandle, samples: Int)
        /// Play nothing: there is no talk, or a concealment has faded.
        case silence(samples: Int)
        /// Throw the frame away unheard.
        case discard(FrameHandle, captureIndex: Int64, reason: DiscardReason)
        /// The target delay above the current path's fastest packet moved by 5 ms or more.
        case targetChanged(Duration)
    }

    /// Why a frame was thrown away unheard.
    public enum DiscardReason: Int64, Sendable, CaseIterable {
        /// Its playout time had passed.
        case late
        /// A frame with this capture index waits already.
        case duplicate
        /// It lies more than the buffer's whole length in the past, or has an absurd index.
        case stale
        /// Newer frames needed its room.
        case overflow
        /// The stream is over.
        case stopped
    }
}
