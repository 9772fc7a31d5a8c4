import KodamaHarness
public import KodamaLanguage
public import KodamaSpeech
import KodamaWorld

/// Runs the worlds of a swarm, side by side.
public struct SwarmRun: Sendable {
    let world: SwarmWorld
    let loader: ScenarioLoader
    let material: SpeechMaterial?

    /// Prepares runs of worlds.
    ///
    /// - Parameters:
    ///   - world: Draws them.
    ///   - loader: Reads them.
    ///   - material: The voices, for worlds with real audio.
    public init(_ world: SwarmWorld, loader: ScenarioLoader, material: SpeechMaterial? = nil) {
        self.world = world
        self.loader = loader
        self.material = material
    }

    /// A world that was run.
    struct Finished: Sendable {
        var seed: UInt64
        var document: DocumentNode
        var run: WorldRun
    }

    /// A world that could not be run: a mistake in how worlds are drawn.
    public struct Unsound: Error, CustomStringConvertible {
        /// The seed.
        public var seed: UInt64
        /// Why.
        public var complaint: String

        /// The seed and why.
        public var description: String { "world \(seed) cannot be run:\n\(complaint)" }
    }

    /// The world with that seed as a scenario that loads: without what makes no sense in it.
    ///
    /// - Throws: `Unsound`.
    public func document(seed: UInt64) throws -> DocumentNode {
        try sound(seed).document
    }

    private func sound(_ seed: UInt64) throws -> DocumentRepair.Sound {
        let repair = DocumentRepair(loader, file: "swarm-\(seed).yaml")
        let document = world.document(seed: seed)
        guard let sound = repair.sound(document) else {
            throw Unsound(seed: seed, complaint: repair.complaint(of: document))
        }
        return sound
    }

    /// Runs worlds and adds them to a ledger, in the order of their seeds.
    ///
    /// - Parameters:
    ///   - seeds: Their seeds.
    ///   - ledger: Takes what came of them.
    ///   - jobs: How many run at a time; the result does not depend on it.
    ///   - done: Told of each world.
    /// - Throws: `Unsound`, or `WorldError`.
    public func add(
        _ seeds: [UInt64],
        to ledger: inout SwarmLedger,
        jobs: Int,
        done: () -> Void = {}
    ) async throws {
        var known = ledger.pairs
        let finished = try await finished(seeds, jobs: jobs, done: done)
        for world in finished { ledger.add(world, known: &known) }
    }

    private func finished(
        _ seeds: [UInt64],
        jobs: Int,
        done: () -> Void
    ) async throws -> [Finished] {
        var finished: [Finished] = []
        try await inParallel(seeds.count, width: jobs) { index -> Finished in
            let sound = try sound(seeds[index])
            return Finished(
                seed: seeds[index],
                document: sound.document,
                run: try WorldRun(sound.scenario.points[0], seed: seeds[index], material: material)
            )
        } deliver: { _, world in
            finished.append(world)
            done()
        }
        return finished
    }
}
