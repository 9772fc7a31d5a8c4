internal import COpus

/// Turns Opus packets into 48 kHz mono sound, and fills in for packets that did not come.
///
/// It owns libopus's state (about 18 kB) and allocates nothing after `init`. `decode`, `recover` and
/// `conceal` MUST be called in the order in which their sound is played.
///
/// libopus is only ever asked to conceal a whole frame. Asked for less, version 1.3.1 makes 10 ms of
/// SILK and throws the rest away, so that each part begins with a click and the sound fades early; we
/// measured steps of up to 20 times what the speech itself has. So what is left of a concealed frame
/// is kept for the next call, and the next real frame is faded in over it.
public struct OpusDecoder: ~Copyable, @unchecked Sendable {
    // Sendable although it holds a pointer: the state behind it has exactly one owner.
    private let state: OpaquePointer
    /// The concealed frame that is being given out, and where its unused rest begins.
    private let spare = UnsafeMutablePointer<Int16>.allocate(capacity: spareCount)
    private var spareStart = OpusDecoder.spareCount

    private var popGuard = PopGuard()

    private static let spareCount = OpusFormat.samplesPerFrame
    /// The most samples over which a frame is faded in after part of a concealed one: 5 ms.
    private static let fadeSamples = 240

    /// Makes a decoder at the start of a stream.
    ///
    /// - Throws: `OPUS_ALLOC_FAIL`.
    public init() throws(OpusError) {
        var status: Int32 = OPUS_OK
        let made = opus_decoder_create(OpusFormat.sampleRateHertz, 1, &status)
        guard let made, status == OPUS_OK else {
            spare.deallocate()
            throw OpusError(code: status, operation: "make a decoder")
        }
        state = made
    }

    deinit {
        opus_decoder_destroy(state)
        spare.deallocate()
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

    /// Goes on with the sound that was heard before, and fades.
    ///
    /// - Parameter output: Where the samples go; any number of them.
    /// - Returns: How many samples were written: all.
    /// - Throws: `OPUS_BUFFER_TOO_SMALL` for an empty `output`.
    public mutating func conceal(
        into output: UnsafeMutableBufferPointer<Int16>
    ) throws(OpusError) -> Int {
        guard !output.isEmpty else {
            throw OpusError(code: OPUS_BUFFER_TOO_SMALL, operation: "conceal into no room")
        }
        var filled = 0
        while filled < output.count {
            if spareStart == Self.spareCount { try concealFrame() }
            let count = min(output.count - filled, Self.spareCount - spareStart)
            for offset in 0..<count { output[filled + offset] = spare[spareStart + offset] }
            spareStart += count
            filled += count
        }
        return filled
    }

    private mutating func concealFrame() throws(OpusError) {
        let count = opus_decode(state, nil, 0, spare, Int32(Self.spareCount), 0)
        try OpusError.check(count, "conceal a lost frame")
        spareStart = 0
        popGuard.concealed()
    }

    /// Fades from the rest of a concealed frame to the frame that follows it.
    private mutating func join(_ frame: UnsafeMutableBufferPointer<Int16>) {
        let length = min(Self.spareCount - spareStart, frame.count, Self.fadeSamples)
        for offset in 0..<length {
            let old = Int32(spare[spareStart + offset]) * Int32(length - offset)
            frame[offset] = Int16((old + Int32(frame[offset]) * Int32(offset)) / Int32(length))
        }
        spareStart = Self.spareCount
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
        let frame = UnsafeMutableBufferPointer(rebasing: output[..<Int(count)])
        popGuard.pass(frame)
        join(frame)
        return Int(count)
    }
}
