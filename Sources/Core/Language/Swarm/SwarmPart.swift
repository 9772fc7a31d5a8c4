/// What random worlds need to know of a system, besides its words: how its app is set up, how its users calm
/// down, and what then must hold again.
public struct SwarmPart: Sendable {
    /// The keys of the app on a phone.
    package let app: @Sendable (SwarmPhone) -> DocumentNode
    /// Words of the timeline and of users that no world has, since what they promise ends for good.
    package let without: [String]
    /// What is done on a phone once its app is open again in the quiet phase.
    package let settling: @Sendable (SwarmPhone) -> [SwarmEnding]
    /// The entries of `expect` that hold in any world.
    package let bounds: @Sendable (SwarmPhases) -> [DocumentNode]
    /// How long faults go on at least, in seconds, for the app to show anything.
    package let stormSecondsMin: Int64
    /// The time of day at which a world with the app begins, if that matters.
    package let clock: String?

    /// Describes a system for random worlds.
    ///
    /// - Parameters:
    ///   - stormSecondsMin: How long faults go on at least, in seconds.
    ///   - clock: The time of day at which a world with the app begins, if that matters.
    ///   - without: Words of the timeline and of users that no world has.
    ///   - app: Draws the keys of the app on a phone.
    ///   - settling: What is done on a phone once its app is open again in the quiet phase.
    ///   - bounds: The entries of `expect` that hold in any world.
    public init(
        stormSecondsMin: Int64 = 0,
        clock: String? = nil,
        without: [String] = [],
        app: @escaping @Sendable (SwarmPhone) -> DocumentNode,
        settling: @escaping @Sendable (SwarmPhone) -> [SwarmEnding] = { _ in [] },
        bounds: @escaping @Sendable (SwarmPhases) -> [DocumentNode]
    ) {
        self.app = app
        self.without = without
        self.settling = settling
        self.bounds = bounds
        self.stormSecondsMin = stormSecondsMin
        self.clock = clock
    }
}

/// What is done in the quiet phase to end what was begun in the storm.
public struct SwarmEnding: Sendable {
    /// What is done: the value of `do`.
    package let act: DocumentNode
    /// The words of the storm that it ends; empty for what is always done.
    ///
    /// A world without any of them is without it.
    package let ends: [String]
    /// How many seconds later than the app is opened it is done at least.
    package let delaySeconds: Int64

    /// Ends what these words began; always done if there are none.
    public init(_ act: DocumentNode, ends: [String] = [], delaySeconds: Int64 = 0) {
        self.act = act
        self.ends = ends
        self.delaySeconds = delaySeconds
    }
}

/// A phone of a random world, for the system whose app is on it.
public struct SwarmPhone: Sendable {
    /// Its name.
    public let name: String
    /// Who owns it; a name that users can have.
    public let owner: String
    /// Who owns the other phones with the same app, in the order of the phones.
    public let others: [String]
    /// The draws for the app on it.
    public let draw: SwarmDraw

    package init(name: String, owner: String, others: [String], draw: SwarmDraw) {
        self.name = name
        self.owner = owner
        self.others = others
        self.draw = draw
    }

    /// Something that the phone's user does, as a value of `do`.
    public func does(_ word: String, app: String? = nil) -> DocumentNode {
        var user: DocumentNode = ["of": .plain(name), "does": .plain(word)]
        if let app { user[key: "app"] = .plain(app) }
        return ["user": user]
    }
}

/// The two phases of a random world.
public struct SwarmPhases: Sendable {
    /// When acts and faults end that concern no system with a longer storm of its own, in seconds.
    package let stormSeconds: Int64
    /// When all faults have ended and users begin to come back, in seconds.
    public let quietSeconds: Int64
    /// When every app has been opened again, in seconds.
    public let openSeconds: Int64
    /// When the last app has been opened again and has had its time, in seconds: the run's end.
    public let endSeconds: Int64

    package init(
        stormSeconds: Int64,
        quietSeconds: Int64,
        openSeconds: Int64,
        endSeconds: Int64
    ) {
        self.stormSeconds = stormSeconds
        self.quietSeconds = quietSeconds
        self.openSeconds = openSeconds
        self.endSeconds = endSeconds
    }

    /// A gate on a metric's value that nothing in a world may break.
    public func gate(_ metric: String, _ bound: String) -> DocumentNode {
        gate(metric, "value", bound)
    }

    /// A gate that nothing in a world may break, if the world has anything for it.
    ///
    /// - Parameters:
    ///   - metric: The metric.
    ///   - statistic: Which figure of it.
    ///   - bound: The bound, such as `== 0`.
    ///   - isQuietOnly: Whether only what begins in the quiet phase counts.
    /// - Returns: An entry of `expect`.
    public func gate(
        _ metric: String,
        _ statistic: String,
        _ bound: String,
        isQuietOnly: Bool = false
    ) -> DocumentNode {
        var gate: DocumentNode = ["metric": .plain(metric)]
        if isQuietOnly { gate[key: "in"] = ["from": .plain("\(quietSeconds)s")] }
        gate[key: statistic] = .value(bound, isQuoted: true)
        gate[key: "allow_no_data"] = "true"
        return gate
    }

    /// A gate on a time that ends soon after the storm, whenever it began, if the world has any.
    ///
    /// - Parameters:
    ///   - metric: The metric.
    ///   - seconds: How long it may go on in the quiet phase, at most 110 s.
    ///   - isOnceOpen: Whether that counts from when every app is open again, not from the first moment.
    /// - Returns: An entry of `expect`.
    public func settles(
        _ metric: String,
        within seconds: Int64,
        isOnceOpen: Bool = false
    ) -> DocumentNode {
        // What lasts until then, and longer than the bound, went on for longer than the bound since the storm.
        var gate = gate(metric, "max", "<= \(seconds)s")
        let latest = (isOnceOpen ? openSeconds : quietSeconds) + seconds
        gate[key: "lasts_until"] = .plain("\(latest)s")
        return gate
    }
}
