import KodamaLanguage

// Time in which nothing has to happen.

extension Shrinker {
    /// Shortens the stretches between one moment and the next, by all, half, a quarter or an eighth of each.
    ///
    /// The quiet phase stays as it is, and so does the time from the last moment to the run's end, unless an
    /// invariant is broken: what holds at a run's end may need that time.
    mutating func closeGaps() async throws {
        var gap = 0
        while !isOver {
            let instants = current.document.instants(as: shape)
            let moments = Set(instants.map(\.nanoseconds) + [0]).sorted()
            let rigid = firstRigidMoment(instants)
            guard gap + 1 < moments.count else { return }
            let (from, to) = (moments[gap], moments[gap + 1])
            guard to <= rigid else { return }
            // Whole seconds, so that moments stay readable.
            let second: Int64 = 1_000_000_000
            let lengths = [to - from, (to - from) / 2, (to - from) / 4, (to - from) / 8]
                .map { $0 >= second ? $0 / second * second : $0 / 1_000_000 * 1_000_000 }
                .filter { $0 > 0 }
            let candidates = lengths.map { shortened(instants, after: from, by: $0) }
            if try await take(firstOf: candidates, triesSeeds: false) == nil { gap += 1 }
        }
    }

    /// The moment from which on nothing is moved nearer to what comes before it.
    private func firstRigidMoment(
        _ instants: [(path: [DocumentNode.Step], nanoseconds: Int64)]
    ) -> Int64 {
        let quiet = instants.first { $0.path == [.key(SwarmWorld.quietKey)] }
        if let quiet { return quiet.nanoseconds }
        guard !isInvariant else { return .max }
        let end = instants.first { $0.path == [.key("duration")] }?.nanoseconds ?? .max
        return instants.map(\.nanoseconds).filter { $0 < end }.max() ?? 0
    }

    private func shortened(
        _ instants: [(path: [DocumentNode.Step], nanoseconds: Int64)],
        after begin: Int64,
        by length: Int64
    ) -> DocumentNode {
        var document = current.document
        for (path, moment) in instants where moment > begin {
            document[path: path] = .plain(QuantityKind.duration.text(of: moment - length))
        }
        return document
    }
}
