import AudioProcessing
import KodamaEvidence
import KodamaNetwork
import KodamaWorld
import OpusAudio
import PeerTransport
import SansIO

/// One talker's voice at one listener, from one track: the intercom's jitter buffer and time scaler, libopus's
/// decoder, and what waits for the speaker.
final class VoiceStream {
    /// A frame with its packet.
    struct Held {
        var frame: MediaFrame
        var packet: [UInt8]
    }

    /// What the jitter buffer had sounded.
    enum Sounded {
        /// A frame that came.
        case frame(MediaFrame)
        /// Sound made up in the place of frames that did not come in time.
        case madeUp(samples: Int)
    }

    let talker: ComponentIndex
    let track: UInt32
    private var buffer: JitterBuffer
    /// The frames that the jitter buffer holds handles of, by number; nothing goes through them in order.
    private var held: [Int64: Held] = [:]
    private var decoder: OpusDecoder
    private var scaler = TimeScaler()
    private let decoded = UnsafeMutableBufferPointer<Int16>.allocate(
        capacity: OpusFormat.samplesPerFrame
    )
    private let scaled = UnsafeMutableBufferPointer<Int16>.allocate(
        capacity: TimeScaler.outputCounts.upperBound
    )
    /// Decoded sound that waits for the speaker, oldest first.
    private var waiting: [Int16] = []

    /// Begins to listen to a track.
    ///
    /// - Parameters:
    ///   - talker: Whose voice it carries.
    ///   - track: The track's number at the room server.
    ///   - playout: How long frames are held at least, above the quickest; up to 200 ms.
    init(of talker: ComponentIndex, track: UInt32, playout: Duration) {
        self.talker = talker
        self.track = track
        var configuration = JitterBuffer.Configuration()
        configuration.floor = min(max(playout, .zero), .milliseconds(200))
        buffer = JitterBuffer(configuration: configuration)
        do throws(OpusError) {
            decoder = try OpusDecoder()
        } catch {
            preconditionFailure("there is no memory for a decoder: \(error)")
        }
    }

    deinit {
        decoded.deallocate()
        scaled.deallocate()
    }

    /// Samples between the decoder and the speaker.
    var waitingCount: Int { waiting.count + scaler.pendingSampleCount }

    /// A frame of the track came in.
    func receive(_ frame: MediaFrame, _ packet: [UInt8], at now: Instant) {
        guard held[frame.sequence] == nil else { return }
        held[frame.sequence] = Held(frame: frame, packet: packet)
        let received = ReceivedFrame(
            captureIndex: frame.sequence,
            frame: FrameHandle(slot: UInt32(truncatingIfNeeded: frame.sequence))
        )
        var turn = Turn<JitterBuffer.Effect>(at: now)
        buffer.handle(.frameReceived(received), in: &turn)
        for effect in turn.effects {
            if case .discard(_, let index, _) = effect { held[index] = nil }
        }
    }

    /// Makes as many samples as the speaker asks for.
    ///
    /// - Parameters:
    ///   - output: Where they go.
    ///   - now: The present.
    ///   - sounded: Told of each frame and of what is made up, with the samples that sound before it.
    func render(
        into output: UnsafeMutableBufferPointer<Int16>,
        at now: Instant,
        _ sounded: (Sounded, _ before: Int) -> Void
    ) {
        var turn = Turn<JitterBuffer.Effect>(at: now)
        buffer.handle(.renderRequested(samples: output.count), in: &turn)
        for effect in turn.effects {
            let before = waitingCount
            switch effect {
            case .play(_, let index, let samples):
                guard let frame = held.removeValue(forKey: index) else {
                    preconditionFailure("frame \(index) is played, which the buffer was not given")
                }
                decode(frame.packet)
                queue(OpusFormat.samplesPerFrame, as: samples)
                sounded(.frame(frame.frame), before)
            case .conceal(_, let samples), .recover(_, _, let samples):
                // No packet holds a copy of another frame, so that none is recovered.
                extrapolate(UnsafeMutableBufferPointer(rebasing: decoded[..<samples]))
                queue(samples, as: samples)
                sounded(.madeUp(samples: samples), before)
            case .silence(let samples):
                pause(samples)
            case .discard(_, let index, _):
                held[index] = nil
            case .targetChanged:
                break
            }
        }
        take(into: output)
    }

    private func decode(_ packet: [UInt8]) {
        let isWhole = packet.withUnsafeBytes { bytes -> Bool in
            do throws(OpusError) {
                return try decoder.decode(packet: bytes, into: decoded) == decoded.count
            } catch {
                return false
            }
        }
        if !isWhole { extrapolate(decoded) }
    }

    private func extrapolate(_ part: UnsafeMutableBufferPointer<Int16>) {
        do throws(OpusError) {
            _ = try decoder.conceal(into: part)
        } catch {
            preconditionFailure("libopus cannot refuse to go on: \(error)")
        }
    }

    private func pause(_ samples: Int) {
        var left = samples
        while left > 0 {
            let count = min(left, OpusFormat.samplesPerFrame)
            UnsafeMutableBufferPointer(rebasing: decoded[..<count]).update(repeating: 0)
            queue(count, as: count)
            left -= count
        }
    }

    /// Scales what was decoded last and queues it.
    private func queue(_ count: Int, as samples: Int) {
        let output = UnsafeMutableBufferPointer(rebasing: scaled[..<samples])
        scaler.process(UnsafeBufferPointer(rebasing: decoded[..<count]), into: output)
        waiting.append(contentsOf: output)
    }

    private func take(into output: UnsafeMutableBufferPointer<Int16>) {
        let ready = min(waiting.count, output.count)
        for place in 0..<ready { output[place] = waiting[place] }
        for place in ready..<output.count { output[place] = 0 }
        waiting.removeFirst(ready)
    }
}
