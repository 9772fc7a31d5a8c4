public import SansIO

/// One datagram between two peers of a group.
///
/// All numbers are big-endian. Common header, 16 bytes:
///
/// | byte | content |
/// |---|---|
/// | 0 | version (high four bits, 1), type (low four bits: 0 voice, 1 keepalive, 2 end mark) |
/// | 1 | flags: 0 talk start, 1 burst, 2 talk end, 3 carries FEC, 4 talking, 5 echoes; others 0 |
/// | 2–3 | Internet checksum over the whole datagram (RFC 1071) |
/// | 4–7 | stream |
/// | 8–11 | sequence: of the frame; of the next frame (keepalive); of the last frame (end mark) |
/// | 12–15 | capture index: of the frame; of the last frame sent (keepalive, end mark) |
///
/// Voice goes on with the audio level at byte 16 and the payload from byte 17; a keepalive with
/// three times in microseconds at bytes 16, 20 and 24. An end mark has nothing more.
public enum PeerMessage: Sendable, Equatable {
    /// A voice frame; its payload stands beside it.
    case voice(FrameHeader)
    /// A sign of life, with what is needed to judge the path.
    case keepalive(Keepalive)
    /// The end of the last talk spurt, repeated in case its last frame was lost.
    case endMark(EndMark)

    /// Where the payload of a voice frame begins.
    public static let payloadOffset = 17
    /// The longest payload: one Opus frame (RFC 6716 section 3.4, R2).
    public static let payloadCountMax = 1275
    /// The bytes of the longest datagram.
    public static let encodedCountMax = payloadOffset + payloadCountMax

    static let version: UInt8 = 1
    static let headerCount = 16
    static let keepaliveCount = 28

    enum Kind: UInt8 {
        case voice = 0
        case keepalive = 1
        case endMark = 2
    }

    /// Why bytes are no message.
    public enum Refusal: Error, Sendable, Equatable {
        /// Fewer bytes than the header, or than the type asks for.
        case tooShort
        /// More bytes than the type allows.
        case tooLong
        /// A version this code does not speak.
        case unknownVersion
        /// A type this code does not know.
        case unknownType
        /// A flag this code does not know, or one that the type does not have.
        case unknownFlag
        /// The bytes were changed on the way.
        case badChecksum
    }
}

/// A sign of life in silence, and a probe of the path while talking.
public struct Keepalive: Sendable, Equatable {
    /// Which stream.
    public var streamID: UInt32
    /// The number that the next frame will carry: what is missing before it was lost.
    public var nextSequence: SerialNumber
    /// The capture index of the last frame sent.
    public var lastCaptureIndex: SerialNumber
    /// Whether a talk spurt is under way; if not, `lastCaptureIndex` ended one.
    public var isTalking: Bool
    /// When this was sent, in microseconds on the sender's clock; wraps after 71 minutes.
    public var sentMicroseconds: UInt32
    /// The last keepalive that came from the other side, if any.
    public var echo: Echo?

    /// A keepalive given back, as RTCP's LSR and DLSR do (RFC 3550 section 6.4.1).
    public struct Echo: Sendable, Equatable {
        /// When the other side sent it, on its clock, in microseconds.
        public var sentMicroseconds: UInt32
        /// How long it was held here, in microseconds.
        public var heldMicroseconds: UInt32

        /// Makes an echo.
        public init(sentMicroseconds: UInt32, heldMicroseconds: UInt32) {
            self.sentMicroseconds = sentMicroseconds
            self.heldMicroseconds = heldMicroseconds
        }
    }

    /// Makes a keepalive.
    public init(
        streamID: UInt32,
        nextSequence: SerialNumber,
        lastCaptureIndex: SerialNumber,
        isTalking: Bool,
        sentMicroseconds: UInt32,
        echo: Echo? = nil
    ) {
        self.streamID = streamID
        self.nextSequence = nextSequence
        self.lastCaptureIndex = lastCaptureIndex
        self.isTalking = isTalking
        self.sentMicroseconds = sentMicroseconds
        self.echo = echo
    }

    /// The round trip in microseconds that this keepalive's echo shows, if it carries a sane one.
    ///
    /// - Parameter nowMicroseconds: When it arrived, on the clock that stamped what it echoes.
    /// - Returns: Microseconds; `nil` without an echo, or with one from the future.
    public func roundTripMicroseconds(at nowMicroseconds: UInt32) -> UInt32? {
        guard let echo else { return nil }
        let elapsed = nowMicroseconds &- echo.sentMicroseconds
        guard elapsed < 1 << 31, echo.heldMicroseconds <= elapsed else { return nil }
        return elapsed - echo.heldMicroseconds
    }
}

/// The end of a talk spurt.
public struct EndMark: Sendable, Equatable {
    /// Which stream.
    public var streamID: UInt32
    /// The number of the spurt's last frame.
    public var lastSequence: SerialNumber
    /// The capture index of the spurt's last frame.
    public var lastCaptureIndex: SerialNumber

    /// Makes an end mark.
    public init(streamID: UInt32, lastSequence: SerialNumber, lastCaptureIndex: SerialNumber) {
        self.streamID = streamID
        self.lastSequence = lastSequence
        self.lastCaptureIndex = lastCaptureIndex
    }
}
