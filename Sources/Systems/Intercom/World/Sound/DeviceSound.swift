import KodamaWorld
import SansIO
import VoiceActivity

/// What a phone does with samples: the part of the driver that real and sized audio do differently.
///
/// The app's machine decides; this obeys. `peer` is the place of a member among the device's
/// neighbours.
protocol DeviceSound: AnyObject {
    /// How much later than its packet's the content of a decoded frame begins: the codec's look-ahead.
    var codecDelayNanoseconds: Int64 { get }

    /// The process is gone: the next one's detector and codecs have heard nothing, and nothing waits for the speaker.
    func restart()

    /// Takes the microphone's frame that begins at `start` and judges it.
    func capture(
        from start: Instant,
        to end: Instant,
        into frame: UnsafeMutableRawBufferPointer
    ) -> SpeechDecision

    /// Encodes a captured frame behind a header; returns the packet's size in bytes.
    func encode(
        _ frame: UnsafeMutableRawBufferPointer,
        captureIndex: Int64,
        from start: Instant,
        to end: Instant,
        into packet: UnsafeMutableRawBufferPointer
    ) -> Int

    /// Decodes a packet and queues it as `samples` of sound.
    func play(_ packet: UnsafeMutableRawBufferPointer, of peer: Int, samples: Int)
    /// Queues the frame before `next`, repaired from the copy that `next` carries.
    func recover(from next: UnsafeMutableRawBufferPointer, of peer: Int, samples: Int)
    /// Queues extrapolated sound.
    func conceal(of peer: Int, samples: Int)
    /// Queues silence.
    func pause(of peer: Int, samples: Int)
    /// Samples of a peer that the time scaler still holds back.
    func pendingSamples(of peer: Int) -> Int
    /// Takes one callback's worth of every peer's queued sound, mixes it and sounds it; tells of the
    /// edges of spurts that sounded a while before.
    func render(at now: Instant, _ found: (SpurtEdge) -> Void)
}
