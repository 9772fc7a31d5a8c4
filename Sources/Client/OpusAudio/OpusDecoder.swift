internal import COpus

/// Turns Opus packets into 48 kHz mono sound, and fills in for packets that did not come.
///
/// It owns libopus's state (about 18 kB) and allocates nothing after `init`. Exactly one of
/// `decode`, `recover` and `conceal` MUST be called for every frame of a talk spurt, in order.
public struct OpusDecoder: ~Copyable, @unchecked Sendable {
    // Sendable although it holds a pointer: the state behind it has exactly one owner.
    private let state: OpaquePointer

    /// Makes a decoder at the start of a stream.
    ///
    /// - Throws: `OPUS_ALLOC_FAIL`.
    public init() throws(OpusError) {
        var status: Int32 = OPUS_OK
        let made = opus_decoder_create(OpusFormat.sampleRateHertz, 1, &status)
        guard let made, status == OPUS_OK else {
            throw OpusError(code: status, operation: "make a decoder")
        }
        state = made
    }

    deinit {
        opus_decoder_destroy(state)
    }

    /// Decodes one packet.
    ///
    /// - Parameters:
    ///   - packet: The packet as received; anything may be in it.
    ///   - output: Where the samples go; 960 for a packet of 20 ms.
    /// - Returns: How many samples were written.
    /// - Throws: `OPUS_INVALID_PACKET` for bytes that are no Opus packet, `OPUS_BUFFER_TOO_SMALL` for a
    ///   packet that lasts longer than `output`.
    public mutating func decode(
        packet: UnsafeRawBufferPointer,
        into output: UnsafeMutableBufferPointer<Int16>
    ) throws(OpusError) -> Int {
        try call(packet: packet, into: output, usesFEC: false, "decode a packet")
    }

    /// Rebuilds the frame before a packet from the coarse copy that the packet carries.
    ///
    /// Call it for a lost frame when the next packet is already here, then `decode` that packet. A
    /// packet without a copy gives the same as `conceal`.
    ///
    /// - Parameters:
    ///   - next: The packet after the lost one.
    ///   - output: Where the samples go; its length is the lost frame's, 960.
    /// - Returns: How many samples were written.
    /// - Throws: `OPUS_INVALID_PACKET` for bytes that are no Opus packet.
    public mutating func recover(
        fromNext next: UnsafeRawBufferPointer,
        into output: UnsafeMutableBufferPointer<Int16>
    ) throws(OpusError) -> Int {
        try call(packet: next, into: output, usesFEC: true, "recover the frame before a packet")
    }

    /// Invents the frame that did not come from what was heard before, and fades when called again.
    ///
    /// - Parameter output: Where the samples go; its length is the lost frame's, 960.
    /// - Returns: How many samples were written.
    /// - Throws: `OPUS_BAD_ARG` for a length that is no multiple of 2.5 ms.
    public mutating func conceal(
        into output: UnsafeMutableBufferPointer<Int16>
    ) throws(OpusError) -> Int {
        guard let samples = output.baseAddress else {
            throw OpusError(code: OPUS_BUFFER_TOO_SMALL, operation: "conceal into no room")
        }
        let count = opus_decode(state, nil, 0, samples, Int32(output.count), 0)
        try OpusError.check(count, "conceal a lost frame")
        return Int(count)
    }

    /// Forgets the sound so far, as at the start of a stream.
    public mutating func reset() {
        // OPUS_RESET_STATE has no way to fail on a valid state.
        _ = kodama_opus_decoder_reset(state)
    }

    private mutating func call(
        packet: UnsafeRawBufferPointer,
        into output: UnsafeMutableBufferPointer<Int16>,
        usesFEC: Bool,
        _ operation: StaticString
    ) throws(OpusError) -> Int {
        // libopus reads an empty packet as "conceal"; from the network it is a broken one.
        guard let bytes = packet.baseAddress, !packet.isEmpty else {
            throw OpusError(code: OPUS_INVALID_PACKET, operation: operation)
        }
        guard let samples = output.baseAddress else {
            throw OpusError(code: OPUS_BUFFER_TOO_SMALL, operation: operation)
        }
        let count = opus_decode(
            state,
            bytes.assumingMemoryBound(to: UInt8.self),
            Int32(clamping: packet.count),
            samples,
            Int32(output.count),
            usesFEC ? 1 : 0
        )
        try OpusError.check(count, operation)
        return Int(count)
    }
}
