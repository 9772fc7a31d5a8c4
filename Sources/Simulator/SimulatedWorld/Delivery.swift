/// An event on its way to a component of the world.
///
/// Plain values without references, so that the queue moves them as bytes.
enum Delivery: BitwiseCopyable {
    /// A device's microphone has a frame ready.
    case microphone(device: UInt16)
    /// A device's speaker asks for sound.
    case speaker(device: UInt16)
    /// A device's app wants to be woken.
    case wake(device: UInt16)
    /// A datagram reaches the device that it was sent to.
    case datagram(slot: UInt32)
    /// A person begins or ends a talk spurt.
    case speech(person: UInt16)
    /// An entry of the timeline is due.
    case timeline(entry: UInt16)
    /// A link's disruption ends.
    case restore(link: UInt16)
}

/// Which of two deliveries at one instant comes first, before their sources are compared.
///
/// The world changes before anybody acts in it; then packets arrive, then phones act.
enum DeliveryRank {
    static let timeline = 0
    static let speech = 1
    static let datagram = 2
    static let microphone = 3
    static let speaker = 4
    static let wake = 5
}
