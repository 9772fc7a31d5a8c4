@testable import KodamaSession
import SansIO
import SansIOTesting
import Testing

@Suite("The server's rosters know who is due")
struct RosterTests {
    private struct Sleeper: Timed {
        var until: Int64?

        var deadline: Deadline? {
            until.map { Deadline(Instant(nanoseconds: $0), "sleep") }
        }
    }

    @Test("After any changes the deadline is the earliest of all", arguments: 1...40)
    func model(seed: Int) {
        var random = LawRandom(seed: UInt64(seed))
        var roster = Roster<Sleeper>()
        var model: [(number: UInt32, until: Int64?)] = []
        var number: UInt32 = 0
        func until(_ random: inout LawRandom) -> Int64? {
            random.chance(percent: 15) ? nil : Int64(random.below(12))
        }
        // From none to some three blocks of deadlines at the start.
        for _ in 0..<seed % 4 * 130 {
            number += 1
            let time = until(&random)
            roster.append(Sleeper(until: time), number: number)
            model.append((number, time))
        }
        for _ in 0..<300 {
            let choice = random.below(10)
            if choice < 3 || model.isEmpty {
                number += UInt32(1 + random.below(3))
                let time = until(&random)
                roster.append(Sleeper(until: time), number: number)
                model.append((number, time))
            } else if choice < 8 {
                let place = random.below(model.count)
                model[place].until = until(&random)
                roster[place].until = model[place].until
            } else {
                let place = random.below(model.count)
                #expect(roster.remove(model[place].number) != nil)
                model.remove(at: place)
            }
            let times = model.compactMap(\.until)
            #expect(roster.deadline?.instant.nanoseconds == times.min())
            let now = Int64(random.below(12))
            let due = model.filter { $0.until.map { $0 <= now } ?? false }.map(\.number)
            #expect(roster.due(at: Instant(nanoseconds: now)) == due)
        }
    }
}
