import PeerTransport
import SansIO
import SansIOTesting

/// Phones that all reach each other, by messages that are encoded, lost, delayed and reordered.
///
/// A session with everybody is established when somebody arrives, as handshakes would do it.
final class Neighbourhood {
    struct News: Equatable {
        var milliseconds: Int64
        var effect: Membership.Effect
    }

    private struct Delivery {
        var due: Int64
        var sender: MemberID
        var receiver: MemberID
        var bytes: [UInt8]
    }

    var lossPercent = 0
    var delayMaxMilliseconds: Int64 = 60
    /// Pairs between which nothing passes, by time.
    var isCut: (_ one: MemberID, _ other: MemberID) -> Bool = { _, _ in false }
    private(set) var phones: [(id: MemberID, machine: Membership)] = []
    private(set) var news: [MemberID: [News]] = [:]
    private(set) var messagesSent = 0
    private(set) var now: Int64 = 0
    private var queue: [Delivery] = []
    private var random: LawRandom

    init(seed: UInt64) {
        random = LawRandom(seed: seed)
    }

    static func id(_ number: Int) -> MemberID { MemberID(high: UInt64(number), low: 0) }

    subscript(number: Int) -> Membership? { phones.first { $0.id == Self.id(number) }?.machine }

    func effects(of number: Int) -> [Membership.Effect] {
        (news[Self.id(number)] ?? []).map(\.effect)
    }

    /// Somebody comes, or starts again with another stream.
    func arrive(
        _ number: Int,
        streamID: UInt32? = nil,
        configuration: Membership.Configuration = Membership.Configuration()
    ) {
        let own = Member(
            id: Self.id(number),
            streamID: streamID ?? UInt32(number * 10),
            name: DisplayName("Member \(number)")
        )
        arrive(number, as: Membership(configuration: configuration, own: own))
    }

    /// Somebody comes with this list.
    func arrive(_ number: Int, as machine: Membership) {
        let id = Self.id(number)
        phones.removeAll { $0.id == id }
        phones.append((id, machine))
        for other in phones.map(\.id) where other != id {
            send(.memberProven(id), to: other)
            send(.memberProven(other), to: id)
        }
    }

    /// A phone is switched off; nobody is told.
    func vanish(_ number: Int) {
        phones.removeAll { $0.id == Self.id(number) }
    }

    func send(_ event: Membership.Event, to number: Int) { send(event, to: Self.id(number)) }

    func run(forMilliseconds milliseconds: Int64) {
        let end = now + milliseconds
        while now < end {
            var next = end
            if let due = queue.map(\.due).min() { next = min(next, due) }
            for phone in phones {
                guard let deadline = phone.machine.deadline?.instant.nanoseconds,
                    deadline < .max - 1_000_000
                else { continue }
                next = min(next, (deadline + 999_999) / 1_000_000)
            }
            now = max(now, next)
            let due = queue.filter { $0.due <= now }
            queue.removeAll { $0.due <= now }
            for delivery in due {
                guard let message = try? ControlMessage(decoding: delivery.bytes) else {
                    preconditionFailure("a message of ours is refused: \(delivery.bytes)")
                }
                send(.messageReceived(message, from: delivery.sender), to: delivery.receiver)
            }
            for phone in phones { wake(phone.id) }
        }
    }

    private var instant: Instant { Instant(nanoseconds: now * 1_000_000) }

    private func send(_ event: Membership.Event, to id: MemberID) {
        guard let index = phones.firstIndex(where: { $0.id == id }) else { return }
        perform(phones[index].machine.handle(event, at: instant), of: id)
    }

    private func wake(_ id: MemberID) {
        guard let index = phones.firstIndex(where: { $0.id == id }) else { return }
        perform(phones[index].machine.wake(at: instant), of: id)
    }

    private func perform(_ effects: [Membership.Effect], of id: MemberID) {
        for effect in effects {
            guard case .send(let message, let receiver) = effect else {
                news[id, default: []].append(News(milliseconds: now, effect: effect))
                continue
            }
            messagesSent += 1
            guard !isCut(id, receiver), !random.chance(percent: lossPercent) else { continue }
            let delay = 1 + Int64(random.below(Int(delayMaxMilliseconds)))
            queue.append(
                Delivery(due: now + delay, sender: id, receiver: receiver, bytes: message.encoded)
            )
        }
    }
}
