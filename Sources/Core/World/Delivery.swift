public import KodamaEvidence

/// An event on its way to a component: eight bytes, which the queue moves as they are.
public struct Delivery: BitwiseCopyable {
    /// The receiver in 24 bits, the word in 8.
    private let address: UInt32
    /// What the word is about, such as a slot.
    @usableFromInline package let argument: UInt32

    /// The most components that a world can have.
    package static let componentsMax = 1 << 24
    /// A packet arrives: the word that every component shares; its own are numbered from 0.
    @usableFromInline package static let packetWord: UInt8 = 255

    @usableFromInline
    package init(to receiver: ComponentIndex, _ word: UInt8, _ argument: UInt32 = 0) {
        address = UInt32(receiver.index) << 8 | UInt32(word)
        self.argument = argument
    }

    /// The receiver's index among the components.
    @usableFromInline package var receiver: Int { Int(address >> 8) }

    /// Which of its receiver's words this is.
    @usableFromInline package var word: UInt8 { UInt8(truncatingIfNeeded: address) }
}

/// Which of two deliveries at one instant comes first, before their sources are compared.
///
/// At one instant the world changes first, then packets arrive, then phones act.
package enum DeliveryRank {
    package static let timeline = 0
    package static let speech = 1
    package static let packet = 2
    package static let microphone = 3
    package static let speaker = 4
    package static let wake = 5
    package static let phone = 6
    package static let server = 7
}
