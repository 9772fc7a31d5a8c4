@testable import KodamaEvidence
@testable import KodamaLanguage
@testable import KodamaSimulation
@testable import KodamaSpeech
import SansIO
import Testing

@Suite("A run depends on nothing but plan and seed")
struct DeterminismTests {
    /// A link on which packets are lost, doubled, broken and overtake each other.
    private static var rough: LinkDirection {
        var direction = LinkDirection.after(.milliseconds(20))
        direction.jitter = .halfNormal(deviation: .milliseconds(15))
        direction.loss = .gilbert(p: .percent(2), r: .percent(33))
        direction.duplication = .percent(2)
        direction.corruption = .percent(1)
        direction.allowsReordering = true
        return direction
    }

    @Test("The same plan and seed give the same records; another seed gives others (HN-01)")
    func sameSeed() throws {
        let plan = WorldPlan.conversation(lasting: .seconds(8), over: Self.rough)
        let run = try WorldRun(plan, seed: 7)
        let again = try WorldRun(plan, seed: 7)
        #expect(run.trace == again.trace)
        #expect(run.digest.run == again.digest.run)
        #expect(run.digest.run != (try WorldRun(plan, seed: 8)).digest.run)
        #expect(run.violationCount == 0)
    }

    @Test("The same holds with real sound (HN-01)")
    func sameSeedRealSound() throws {
        let material = SpeechMaterial.synthetic(spurtsPerVoice: 4)
        var plan = WorldPlan.story(.real, lasting: .seconds(3), over: Self.rough)
        plan.people[0].voice = nil
        let digests = try (0..<2).map { _ in try WorldRun(plan, material: material).digest.run }
        #expect(digests[0] == digests[1])
    }

    /// What is added to a plan that must not matter.
    enum Bystander: String, CaseIterable {
        case last
        case first
        case talkingLast
        case talkingFirst

        func join(_ plan: inout WorldPlan) {
            let isFirst = self == .first || self == .talkingFirst
            plan.addPhone("bystander", group: nil, first: isFirst)
            plan.link("bystander", "mika-phone", atFront: isFirst)
            guard self == .talkingFirst || self == .talkingLast else { return }
            let person = PersonPlan(name: "passenger", phone: "bystander")
            plan.people.insert(person, at: isFirst ? 0 : plan.people.count)
            let talk = TalkPlan.monologue(
                person: "passenger",
                at: .milliseconds(900),
                lasting: .seconds(2)
            )
            plan.talk.insert(talk, at: isFirst ? 0 : plan.talk.count)
        }
    }

    @Test(
        "A phone in no group leaves everybody else's records and all metrics as they were (HN-01)",
        arguments: Bystander.allCases
    )
    func bystander(_ bystander: Bystander) throws {
        let plan = WorldPlan.conversation(lasting: .seconds(6), over: Self.rough)
        try expectUnchanged(plan, by: bystander, material: nil)
    }

    @Test(
        "With real sound a bystander changes nothing either, not even who has which voice (HN-01)",
        arguments: Bystander.allCases
    )
    func bystanderRealSound(_ bystander: Bystander) throws {
        var plan = WorldPlan.story(.real, lasting: .milliseconds(1_500))
        for place in plan.people.indices { plan.people[place].voice = nil }
        let material = SpeechMaterial.synthetic(spurtsPerVoice: 4)
        try expectUnchanged(plan, by: bystander, material: material)
    }

    private func expectUnchanged(
        _ plan: WorldPlan,
        by bystander: Bystander,
        material: SpeechMaterial?
    ) throws {
        let without = try WorldRun(plan, seed: 3, material: material)
        var plan = plan
        bystander.join(&plan)
        let with = try WorldRun(plan, seed: 3, material: material)
        for (name, digest) in without.digest.components {
            #expect(with.digest.digest(of: name) == digest, "\(name)")
        }
        #expect(with.metrics == without.metrics)
        #expect(without.metrics.contains { $0.samples > 0 })
    }

    /// Where simultaneous deliveries come about: packets that arrive together, and keepalives, which
    /// are due whole frames after the last frame.
    @Test(
        "Shuffling simultaneous deliveries shuffles simultaneous records, and no metric (HN-01)",
        arguments: ["clean", "rough", "ideal"],
        1...3 as ClosedRange<UInt64>
    )
    func tieOrder(link: String, seed: UInt64) throws {
        let links = ["clean": LinkDirection.after(.milliseconds(8)), "rough": Self.rough]
        let direction = links[link] ?? LinkDirection()
        let plan = WorldPlan.conversation(lasting: .seconds(6), over: direction)
        let natural = try WorldRun(plan, seed: seed)
        var differs = false
        for shuffle in 1...2 as ClosedRange<UInt64> {
            let shuffled = try WorldRun(plan, seed: seed, tieShuffleSeed: shuffle)
            // Which of two equal samples is called the worst may differ.
            #expect(shuffled.metrics.map(\.value) == natural.metrics.map(\.value))
            #expect(shuffled.violationCount == 0)
            #expect(shuffled.sortedRecords == natural.sortedRecords)
            differs = differs || shuffled.trace != natural.trace
        }
        #expect(differs || link == "rough", "nothing was shuffled")
    }
}

extension WorldRun {
    /// The records as numbers, those of one instant in an order of their own.
    fileprivate var sortedRecords: [[Int64]] {
        trace.records.map { record in
            let values = record.values
            return [
                record.instant.nanoseconds, Int64(record.kind.system.byte),
                Int64(record.kind.number),
                Int64(record.component.index), Int64(record.subject.index),
                values[0], values[1], values[2], values[3],
            ]
        }
        .sorted { $0.lexicographicallyPrecedes($1) }
    }
}
