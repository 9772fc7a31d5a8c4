import KodamaSimulation
import KodamaSpeech
import KodamaWorld
import SansIO
import VoiceActivity

/// Sound of which only the sizes and the truth exist: for sweeps and swarms.
///
/// Speech comes from the truth, with the onset delay and the hangover of the real detector; packets
/// have the sizes of the real encoder's. All are drawn from tables measured on both
/// (`SizedSoundTables`).
final class SizedSound: DeviceSound {
    /// The talk spurts at this phone, in order.
    private let spurts: [TalkTurn]
    /// The first spurt that can still be heard.
    private var current = 0
    private let delays: RandomStream
    private let hangovers: RandomStream
    private let sizes: RandomStream

    /// The look-ahead of libopus 1.3.1's encoder for voice at 48 kHz: 312 samples.
    let codecDelayNanoseconds = AudioClock.duration(ofSamples: 312)

    /// Longer after a spurt's end than any hangover.
    private static let hangoverMax: Int64 = 1_000_000_000

    init(tracks: [TalkTrack], seed: UInt64, device: String) {
        spurts = tracks.flatMap(\.speech)
            .sorted { $0.lowerBound < $1.lowerBound }
            .map { spurt in
                TalkTurn(
                    start: MicrophoneTime.instant(of: spurt.lowerBound),
                    end: MicrophoneTime.instant(of: spurt.upperBound)
                )
            }
        delays = RandomStream(seed: seed, purpose: "onset-delay", entity: device)
        hangovers = RandomStream(seed: seed, purpose: "hangover", entity: device)
        sizes = RandomStream(seed: seed, purpose: "packet-size", entity: device)
    }

    /// Nothing here is of a process: all is drawn by the number of a spurt or a frame.
    func restart() {}

    func capture(
        from start: Instant,
        to end: Instant,
        into frame: UnsafeMutableRawBufferPointer
    ) -> SpeechDecision {
        while current < spurts.count,
            spurts[current].end.nanoseconds + Self.hangoverMax < start.nanoseconds
        {
            current += 1
        }
        var isHeard = false
        for number in current..<spurts.count {
            guard spurts[number].start < end else { break }
            let draw = UInt64(number)
            let delay = SizedSoundTables.onsetDelay.quantile(at: delays.bits(at: draw))
            let hangover = SizedSoundTables.hangover.quantile(at: hangovers.bits(at: draw))
            let isInside =
                end.nanoseconds > spurts[number].start.nanoseconds + delay
                && start.nanoseconds < spurts[number].end.nanoseconds + hangover
            isHeard = isHeard || isInside
        }
        return SpeechDecision(
            isSpeech: isHeard,
            score: isHeard ? 1_000 : 0,
            threshold: 500,
            level: .silence
        )
    }

    func encode(
        _ frame: UnsafeMutableRawBufferPointer,
        captureIndex: Int64,
        from start: Instant,
        to end: Instant,
        into packet: UnsafeMutableRawBufferPointer
    ) -> Int {
        let draw = sizes.bits(at: UInt64(captureIndex))
        // The pre-roll is younger than the spurts that `current` has left behind.
        let isSpeech = spurts[current...].prefix { $0.start < end }.contains { $0.end > start }
        let table =
            isSpeech
            ? SizedSoundTables.speechPacketBytes : SizedSoundTables.quietPacketBytes
        return Int(table.quantile(at: draw))
    }

    func play(_ packet: UnsafeMutableRawBufferPointer, of peer: Int, samples: Int) {}
    func recover(from next: UnsafeMutableRawBufferPointer, of peer: Int, samples: Int) {}
    func conceal(of peer: Int, samples: Int) {}
    func pause(of peer: Int, samples: Int) {}
    func pendingSamples(of peer: Int) -> Int { 0 }
    func render(at now: Instant, _ found: (SpurtEdge) -> Void) {}
}
