import Evidence

/// An event on its way to a component: eight bytes, which the queue moves as they are.
struct Delivery: BitwiseCopyable {
    /// The receiver in 24 bits, the word in 8.
    private let address: UInt32
    /// What the word is about, such as a slot.
    let argument: UInt32

    /// The most components that a world can have.
    static let componentsMax = 1 << 24
    /// A packet arrives: the word that every component shares; its own are numbered from 0.
    static let packetWord: UInt8 = 255

    init(to receiver: ComponentIndex, _ word: UInt8, _ argument: UInt32 = 0) {
        address = UInt32(receiver.index) << 8 | UInt32(word)
        self.argument = argument
    }

    /// The receiver's index among the components.
    var receiver: Int { Int(address >> 8) }

    /// Which of its receiver's words this is.
    var word: UInt8 { UInt8(truncatingIfNeeded: address) }
}

/// Which of two deliveries at one instant comes first, before their sources are compared.
///
/// The world changes before anybody acts in it; then packets arrive, then phones act.
enum DeliveryRank {
    static let timeline = 0
    static let speech = 1
    static let packet = 2
    static let microphone = 3
    static let speaker = 4
    static let wake = 5
    static let phone = 6
    static let server = 7
}
