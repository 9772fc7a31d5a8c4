public import KodamaLanguage
public import KodamaSpeech

extension ReportComparison {
    private static let storyCountMax = 3

    /// Runs the seeds that show the greatest changes once more on both sides, for their lanes.
    ///
    /// - Parameters:
    ///   - before: The scenarios of the report before, in its order.
    ///   - after: The scenarios of the report after, in its order.
    ///   - material: The voices, for real audio.
    ///   - jobs: How many runs go on at a time; the stories do not depend on it.
    ///   - progress: Told how many runs are done, and how many there are in all.
    /// - Throws: What kept a world from being built or run.
    public mutating func addStories(
        before: [Scenario],
        after: [Scenario],
        material: SpeechMaterial?,
        jobs: Int,
        progress: (_ done: Int, _ all: Int) -> Void = { _, _ in }
    ) async throws {
        var names: [String] = []
        var runs: [(plan: WorldPlan, point: Int, seed: UInt64)] = []
        let ordered = points.filter(\.isRegression) + points.filter { !$0.isRegression }
        for point in ordered where names.count < Self.storyCountMax {
            let seed = point.gated.first { $0.most != nil }?.most?.seed
            guard let seed else { continue }
            names.append(point.name)
            for (scenarios, key) in [(before, point.keyBefore), (after, point.keyAfter)] {
                let plan = scenarios[key.scenario].points[key.point].plan
                runs.append((plan: plan, point: key.point, seed: seed))
            }
        }
        let wanted = runs
        var told: [RunStory] = []
        try await inParallel(wanted.count, width: jobs) { index in
            let run = wanted[index]
            return try RunStory(
                run.plan,
                point: run.point,
                seed: run.seed,
                reason: "shows the change most",
                material: material
            )
        } deliver: { index, story in
            told.append(story)
            progress(index + 1, wanted.count)
        }
        stories = try names.enumerated().map { index, name in
            let pair = wanted[2 * index...2 * index + 1]
            return StoryPair(
                name: name,
                before: told[2 * index],
                after: told[2 * index + 1],
                heard: try Self.heard(pair.map(\.plan), seed: pair.first?.seed ?? 1, material)
            )
        }
    }

    /// What is heard of one seed on both sides; `nil` if either makes no sound.
    private static func heard(
        _ plans: [WorldPlan],
        seed: UInt64,
        _ material: SpeechMaterial?
    ) throws -> HeardPair? {
        guard plans.allSatisfy(\.makesSound) else { return nil }
        let runs = plans.map { SingleRun(plan: $0, seed: seed, material: material) }
        return try HeardPair(runs[0], runs[1])
    }
}
