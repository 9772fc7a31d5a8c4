import KodamaHarness
public import KodamaLanguage
public import KodamaSpeech
import KodamaWorld

/// Runs the worlds of a swarm, side by side.
public struct SwarmRun: Sendable {
    let world: SwarmWorld
    let loader: ScenarioLoader
    let material: SpeechMaterial?
    /// The worlds that are known to end the program, or never to end: they are not run again.
    public var dead: [UInt64: RunFailure] = [:]

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

    /// The world with that seed as it was drawn, whether it loads or not.
    public func draft(seed: UInt64) -> DocumentNode { world.document(seed: seed) }

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
    ///   - begin: Told of each world before it runs, in the thread that runs it.
    ///   - done: Told of each world once the ledger has it.
    /// - Throws: `WorldError`, if a world cannot be made, or what `done` throws.
    public func add(
        _ seeds: [UInt64],
        to ledger: inout SwarmLedger,
        jobs: Int,
        begin: @escaping @Sendable (UInt64) -> Void = { _ in },
        done: (SwarmLedger.Row) throws -> Void = { _ in }
    ) async throws {
        var known = ledger.pairs
        try await inParallel(seeds.count, width: jobs) { index -> Finished in
            try finished(seeds[index], begin)
        } deliver: { _, world in
            try done(ledger.add(world, known: &known))
        }
    }

    private func finished(_ seed: UInt64, _ begin: (UInt64) -> Void) throws -> Finished {
        if let failure = dead[seed] {
            let document = (try? document(seed: seed)) ?? world.document(seed: seed)
            return Finished(seed: seed, document: document, run: WorldRun(failure))
        }
        do {
            let sound = try sound(seed)
            begin(seed)
            let run = try WorldRun(sound.scenario.points[0], seed: seed, material: material)
            return Finished(seed: seed, document: sound.document, run: run)
        } catch let error as Unsound {
            let run = WorldRun(RunFailure(of: .unsound, error.complaint))
            return Finished(seed: seed, document: world.document(seed: seed), run: run)
        }
    }
}
