import SansIO

/// When players are due, the earliest first: a binary heap.
///
/// An entry may lie before its player's deadline, which each sign of life moves on; the service looks again
/// when the entry's time has come, so that a sign of life costs nothing here.
struct MatchAgenda: Sendable, Equatable {
    /// At this instant this player is due.
    struct Entry: Sendable, Equatable {
        let instant: Instant
        let player: UInt64

        fileprivate func precedes(_ other: Entry) -> Bool {
            (instant.nanoseconds, player) < (other.instant.nanoseconds, other.player)
        }
    }

    /// The root; the children of entry `i` are `2i + 1` and `2i + 2`.
    private var entries: [Entry] = []
    /// How many entries have been looked at, by which tests count its work.
    private(set) var lookCount = 0

    /// The earliest entry; of those at one instant the one of the least number.
    var first: Entry? { entries.first }

    /// Puts an entry in.
    mutating func insert(_ entry: Entry) {
        var place = entries.count
        entries.append(entry)
        lookCount += 1
        while place > 0, entry.precedes(entries[(place - 1) / 2]) {
            entries.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
            lookCount += 1
        }
    }

    /// Takes the first entry away.
    mutating func removeFirst() {
        guard let last = entries.popLast(), !entries.isEmpty else { return }
        entries[0] = last
        var place = 0
        while true {
            lookCount += 1
            let children = (2 * place + 1...2 * place + 2).filter { $0 < entries.count }
            let least = children.min { entries[$0].precedes(entries[$1]) }
            guard let least, entries[least].precedes(entries[place]) else { return }
            entries.swapAt(place, least)
            place = least
        }
    }
}
