import AudioProcessing
import KodamaWorld
import OpusAudio

/// The sound of one member at one phone: its decoder, its time scaler, what waits for the speaker.
final class PeerVoice {
    private var decoder: OpusDecoder
    private var scaler = TimeScaler()
    private let decoded = UnsafeMutableBufferPointer<Int16>.allocate(
        capacity: SoundHardware.samplesPerFrame
    )
    private let scaled = UnsafeMutableBufferPointer<Int16>.allocate(
        capacity: TimeScaler.outputCounts.upperBound
    )
    private var shaper: SpurtShaper
    private var queue = PlaybackQueue()
    /// Where in the queue spurts begin and end, in samples from its head, and whether a spurt sounds
    /// at its tail.
    private var queuedEdges: [Int] = []
    private var isSpurtQueued = false
    /// Whether the sound handed out last ended within a spurt.
    private(set) var isSounding = false
    /// Where spurts began and ended in the sound handed out last.
    private(set) var edges: [Int] = []

    init(fadesSpurts: Bool, playsComfortNoise: Bool) throws(OpusError) {
        decoder = try OpusDecoder()
        shaper = SpurtShaper(fades: fadesSpurts, makesNoise: playsComfortNoise)
    }

    deinit {
        decoded.deallocate()
        scaled.deallocate()
    }

    /// Samples that wait for the speaker.
    var queuedSamples: Int { queue.count }

    /// Samples that the time scaler holds back until it finds a place to jump.
    var pendingSamples: Int { scaler.pendingSampleCount }

    /// Of what the time scaler holds back, how much is sound that has not been played, in silence.
    private var unplayedSamples = 0

    /// Decodes `count` samples and queues them as `samples` of sound.
    ///
    /// A packet that libopus refuses sounds as a lost one would: the app has already checked that
    /// the bytes are as they were sent.
    func append(
        _ count: Int,
        as samples: Int,
        decode: (inout OpusDecoder, UnsafeMutableBufferPointer<Int16>) throws(OpusError) -> Int
    ) {
        let part = UnsafeMutableBufferPointer(rebasing: decoded[..<count])
        do throws(OpusError) {
            _ = try decode(&decoder, part)
        } catch {
            extrapolate(into: part)
        }
        queueSpurt(true)
        shaper.play(scale(UnsafeBufferPointer(part), to: samples), isHeard: true)
        flush(samples)
        unplayedSamples = scaler.pendingSampleCount
    }

    /// Queues extrapolated sound; at most a frame's length.
    func conceal(samples: Int) {
        let part = UnsafeMutableBufferPointer(rebasing: decoded[..<samples])
        extrapolate(into: part)
        queueSpurt(true)
        shaper.play(scale(UnsafeBufferPointer(part), to: samples), isHeard: false)
        flush(samples)
        unplayedSamples = scaler.pendingSampleCount
    }

    private func extrapolate(into part: UnsafeMutableBufferPointer<Int16>) {
        do throws(OpusError) {
            _ = try decoder.conceal(into: part)
        } catch {
            preconditionFailure("libopus cannot refuse to go on: \(error)")
        }
    }

    /// Queues a pause behind what the time scaler still holds back.
    func pause(samples: Int) {
        var left = samples
        while left > 0 {
            let count = min(left, SoundHardware.samplesPerFrame)
            if unplayedSamples > 0 {
                endSpurt(within: count)
            } else {
                // The next talk spurt must find nothing of this one to jump back to.
                if isSpurtQueued { scaler.reset() }
                shaper.pause(UnsafeMutableBufferPointer(rebasing: scaled[..<count]))
                queueSpurt(false)
            }
            flush(count)
            left -= count
        }
    }

    /// Lets out what the time scaler holds back, and pauses for the rest of `count` samples.
    private func endSpurt(within count: Int) {
        let part = UnsafeMutableBufferPointer(rebasing: decoded[..<count])
        part.update(repeating: 0)
        let output = scale(UnsafeBufferPointer(part), to: count)
        let heard = min(unplayedSamples, count)
        shaper.play(UnsafeMutableBufferPointer(rebasing: output[..<heard]), isHeard: true)
        shaper.pause(UnsafeMutableBufferPointer(rebasing: output[heard...]))
        if heard < count { queueSpurt(false, after: heard) }
        unplayedSamples -= heard
        // All that is held back now is silence, which the next talk spurt must not wait for.
        if unplayedSamples == 0 { scaler.reset() }
    }

    /// Moves the oldest sound into `output`; where none is left the talker has left, and fades.
    func take(into output: UnsafeMutableBufferPointer<Int16>) {
        let ready = queue.take(into: output)
        handOutEdges(ready, of: output.count)
        let rest = UnsafeMutableBufferPointer(rebasing: output[ready...])
        shaper.pause(rest, isLeaving: true)
    }

    /// What is queued `offset` samples from now on belongs to a spurt, or to a pause.
    private func queueSpurt(_ isSpurt: Bool, after offset: Int = 0) {
        guard isSpurt != isSpurtQueued else { return }
        isSpurtQueued = isSpurt
        queuedEdges.append(queue.count + offset)
    }

    /// Finds the edges in the `ready` samples handed out of `count` asked for.
    private func handOutEdges(_ ready: Int, of count: Int) {
        edges.removeAll(keepingCapacity: true)
        while let edge = queuedEdges.first, edge < ready || ready < count {
            edges.append(edge)
            queuedEdges.removeFirst()
            isSounding.toggle()
        }
        for index in queuedEdges.indices { queuedEdges[index] -= ready }
        if ready < count, isSounding {
            edges.append(ready)
            (isSounding, isSpurtQueued) = (false, false)
        }
    }

    /// Scales sound and gives the place where it lies until the next call.
    private func scale(
        _ input: UnsafeBufferPointer<Int16>,
        to samples: Int
    ) -> UnsafeMutableBufferPointer<Int16> {
        let output = UnsafeMutableBufferPointer(rebasing: scaled[..<samples])
        scaler.process(input, into: output)
        return output
    }

    /// Queues what was scaled last.
    private func flush(_ samples: Int) {
        queue.append(UnsafeBufferPointer(rebasing: scaled[..<samples]))
    }
}
