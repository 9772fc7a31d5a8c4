import SansIO

/// Fetches the next morning's audio and sends the last conversation's summary, with retries, while
/// background time lasts.
struct WakePreload: Sendable, Equatable {
    enum Order: Equatable {
        case fetchAudio(OperationID)
        case syncConversation(OperationID)
        case cancel(OperationID)
        /// Both jobs are over; `nil` if the audio could not be had.
        case finished(WakeSound?, isSynced: Bool)
    }

    /// One of the two requests, with its tries.
    private struct Job: Sendable, Equatable {
        /// The request in flight; none while the next try waits.
        var operation: OperationID?
        var tries = 0
        /// When the request has taken too long, or the next one is due; `nil` once the job is over.
        var until: Instant?
        var isDone = false

        mutating func end(isDone: Bool) {
            self.isDone = isDone
            operation = nil
            until = nil
        }

        mutating func failed(_ configuration: WakePreloadConfiguration, at now: Instant) {
            operation = nil
            guard tries < configuration.triesMax else { return end(isDone: false) }
            until = now.advanced(by: configuration.pause * (1 << min(tries - 1, 10)))
        }
    }

    let configuration: WakePreloadConfiguration
    private var operations: OperationCounter
    private var audio = Job()
    private var sync = Job()
    private var sound: WakeSound?
    private(set) var isRunning = false

    init(configuration: WakePreloadConfiguration, operations: OperationCounter) {
        self.configuration = configuration
        self.operations = operations
    }

    var deadline: Deadline? {
        guard isRunning else { return nil }
        return .earliest(
            audio.until.map { Deadline($0, "preload audio") },
            sync.until.map { Deadline($0, "preload sync") }
        )
    }

    /// Begins; audio that is there already is not fetched again.
    mutating func begin(having sound: WakeSound?, at now: Instant) -> [Order] {
        guard !isRunning else { return [] }
        isRunning = true
        self.sound = sound
        audio = Job(until: sound == nil ? now : nil)
        sync = Job(until: now)
        return wake(at: now)
    }

    /// Sends what is due, and gives up waiting for what has taken too long.
    mutating func wake(at now: Instant) -> [Order] {
        guard isRunning else { return [] }
        var orders: [Order] = []
        advance(\.audio, at: now, into: &orders) { .fetchAudio($0) }
        advance(\.sync, at: now, into: &orders) { .syncConversation($0) }
        finishIfOver(into: &orders)
        return orders
    }

    private mutating func advance(
        _ path: WritableKeyPath<Self, Job>,
        at now: Instant,
        into orders: inout [Order],
        _ order: (OperationID) -> Order
    ) {
        guard let until = self[keyPath: path].until, until <= now else { return }
        if let operation = self[keyPath: path].operation {
            orders.append(.cancel(operation))
            return self[keyPath: path].failed(configuration, at: now)
        }
        let operation = operations.next()
        self[keyPath: path].operation = operation
        self[keyPath: path].tries += 1
        self[keyPath: path].until = now.advanced(by: configuration.patience)
        orders.append(order(operation))
    }

    mutating func audioFetched(
        _ operation: OperationID,
        _ answer: WakeFlow.AudioAnswer,
        at now: Instant
    ) -> [Order] {
        guard isRunning, audio.operation == operation else { return [] }
        if case .stored(let name, let length) = answer, isPlayable(name, length) {
            sound = .preloaded(name: name)
            audio.end(isDone: true)
        } else {
            audio.failed(configuration, at: now)
        }
        var orders: [Order] = []
        finishIfOver(into: &orders)
        return orders
    }

    mutating func conversationSynced(
        _ operation: OperationID,
        accepted: Bool,
        at now: Instant
    ) -> [Order] {
        guard isRunning, sync.operation == operation else { return [] }
        if accepted { sync.end(isDone: true) } else { sync.failed(configuration, at: now) }
        var orders: [Order] = []
        finishIfOver(into: &orders)
        return orders
    }

    /// Stops: the system takes the time back, or the wake is not wanted any more.
    mutating func stop() -> [Order] {
        guard isRunning else { return [] }
        var orders = [audio, sync].compactMap { $0.operation.map(Order.cancel) }
        audio.end(isDone: audio.isDone)
        sync.end(isDone: sync.isDone)
        finishIfOver(into: &orders)
        return orders
    }

    private mutating func finishIfOver(into orders: inout [Order]) {
        guard isRunning, audio.until == nil, sync.until == nil else { return }
        isRunning = false
        orders.append(.finished(sound, isSynced: sync.isDone))
    }

    /// The system plays a file of up to 30 s that lies in the sounds folder itself; any other is silently
    /// replaced by the default sound (nightscout/Trio, pull request 1375).
    private func isPlayable(_ name: String, _ length: Duration) -> Bool {
        !name.isEmpty && !name.utf8.contains(UInt8(ascii: "/")) && length > .zero
            && length < configuration.soundLengthMax
    }
}
