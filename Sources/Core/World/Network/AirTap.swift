package import KodamaLanguage
package import KodamaNetwork
import KodamaPhone
package import KodamaSimulation
package import SansIO

/// The datagrams that an attacker on the air overheard last in one direction of a link.
package struct AirTap {
    /// A datagram that passed.
    package struct Heard {
        package let label: DatagramLabel
        package let bytes: [UInt8]
        package let source: SocketAddress
        package let destination: SocketAddress
    }

    private var heard: [Heard] = []
    private var next = 0
    /// More than a replay window holds: copies from inside, at and behind it.
    private static let heardMax = 256

    package mutating func hear(_ datagram: Heard) {
        if heard.count < Self.heardMax {
            heard.append(datagram)
        } else {
            heard[next % Self.heardMax] = datagram
        }
        next += 1
    }

    /// Draws one of them and changes it as the attack does; `nil` until one was overheard.
    package func packet(for attack: LinkAttack, _ draws: inout RandomStream) -> Heard? {
        guard !heard.isEmpty else { return nil }
        let chosen = heard[Int(draws.uniform(below: UInt64(heard.count)))]
        var (label, bytes) = (chosen.label, chosen.bytes)
        var (source, destination) = (chosen.source, chosen.destination)
        switch attack {
        case .replay: break
        case .reflect: swap(&source, &destination)
        case .forge:
            let bit = Int(draws.uniform(below: UInt64(bytes.count) * 8))
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            label.isSpoilt = true
        case .flood:
            label.isSpoilt = true
            for index in bytes.indices { bytes[index] = UInt8(draws.uniform(below: 256)) }
        }
        return Heard(
            label: label,
            bytes: bytes,
            source: source,
            destination: destination
        )
    }
}

/// An attack under way.
package struct AirAttack {
    package let kind: LinkAttack
    package let period: Duration
    package let end: Instant
    package var draws: RandomStream
}
