import KodamaEvidence
import KodamaHarness
public import KodamaLanguage
public import KodamaSpeech
import KodamaWorld
import SansIO

/// Makes a failing scenario as small as it gets while the same gate or invariant fails.
///
/// Delta debugging (Zeller and Hildebrandt, IEEE TSE 2002) over the document, by the language's tables: the largest
/// things first, then lengths and values towards the plain. Of several smaller documents the first in order that
/// fails is taken, whichever worker was ready first, so that the result and the number of runs are the same for any
/// number of workers.
public struct Shrinker {
    let loader: ScenarioLoader
    let file: String
    /// What fails, and must go on failing.
    var failure: FailureName { target.name }
    /// The same with how it showed.
    let target: RunFailure
    /// Whether a text and a seed end the program that runs them; `nil` where they run in this one.
    let isFatal: (@Sendable (String, UInt64) -> Bool)?
    let material: SpeechMaterial?
    let jobs: Int
    let runsMax: Int
    let shape: MappingShape
    private let progress: (Int, Int) throws -> Void

    /// The document so far.
    private(set) var current: DocumentRepair.Sound
    /// The seed with which it fails.
    private(set) var seed: UInt64
    /// How many runs have been asked for; those whose result was known, or that another made needless, not.
    private(set) var runCount = 0
    /// What is known of documents by their text and seed.
    private var known: [Trial: Bool] = [:]

    /// A document with a seed.
    private struct Trial: Hashable {
        var text: String
        var seed: UInt64
    }

    /// Why a document cannot be made smaller.
    public enum Refusal: Error {
        /// It does not load as it is written.
        case unsound(String)
        /// Nothing fails in it, or not what was asked for: the failures that it has, and what else keeps it from
        /// passing.
        case green([FailureName], doubts: [String])
    }

    /// The smallest document that was found.
    public struct Shrunk: Sendable {
        /// The document.
        public var document: DocumentNode
        /// What fails in it.
        public var failure: FailureName
        /// The seed with which it fails.
        public var seed: UInt64
        /// What was found out about its values, by their paths.
        public var remarks: [[DocumentNode.Step]: String]
        /// How many runs it took.
        public var runCount: Int
        /// Whether it was given up because no more runs were allowed.
        public var isUnfinished: Bool
    }

    /// Runs a document and takes what fails in it for what must go on failing.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - loader: Reads documents.
    ///   - file: The path as which they are read, as the base of paths in them.
    ///   - seed: The seed with which it fails.
    ///   - name: The gate's metric or the invariant; the first that fails if none is given.
    ///   - material: The voices, for real audio.
    ///   - runsMax: How many runs are made at most.
    ///   - jobs: How many run at a time; the result does not depend on it.
    ///   - isFatal: Runs a text with a seed in another program and says whether it ended that: what must go on
    ///     then, in place of a gate or an invariant.
    ///   - progress: Told how many of `runsMax` have been made; an error of its ends the search.
    /// - Throws: `Refusal`, or `WorldError`.
    public init(
        _ document: DocumentNode,
        loader: ScenarioLoader,
        file: String,
        seed: UInt64,
        about name: String? = nil,
        material: SpeechMaterial? = nil,
        runsMax: Int,
        jobs: Int,
        isFatal: (@Sendable (String, UInt64) -> Bool)? = nil,
        progress: @escaping (Int, Int) throws -> Void = { _, _ in }
    ) throws {
        let repair = DocumentRepair(loader, file: file, lists: [])
        guard let sound = repair.sound(document) else {
            throw Refusal.unsound(repair.complaint(of: document))
        }
        let failures: [RunFailure]
        var doubts: [String] = []
        if let isFatal {
            let text = sound.document.yaml()
            failures = isFatal(text, seed) ? [RunFailure(of: .crash, "")] : []
        } else {
            let point = sound.scenario.points[0]
            let run = try WorldRun(point, seed: seed, material: material)
            (failures, doubts) = (run.failures, run.doubts)
        }
        func isMeant(_ failure: RunFailure) -> Bool {
            name == nil || failure.name.name == name || failure.name.description == name
        }
        guard let target = failures.first(where: isMeant) else {
            throw Refusal.green(failures.map(\.name), doubts: doubts)
        }
        self.target = target
        self.isFatal = isFatal
        self.loader = loader
        self.file = file
        self.seed = seed
        self.material = material
        self.jobs = jobs
        self.runsMax = runsMax
        self.progress = progress
        shape = loader.vocabulary.language.documentShape
        current = sound
    }

    /// Whether no more runs are allowed.
    var isOver: Bool { runCount >= runsMax }

    /// Whether it is an invariant that fails, which no later record can mend.
    var isInvariant: Bool { failure.rule == nil }

    /// Makes the document as small as it gets.
    public mutating func shrink() async throws -> Shrunk {
        keepOnlyTheFailure()
        dropDefaults()
        try await endAtTheFailure()
        var before: DocumentNode?
        while before != current.document, !isOver {
            before = current.document
            try await removeThings()
            try await closeGaps()
            try await simplifyValues()
        }
        let isUnfinished = isOver
        let remarks = isUnfinished ? [:] : try await remarks()
        var document = current.document
        document[key: "first_seed"] = seed == 1 ? nil : .plain("\(seed)")
        return Shrunk(
            document: document.withoutOwnKeys.inOrder(of: shape),
            failure: failure,
            seed: seed,
            remarks: remarks,
            runCount: runCount,
            isUnfinished: isUnfinished
        )
    }
}

// MARK: - Trials

extension Shrinker {
    /// How many other seeds are tried where a smaller document does not fail with the same.
    private static let otherSeedCount: UInt64 = 2

    /// Takes the first of some documents in which the same fails; each must be smaller than the current one.
    ///
    /// - Parameters:
    ///   - candidates: The documents.
    ///   - triesSeeds: Whether other seeds will do.
    ///   - lists: The lists whose entries may be left out where they make no sense any more.
    /// - Returns: The index of the one that was taken, if any.
    /// - Throws: `CancellationError`.
    mutating func take(
        firstOf candidates: [DocumentNode],
        triesSeeds: Bool = false,
        repairing lists: Set<String> = DocumentRepair.happenings
    ) async throws -> Int? {
        let others = triesSeeds ? Self.otherSeedCount : 0
        let trials = candidates.indices.flatMap { index in
            (0...others).map { (index, candidates[index], seed &+ $0) }
        }
        let found = try await firstFailing(trials.map { ($0.1, $0.2) }, repairing: lists)
        guard let (trial, sound) = found else { return nil }
        current = sound
        seed = trials[trial].2
        return trials[trial].0
    }

    /// Whether a document fails as the current one does.
    mutating func fails(_ document: DocumentNode) async throws -> Bool {
        try await firstFailing([(document, seed)], repairing: []) != nil
    }

    /// What came of a trial.
    private struct Verdict {
        var sound: DocumentRepair.Sound?
        var trial: Trial?
        var fails = false
        /// Whether it took a run.
        var ran = false
    }

    /// The first of some documents with their seeds that fails as the current one does.
    ///
    /// Those before it are counted and kept; what others have run meanwhile is forgotten.
    private mutating func firstFailing(
        _ trials: [(document: DocumentNode, seed: UInt64)],
        repairing lists: Set<String>
    ) async throws -> (Int, DocumentRepair.Sound)? {
        struct Found: Error { var place: (Int, DocumentRepair.Sound)? }
        let judge = judge(repairing: lists)
        let room = runsMax - runCount
        var verdicts: [Verdict] = []
        var ranCount = 0
        var found: (Int, DocumentRepair.Sound)?
        do {
            try await inParallel(trials.count, width: jobs) { index -> Verdict in
                judge(trials[index].document, trials[index].seed)
            } deliver: { index, verdict in
                if verdict.ran, ranCount >= room { throw Found() }
                verdicts.append(verdict)
                ranCount += verdict.ran ? 1 : 0
                guard verdict.fails, let sound = verdict.sound else { return }
                throw Found(place: (index, sound))
            }
        } catch let end as Found {
            found = end.place
        }
        for verdict in verdicts {
            if let trial = verdict.trial { known[trial] = verdict.fails }
        }
        runCount += ranCount
        try progress(runCount, runsMax)
        return found
    }

    /// Runs a document with a seed, unless it is known what comes of it.
    private func judge(
        repairing lists: Set<String>
    ) -> @Sendable (DocumentNode, UInt64) -> Verdict {
        let repair = DocumentRepair(loader, file: file, lists: lists)
        let (known, target, material, isFatal) = (known, target, material, isFatal)
        let (document, now, seed) = (current.document, current.scenario.points[0], seed)
        return { candidate, other in
            guard let sound = repair.sound(candidate), sound.document != document,
                target.name.isExpected(of: sound.scenario)
            else { return Verdict() }
            let text = sound.document.yaml()
            let trial = Trial(text: text, seed: other)
            if let fails = known[trial] { return Verdict(sound: sound, trial: trial, fails: fails) }
            let point = sound.scenario.points[0]
            // What differs in nothing that is run or asked for fails as the current one does.
            if other == seed, point.plan == now.plan, point.expectations == now.expectations {
                return Verdict(sound: sound, trial: trial, fails: true)
            }
            if let isFatal {
                let fails = isFatal(text, other)
                return Verdict(sound: sound, trial: trial, fails: fails, ran: true)
            }
            // A world that cannot be made, for want of a voice or of a program, fails in another way.
            let run = try? WorldRun(point, seed: other, material: material)
            let fails = run?.failures.contains(where: target.isLike) ?? false
            return Verdict(sound: sound, trial: trial, fails: fails, ran: true)
        }
    }

    /// Takes a document without a run, if its run would be the same.
    @discardableResult
    mutating func takeIfSame(_ document: DocumentNode) -> Bool {
        let repair = DocumentRepair(loader, file: file, lists: [])
        guard let sound = repair.sound(document), sound.document != current.document,
            failure.scopes(in: sound.scenario) == failure.scopes(in: current.scenario),
            sound.scenario.points[0].plan == current.scenario.points[0].plan
        else { return false }
        current = sound
        return true
    }
}

extension FailureName {
    /// Whether a scenario holds it against its runs; invariants are held against every run.
    fileprivate func isExpected(of scenario: Scenario) -> Bool {
        rule == nil || !scopes(in: scenario).isEmpty
    }

    /// Which samples each gate of that name bounds.
    fileprivate func scopes(in scenario: Scenario) -> [GateScope?] {
        scenario.points[0].expectations.gates.filter { FailureName($0) == self }.map(\.scope)
    }
}
