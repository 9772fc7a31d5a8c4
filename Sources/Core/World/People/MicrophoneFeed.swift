package import KodamaSpeech
package import SansIO

/// The sound at a microphone: the people who talk at its phone, and their surroundings.
package struct MicrophoneFeed {
    private var readers: [TalkTrack.Reader]
    /// Kept alive here, because readers point into them.
    private let tracks: [TalkTrack]

    package init(_ tracks: [TalkTrack]) {
        self.tracks = tracks
        readers = tracks.map { $0.makeReader() }
    }

    /// Fills a frame whose first sample is taken at `start`.
    ///
    /// A phone whose clock drifts hears the same sound in frames that begin a little earlier or later
    /// each time: now and then a sample is skipped or heard twice.
    package mutating func read(
        from start: Instant,
        into frame: UnsafeMutableBufferPointer<Int16>,
        by scratch: UnsafeMutableBufferPointer<Int16>
    ) {
        let sample = MicrophoneTime.sampleIndex(at: start)
        guard !readers.isEmpty else { return frame.update(repeating: 0) }
        readers[0].read(frameAt: sample, into: frame)
        guard readers.count > 1 else { return }
        let part = UnsafeMutableBufferPointer(rebasing: scratch[..<frame.count])
        for place in 1..<readers.count {
            readers[place].read(frameAt: sample, into: part)
            for offset in frame.indices {
                frame[offset] = Int16(clamping: Int32(frame[offset]) + Int32(part[offset]))
            }
        }
    }
}
