import SansIO

extension PeerMessage {
    /// How many bytes the message takes with a payload of `payloadCount` bytes.
    public func encodedCount(payloadCount: Int = 0) -> Int {
        switch self {
        case .voice: Self.payloadOffset + payloadCount
        case .keepalive: Self.keepaliveCount
        case .endMark: Self.headerCount
        }
    }

    /// Writes the message as it travels.
    ///
    /// - Parameters:
    ///   - bytes: Where it goes; MUST have room for `encodedCount`.
    ///   - payload: The codec's bytes: 1 to `payloadCountMax` for voice, none for anything else.
    /// - Returns: How many bytes were written.
    /// - Complexity: Linear in the payload.
    public func encode(
        into bytes: UnsafeMutableRawBufferPointer,
        payload: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)
    ) -> Int {
        let count = encodedCount(payloadCount: payload.count)
        precondition(bytes.count >= count, "\(bytes.count) bytes do not hold \(count)")
        precondition(
            isVoice ? (1...Self.payloadCountMax).contains(payload.count) : payload.isEmpty,
            "a payload of \(payload.count) bytes does not go with \(self)"
        )
        let written = UnsafeMutableRawBufferPointer(rebasing: bytes[..<count])
        switch self {
        case .voice(let header):
            write(.voice, header.streamID, header.sequence, header.captureIndex, to: written)
            written[1] = header.marks.rawValue & Flags.marks | (header.carriesFEC ? Flags.fec : 0)
            // RFC 6464 section 3: the V bit, then the level.
            written[16] = header.level.decibelsBelowOverload | (header.holdsSpeech ? 0x80 : 0)
            UnsafeMutableRawBufferPointer(rebasing: written[Self.payloadOffset...])
                .copyMemory(from: payload)
        case .keepalive(let alive):
            write(
                .keepalive,
                alive.streamID,
                alive.nextSequence,
                alive.lastCaptureIndex,
                to: written
            )
            written[1] =
                (alive.isTalking ? Flags.talking : 0) | (alive.echo == nil ? 0 : Flags.echoes)
            written.store(bigEndian: alive.sentMicroseconds, at: 16)
            written.store(bigEndian: alive.echo?.sentMicroseconds ?? 0, at: 20)
            written.store(bigEndian: alive.echo?.heldMicroseconds ?? 0, at: 24)
        case .endMark(let mark):
            write(.endMark, mark.streamID, mark.lastSequence, mark.lastCaptureIndex, to: written)
        }
        let checksum = InternetChecksum.compute(UnsafeRawBufferPointer(written))
        written[2] = UInt8(checksum >> 8)
        written[3] = UInt8(checksum & 0xFF)
        return count
    }

    private var isVoice: Bool {
        if case .voice = self { true } else { false }
    }

    private func write(
        _ kind: Kind,
        _ streamID: UInt32,
        _ sequence: SerialNumber,
        _ captureIndex: SerialNumber,
        to bytes: UnsafeMutableRawBufferPointer
    ) {
        bytes[0] = Self.version << 4 | kind.rawValue
        bytes[1] = 0
        bytes[2] = 0
        bytes[3] = 0
        bytes.store(bigEndian: streamID, at: 4)
        bytes.store(bigEndian: sequence.rawValue, at: 8)
        bytes.store(bigEndian: captureIndex.rawValue, at: 12)
    }

    /// The bits of byte 1.
    enum Flags {
        static let marks: UInt8 = 0b0111
        static let fec: UInt8 = 1 << 3
        static let talking: UInt8 = 1 << 4
        static let echoes: UInt8 = 1 << 5
    }
}

extension UnsafeMutableRawBufferPointer {
    fileprivate func store(bigEndian number: UInt32, at offset: Int) {
        storeBytes(of: number.bigEndian, toByteOffset: offset, as: UInt32.self)
    }
}
