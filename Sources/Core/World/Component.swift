public import KodamaEvidence
public import KodamaLanguage
public import KodamaNetwork
import KodamaPhone
public import KodamaSimulation
public import SansIO

/// Anything in the world that deliveries reach: a phone, a link, a server, a person, the timeline.
///
/// A component sees the stage and what it owns, nothing else. It is a class, because lists change while
/// effects are performed; it belongs to one world and is never shared.
public protocol Component: AnyObject {
    /// Its own deliveries, numbered from 0.
    associatedtype Word: RawRepresentable<UInt8> = NoWord

    /// The unique name in the trace.
    var name: String { get }
    /// Its index among the world's components.
    var index: ComponentIndex { get }

    /// Lets a delivery happen; a requirement, so that each component has a specialised one.
    func deliver(_ delivery: Delivery, on stage: inout Stage)
    /// Something that it scheduled for itself is due.
    func receive(_ word: Word, _ argument: UInt32, on stage: inout Stage)
    /// A packet reaches it.
    func receive(_ packet: Packet, on stage: inout Stage)
    /// The timeline, or chance, does something to it: an act of its own system.
    func undergo(_ act: any SystemAct, on stage: inout Stage)
}

extension Component {
    /// Traps: the plan names a component that does not know the act.
    @inlinable public func undergo(_ act: any SystemAct, on stage: inout Stage) {
        preconditionFailure("the plan does \(act) to \(name), which does not know it")
    }

    /// Traps: a packet came to a component without an address.
    @inlinable public func receive(_ packet: Packet, on stage: inout Stage) {
        preconditionFailure("a packet came to \(name), which has no address")
    }

    /// Finds what a delivery means and lets it happen.
    @inlinable public func deliver(_ delivery: Delivery, on stage: inout Stage) {
        switch delivery.word {
        case Delivery.packetWord:
            receive(stage.network.packets.release(delivery.argument), on: &stage)
        case let number:
            guard let word = Word(rawValue: number) else {
                preconditionFailure("\(name) has no word \(number)")
            }
            receive(word, delivery.argument, on: &stage)
        }
    }

    /// Schedules one of the component's own deliveries.
    @inlinable package func schedule(
        _ word: Word,
        _ argument: UInt32 = 0,
        at instant: Instant,
        by source: inout EventSource,
        on stage: inout Stage
    ) {
        stage.push(
            Delivery(to: index, word.rawValue, argument),
            at: source.key(at: instant)
        )
    }
}

/// The word of a component that schedules nothing for itself.
public enum NoWord: UInt8 {
    /// None is ever delivered; an enumeration of numbers needs one.
    case never
}

extension Component where Word == NoWord {
    /// Does nothing: there is no such word.
    @inlinable public func receive(_ word: NoWord, _ argument: UInt32, on stage: inout Stage) {}
}
