import SansIO

extension PeerMessage {
    /// Reads a message from the bytes of one datagram; no bytes whatever make it crash.
    ///
    /// The payload of a voice frame is what stands from `payloadOffset` on.
    ///
    /// - Parameter bytes: The whole datagram.
    /// - Throws: Why the bytes are no message.
    /// - Complexity: Linear in the bytes.
    public init(decoding bytes: UnsafeRawBufferPointer) throws(Refusal) {
        guard bytes.count >= Self.headerCount else { throw .tooShort }
        guard bytes.count <= Self.encodedCountMax else { throw .tooLong }
        guard bytes[0] >> 4 == Self.version else { throw .unknownVersion }
        guard let kind = Kind(rawValue: bytes[0] & 0x0F) else { throw .unknownType }
        guard bytes.count >= Self.countMin(of: kind) else { throw .tooShort }
        guard bytes.count <= Self.countMax(of: kind) else { throw .tooLong }
        guard InternetChecksum.compute(bytes) == 0 else { throw .badChecksum }
        let flags = bytes[1]
        guard flags & ~Self.knownFlags(of: kind) == 0 else { throw .unknownFlag }
        let streamID = bytes.bigEndian(at: 4)
        let sequence = SerialNumber(bytes.bigEndian(at: 8))
        let captureIndex = SerialNumber(bytes.bigEndian(at: 12))
        switch kind {
        case .voice:
            self = .voice(
                FrameHeader(
                    streamID: streamID,
                    sequence: sequence,
                    captureIndex: captureIndex,
                    marks: FrameMarks(rawValue: flags & Flags.marks),
                    carriesFEC: flags & Flags.fec != 0,
                    level: AudioLevel(decibelsBelowOverload: bytes[16] & 0x7F),
                    holdsSpeech: bytes[16] & 0x80 != 0
                )
            )
        case .keepalive:
            self = .keepalive(
                Keepalive(
                    streamID: streamID,
                    nextSequence: sequence,
                    lastCaptureIndex: captureIndex,
                    isTalking: flags & Flags.talking != 0,
                    sentMicroseconds: bytes.bigEndian(at: 16),
                    echo: flags & Flags.echoes == 0
                        ? nil
                        : Keepalive.Echo(
                            sentMicroseconds: bytes.bigEndian(at: 20),
                            heldMicroseconds: bytes.bigEndian(at: 24)
                        )
                )
            )
        case .endMark:
            self = .endMark(
                EndMark(
                    streamID: streamID,
                    lastSequence: sequence,
                    lastCaptureIndex: captureIndex
                )
            )
        }
    }

    private static func countMin(of kind: Kind) -> Int {
        switch kind {
        case .voice: payloadOffset + 1
        case .keepalive: keepaliveCount
        case .endMark: headerCount
        }
    }

    private static func countMax(of kind: Kind) -> Int {
        switch kind {
        case .voice: encodedCountMax
        case .keepalive: keepaliveCount
        case .endMark: headerCount
        }
    }

    private static func knownFlags(of kind: Kind) -> UInt8 {
        switch kind {
        case .voice: Flags.marks | Flags.fec
        case .keepalive: Flags.talking | Flags.echoes
        case .endMark: 0
        }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func bigEndian(at offset: Int) -> UInt32 {
        UInt32(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
}
