public import Scenarios
public import SimulatedWorld
public import Speech

extension ReportComparison {
    private static let storyCountMax = 3

    /// Runs the seeds that show the greatest changes once more on both sides, for their lanes.
    ///
    /// - Parameters:
    ///   - before: The scenarios of the report before, in its order.
    ///   - after: The scenarios of the report after, in its order.
    ///   - material: The voices, for real audio.
    /// - Throws: What kept a world from being built or run.
    public mutating func addStories(
        before: [Scenario],
        after: [Scenario],
        material: SpeechMaterial?
    ) throws(WorldError) {
        var pairs: [StoryPair] = []
        let ordered = points.filter(\.isRegression) + points.filter { !$0.isRegression }
        for point in ordered where pairs.count < Self.storyCountMax {
            let seed = point.gated.first { $0.most != nil }?.most?.seed
            guard let seed else { continue }
            func story(
                _ scenarios: [Scenario],
                _ key: Key
            ) throws(WorldError) -> RunStory {
                try RunStory(
                    scenarios[key.scenario].points[key.point].plan,
                    point: key.point,
                    seed: seed,
                    reason: "shows the change most",
                    material: material
                )
            }
            pairs.append(
                StoryPair(
                    name: point.name,
                    before: try story(before, point.keyBefore),
                    after: try story(after, point.keyAfter)
                )
            )
        }
        stories = pairs
    }
}
