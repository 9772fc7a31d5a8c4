import Foundation
import ReplicaChanges
import ReplicaSync
import Testing

@Suite("Phones and the web, face to face with the server that they share")
struct FaceToFaceTests {
    /// How many households each decade tries: 10, or a quarter of `KODAMA_HOUSEHOLDS`.
    private static let householdsPerDecade: UInt64 = {
        let environment = ProcessInfo.processInfo.environment
        return environment["KODAMA_HOUSEHOLDS"].flatMap { UInt64($0) }.map { $0 / 4 } ?? 10
    }()

    @Test(
        "Whatever fails, no write is lost or doubled and all become the same (RP-03 to RP-07)",
        arguments: 0..<4 as Range<UInt64>
    )
    func storms(decade: UInt64) {
        var tallies: [HouseholdTally] = []
        let first = decade * Self.householdsPerDecade + 1
        for seed in first..<first + Self.householdsPerDecade {
            let house = Household(seed: seed)
            house.live(30)
            house.settle()
            #expect(house.faults.isEmpty, "\(house.account)")
            tallies.append(house.tally)
        }
        let isNothing = "households that meet no such trouble prove little"
        let troubles: [KeyPath<HouseholdTally, Int>] = [
            \.writes, \.crashes, \.answersLost, \.snapshots, \.rescues, \.migrations,
            \.interruptions, \.outdated, \.failures,
        ]
        for trouble in troubles {
            let isMet = tallies.contains { $0[keyPath: trouble] > 0 }
            #expect(isMet, "\(trouble): \(isNothing)")
        }
    }

    @Test("A phone at rest asks once an interval, and gets a new token by itself (RP-01, RP-02)")
    func quietHour() {
        let house = Household(seed: 2)
        house.live(15)
        house.settle()
        let before = house.phones.map(\.requests)
        // Longer than a token lives.
        house.run(for: .seconds(3_600))
        for (phone, count) in zip(house.phones, before) {
            let asked = phone.requests - count
            #expect((50...70).contains(asked), "\(phone.name) asks \(asked) times")
        }
        house.checkRest()
        #expect(house.faults.isEmpty, "\(house.account)")
    }

    @Test("Without faults a write crosses in two exchanges, and is kept until it is safe (RP-02)")
    func plainStory() {
        let house = Household(seed: 1, phones: ["anna", "ben"])
        for index in house.phones.indices {
            house.phones[index].version = Diary.versionMax
            house.launch(index)
            house.rest()
        }
        for index in house.phones.indices { house.tell(index, .syncRequested) }
        house.run(for: .seconds(5))
        house.story = []
        house.write(.new("r1", "good morning", 7), on: 0)
        house.run(for: .seconds(5))
        #expect(house.checkRows(0)?.kept.count == 1, "the primary could lose it yet")
        house.tell(1, .cameToFront)
        house.run(for: .seconds(5))
        house.write(.words("r1", "good night", 22), on: 1)
        house.run(for: .seconds(5))
        house.tell(0, .syncRequested)
        house.run(for: .seconds(5))
        #expect(
            house.story == [
                "anna writes insert of r1", "anna shows syncing", "anna asks: sync with 1",
                "the primary takes insert of r1 at 1", "anna shows synced",
                "ben shows syncing", "ben asks: sync with 0", "ben shows synced",
                "ben writes update of r1", "ben shows syncing", "ben asks: sync with 1",
                "the primary takes update of r1 at 2", "ben shows synced",
                "anna shows syncing", "anna asks: sync with 0", "anna shows synced",
            ],
            "\(house.account)"
        )
        house.rest()
        house.checkRest()
        #expect(house.faults.isEmpty, "\(house.account)")
    }

    @Test("A snapshot's pages are one state although others write and the primary fails (RP-04)")
    func manyPages() {
        for seed in [1, 2, 3] as [UInt64] {
            let house = Household(seed: seed, phones: ["anna"])
            house.phones[0].version = Diary.versionMax
            house.fillFromWeb(150)
            // What was written so far is durable then.
            house.run(for: .seconds(15))
            house.launch(0)
            for step in 0..<25 as Range<UInt64> where house.faults.isEmpty {
                house.run(for: .milliseconds(40))
                if step % 3 == 1 { house.writeOnWeb() }
                if step == seed * 4 { house.failPrimary() }
                house.pushFromWeb()
            }
            house.settle()
            #expect(house.faults.isEmpty, "\(house.account)")
            #expect(house.tally.snapshots > 0)
        }
    }

    @Test(
        "A delete that a later batch hands over leaves alone what was made anew before (RP-04)",
        arguments: [false, true]
    )
    func lateDelete(isTrimmed: Bool) {
        let house = Household(seed: 6, phones: ["anna", "ben"])
        for index in house.phones.indices {
            house.phones[index].version = Diary.versionMax
            house.launch(index)
            house.run(for: .seconds(5))
        }
        house.write(.new("r1", "once", 1), on: 0)
        house.run(for: .seconds(5))
        house.tell(1, .syncRequested)
        house.run(for: .seconds(5))
        house.setPath(0, false)
        for number in 2...200 as ClosedRange<Int64> {
            house.write(.new("r\(number)", "offline \(number)", number), on: 0)
        }
        house.write(.delete("r1"), on: 0)
        house.write(.delete("r1"), on: 1)
        house.write(.new("r1", "anew", 201), on: 1)
        house.run(for: .seconds(5))
        if isTrimmed { house.trimPrimary() }
        house.setPath(0, true)
        house.run(for: .seconds(20))
        house.settle()
        #expect(house.faults.isEmpty, "\(house.account)")
        #expect(house.primaryRows.count == 200)
        #expect(house.primaryRows.first { $0.key == "r1" }?.texts.contains("anew") == true)
    }

    @Test("A row made again under the old schema is the same on both sides (RP-04, RP-05)")
    func madeAgain() {
        let house = Household(seed: 4, phones: ["anna", "ben"])
        for index in house.phones.indices {
            house.launch(index)
            house.run(for: .seconds(5))
        }
        house.write(.new("r1", "once", 1), on: 0)
        house.run(for: .seconds(5))
        house.tell(1, .syncRequested)
        house.run(for: .seconds(5))
        // Ben does not hear that the row is gone, and nobody that Anna makes it again.
        house.setPath(1, false)
        house.write(.delete("r1"), on: 0)
        house.run(for: .seconds(5))
        house.setPath(0, false)
        house.write(.new("r1", "again", 2), on: 0)
        house.update(1)
        house.run(for: .seconds(5))
        // He gives it what the old schema did not have; at the primary there is no such row.
        house.write(.mood("r1", "glad"), on: 1)
        house.setPath(1, true)
        house.run(for: .seconds(10))
        house.update(0)
        house.run(for: .seconds(5))
        house.setPath(0, true)
        house.run(for: .seconds(10))
        house.settle()
        #expect(house.faults.isEmpty, "\(house.account)")
        #expect(house.primaryRows.map(\.key) == ["r1"])
    }
}
