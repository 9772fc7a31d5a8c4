@testable import KodamaNetwork
import SansIO
import SansIOTesting
import Testing

@Suite("A stream's laws")
struct StreamConnectionLawTests {
    @Test(
        "A stream keeps the laws of its contract, whatever segments come in",
        arguments: [StreamConnection.Role.client, .server]
    )
    func laws(role: StreamConnection.Role) throws {
        var opened = 0
        for seed in 0..<200 as Range<UInt64> {
            var peer = Peer(role: role)
            try checkLaws(
                seed: seed,
                steps: 200,
                make: { StreamConnection(role: role, looksUp: seed % 2 == 0) },
                frame: { effect in
                    opened += effect == .opened ? 1 : 0
                    return nil
                },
                event: { random, _ in peer.next(&random) }
            )
        }
        #expect(opened > 0, "streams that never open prove little")
    }
}

/// Draws what an honest or a confused peer may send.
private struct Peer {
    var role: StreamConnection.Role
    var sequence: UInt32 = 1

    mutating func next(_ random: inout LawRandom) -> StreamEvent {
        switch random.below(100) {
        case 0..<8: .open
        case 8..<30: .send(.ping(UInt32(random.below(9)), byteCount: random.below(9_000)))
        case 30: random.chance(percent: 30) ? .close : .open
        case 31: random.chance(percent: 10) ? .fail : .open
        default: .received(segment(&random))
        }
    }

    private mutating func segment(_ random: inout LawRandom) -> StreamSegment {
        let acknowledgement = UInt32(random.below(20))
        let flights: [StreamSegment.Kind] =
            role == .client
            ? [.synchronizeAcknowledge, .serverHello, .serverHello, .serverHello]
            : [.synchronize, .clientHello]
        if random.chance(percent: 60) {
            let kind =
                Int(sequence) <= flights.count ? flights[Int(sequence) - 1] : .data(.ping(sequence))
            sequence += 1
            return StreamSegment(
                kind,
                sequence: sequence - 1,
                acknowledgement: acknowledgement
            )
        }
        let kinds: [StreamSegment.Kind] = [
            .lookup, .lookupAnswer, .synchronize, .synchronizeAcknowledge, .clientHello,
            .serverHello, .data(nil), .acknowledge, .acknowledge, .acknowledge,
            random.chance(percent: 3) ? .finish : .data(nil),
            random.chance(percent: 3) ? .reset : .acknowledge,
        ]
        return StreamSegment(
            kinds[random.below(kinds.count)],
            sequence: UInt32(random.below(90)),
            acknowledgement: acknowledgement
        )
    }
}
