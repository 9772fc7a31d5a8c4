internal import COpus
internal import SansIO

/// Turns 20 ms frames of 48 kHz mono sound into Opus packets.
///
/// VoIP application, variable bit rate. It owns libopus's state (about 44 kB) and allocates nothing
/// after `init`. The same frames after the same start give the same bytes with the same libopus, on Linux
/// whichever x86-64 processor runs it (OpusSearch).
public struct OpusEncoder: ~Copyable, @unchecked Sendable {
    // Sendable although it holds a pointer: the state behind it has exactly one owner.
    private let state: OpaquePointer
    /// By how many samples at 48 kHz the decoded sound lags behind the input.
    ///
    /// 312 samples (6.5 ms) with the VoIP application.
    public let lookaheadSamples: Int

    /// Makes an encoder at the start of a stream.
    ///
    /// - Parameter configuration: Rate, effort and protection.
    /// - Throws: `OPUS_ALLOC_FAIL`, or `OPUS_BAD_ARG` for a setting outside its range.
    public init(configuration: OpusEncoderConfiguration) throws(OpusError) {
        var status: Int32 = OPUS_OK
        let made = opus_encoder_create(
            OpusFormat.sampleRateHertz,
            1,
            OPUS_APPLICATION_VOIP,
            &status
        )
        guard let made, status == OPUS_OK else {
            throw OpusError(code: status, operation: "make an encoder")
        }
        do throws(OpusError) {
            try OpusError.check(kodama_opus_encoder_set_vbr(made, 1), "set a variable bit rate")
            try Self.apply(configuration, to: made)
            var lookahead: Int32 = 0
            try OpusError.check(
                kodama_opus_encoder_get_lookahead(made, &lookahead),
                "tell the look-ahead"
            )
            lookaheadSamples = Int(lookahead)
        } catch {
            opus_encoder_destroy(made)
            throw error
        }
        state = made
    }

    deinit {
        opus_encoder_destroy(state)
    }

    /// Encodes one frame.
    ///
    /// - Parameters:
    ///   - pcm: 960 samples.
    ///   - packet: Where the packet goes; `OpusFormat.packetBytesMax` bytes always suffice, and a
    ///     smaller buffer caps the packet's size.
    /// - Returns: The packet's size in bytes.
    /// - Throws: `OPUS_BAD_ARG` for a frame of another length, `OPUS_BUFFER_TOO_SMALL` for no room.
    public mutating func encode(
        _ pcm: UnsafeBufferPointer<Int16>,
        into packet: UnsafeMutableRawBufferPointer
    ) throws(OpusError) -> Int {
        guard let samples = pcm.baseAddress, pcm.count == OpusFormat.samplesPerFrame else {
            throw OpusError(code: OPUS_BAD_ARG, operation: "encode a frame that is not 20 ms long")
        }
        guard let bytes = packet.baseAddress, !packet.isEmpty else {
            throw OpusError(code: OPUS_BUFFER_TOO_SMALL, operation: "encode into no room")
        }
        let size = opus_encode(
            state,
            samples,
            Int32(OpusFormat.samplesPerFrame),
            bytes.assumingMemoryBound(to: UInt8.self),
            Int32(clamping: packet.count)
        )
        try OpusError.check(size, "encode a frame")
        return Int(size)
    }

    /// Changes rate, effort and protection from the next frame on.
    ///
    /// - Parameter configuration: The new settings.
    /// - Throws: `OPUS_BAD_ARG` for a setting outside its range; settings before it then hold already.
    public mutating func apply(_ configuration: OpusEncoderConfiguration) throws(OpusError) {
        try Self.apply(configuration, to: state)
    }

    private static func apply(
        _ configuration: OpusEncoderConfiguration,
        to state: OpaquePointer
    ) throws(OpusError) {
        // libopus would silently clamp a rate; a setting that does not hold is an error here.
        guard (6_000...128_000).contains(configuration.bitrate.bitsPerSecond) else {
            throw OpusError(code: OPUS_BAD_ARG, operation: "set a bit rate outside 6...128 kbit/s")
        }
        let bitrate = Int32(configuration.bitrate.bitsPerSecond)
        try OpusError.check(kodama_opus_encoder_set_bitrate(state, bitrate), "set the bit rate")
        let complexity = Int32(clamping: configuration.complexity)
        try OpusError.check(
            kodama_opus_encoder_set_complexity(state, complexity),
            "set the complexity"
        )
        let usesFEC: Int32 = configuration.usesInBandFEC ? 1 : 0
        try OpusError.check(kodama_opus_encoder_set_inband_fec(state, usesFEC), "set in-band FEC")
        let loss = Int32(clamping: configuration.expectedLossPercent)
        try OpusError.check(
            kodama_opus_encoder_set_packet_loss(state, loss),
            "set the expected loss"
        )
    }
}
