import OpusAudio
import Testing

@Suite("Opus repair")
struct OpusRepairTests {
    @Test("Concealment goes on and fades by 30 dB within 120 ms", arguments: [20, 30, 40, 45])
    func concealmentFades(lost: Int) throws {
        let packets = try encode(voiceLikeSignal(frames: lost))
        let frames = packets.map(Reception.packet) + [Reception](repeating: .concealed, count: 6)
        let sound = try decode(frames)
        let energies = (lost - 1..<lost + 6).map { energy(sound[$0 * 960..<($0 + 1) * 960]) }
        let lastHeard = energies[0]
        #expect(energies[1] > lastHeard / 10, "the first concealed frame is audible")
        #expect(energies[6] < lastHeard / 1_000, "the sixth is not")
        for (earlier, later) in zip(energies.dropFirst(), energies.dropFirst(2)) {
            #expect(later <= earlier * 1.1, "concealment does not swell: \(energies)")
        }
    }

    @Test("In-band FEC repairs a lost frame better than concealment does")
    func recoveryBeatsConcealment() throws {
        var configuration = OpusEncoderConfiguration()
        configuration.usesInBandFEC = true
        configuration.expectedLossPercent = 10
        let packets = try encode(voiceLikeSignal(frames: 120), with: configuration)
        let whole = try decode(packets.map(Reception.packet))
        var recovered = 0.0
        var concealed = 0.0
        for lost in stride(from: 30, to: 110, by: 8) {
            var frames = packets.map(Reception.packet)
            frames[lost] = .concealed
            concealed += try error(of: frames, against: whole, in: lost)
            frames[lost] = .recovered(fromNext: packets[lost + 1])
            recovered += try error(of: frames, against: whole, in: lost)
        }
        #expect(recovered * 2 < concealed, "error energy \(recovered) against \(concealed)")
    }

    @Test("Without FEC in the stream, recovery sounds as concealment does")
    func recoveryWithoutCopy() throws {
        let packets = try encode(voiceLikeSignal(frames: 40))
        var frames = packets.map(Reception.packet)
        frames[30] = .concealed
        let concealed = try decode(frames)
        frames[30] = .recovered(fromNext: packets[31])
        #expect(try decode(frames) == concealed)
    }

    /// The energy of the difference to the loss-free sound in one frame.
    private func error(
        of frames: [Reception],
        against whole: [Int16],
        in frame: Int
    ) throws -> Double {
        let sound = try decode(frames)
        let range = frame * 960..<(frame + 1) * 960
        return zip(sound[range], whole[range]).reduce(0) {
            let difference = Double($1.0) - Double($1.1)
            return $0 + difference * difference
        }
    }
}
