import PeerTransport
import SansIO
import SansIOTesting
import Testing

@Suite("A group that all others have left: the second round is like the first")
struct MembershipRoundTests {
    private static let others = (1...5).filter { $0 != 3 }.map(Neighbourhood.id)

    /// What one of the others says next, by streams and numbers of its own in each round.
    private struct Other {
        var streamID: UInt32
        var revision = SerialNumber(1)
        var term = SerialNumber(1)

        mutating func speak(of id: MemberID, _ random: inout LawRandom) -> ControlMessage {
            if random.chance(percent: 10) { streamID += 1 }
            revision = revision.advanced(by: UInt32(random.below(3)))
            let own = Neighbourhood.id(3)
            let members = (random.chance(percent: 70) ? [id, own] : [id]).sorted()
            switch random.below(10) {
            case 0: return .goodbye(Goodbye(.left, streamID: streamID, revision: revision))
            case 1, 2:
                term = term.advanced(by: 1)
                return .ownerClaim(OwnerClaim(term: term, owner: id, members: members))
            default:
                return .hello(
                    Hello(
                        member: id,
                        streamID: streamID,
                        revision: revision,
                        isMuted: random.chance(percent: 30),
                        members: members
                    )
                )
            }
        }
    }

    static func compare(seed: UInt64) throws -> Int {
        try checkSecondRound(
            seed: seed,
            steps: 150,
            make: { Membership(own: Member(id: Neighbourhood.id(3), streamID: 40)) },
            rule: SecondRoundRule(
                rest: others.map { .memberLost($0) } + [.muteChanged(false)],
                // The group's age goes on, and what said goodbye before is old.
                kept: ["begunNanoseconds", "arrival", "departed"],
                identities: ["SerialNumber"],
                // Hellos tell the group's age; when they go the deadlines say.
                compares: { if case .send(.hello, to: _) = $0 { false } else { true } }
            )
        ) { round in
            var speakers = others.indices.map { Other(streamID: UInt32(1_000 * round + 100 * $0)) }
            return { random, _, _ in
                let index = random.below(others.count)
                let id = others[index]
                return switch random.below(12) {
                case 0: .memberProven(id)
                case 1: .memberLost(id)
                case 2: .memberHeard(id)
                case 3: .streamHeard(speakers[index].streamID, from: id)
                case 4: .muteChanged(random.chance(percent: 50))
                default: .messageReceived(speakers[index].speak(of: id, &random), from: id)
                }
            }
        }
    }

    @Test(
        "Who meets others again meets them as if for the first time (L12)",
        arguments: 0..<20 as Range<UInt64>
    )
    func secondRound(seed: UInt64) throws {
        #expect(try Self.compare(seed: seed) > 0)
    }
}
