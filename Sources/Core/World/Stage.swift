public import KodamaEvidence
public import KodamaSimulation
public import SansIO

/// What every component acts on: the present, the queue, the network, unread events and the trace.
public struct Stage: ~Copyable {
    /// The seed of every draw.
    package let seed: UInt64
    /// The present.
    public internal(set) var now = Instant.zero
    /// Links, and what is on its way over them.
    @usableFromInline package var network: Network

    @usableFromInline var queue: EventQueue<Delivery>
    @usableFromInline var log = TraceLog()
    /// The hosts with unread events, one entry per event, oldest first.
    @usableFromInline var mail: [any MailReader] = []
    private var readCount = 0
    @usableFromInline var isPerforming = false
    /// The values that may have changed, to be computed again once no event is unread.
    @usableFromInline var touched: [any Reviewed] = []

    /// The most rounds of reviews at one delivery; more count as endless.
    private static let reviewRoundsMax = 1_000

    package init(seed: UInt64, network: consuming Network, tieShuffleSeed: UInt64?) {
        self.seed = seed
        self.network = network
        queue = EventQueue(tieShuffleSeed: tieShuffleSeed)
    }

    // MARK: The queue

    /// Schedules a delivery.
    @inlinable @inline(__always)
    package mutating func push(_ delivery: Delivery, at key: EventKey) {
        queue.push(delivery, at: key)
    }

    /// How many deliveries are pending.
    package var pendingCount: Int { queue.count }

    /// Takes the next delivery before `end` and moves on to its instant.
    package mutating func next(before end: Instant) -> Delivery? {
        guard let (instant, delivery) = queue.pop(), instant < end else { return nil }
        now = instant
        return delivery
    }

    // MARK: Mail

    /// Whether no effect is being performed and no host has unread events.
    @inlinable package var isQuiet: Bool { !isPerforming && mail.isEmpty }

    @inlinable package mutating func beginPerforming() { isPerforming = true }
    @inlinable package mutating func endPerforming() { isPerforming = false }

    /// Notes that a host has one more unread event.
    @inlinable package mutating func post(_ host: any MailReader) {
        mail.append(host)
    }

    /// Delivers unread events, oldest first, and those that follow from them.
    @inlinable @inline(__always)
    package mutating func readMail() {
        guard !mail.isEmpty else { return }
        readAllMail()
    }

    @usableFromInline mutating func readAllMail() {
        while readCount < mail.count {
            let host = mail[readCount]
            readCount += 1
            host.readMail(on: &self)
        }
        mail.removeAll(keepingCapacity: true)
        readCount = 0
    }

    // MARK: Reviews

    /// Marks a value to be computed again once no event is unread.
    @inlinable package mutating func touch(_ reviewed: some Reviewed) {
        guard !reviewed.isTouched else { return }
        reviewed.isTouched = true
        touched.append(reviewed)
    }

    /// Delivers unread events and reviews what was touched, in the order of components, until nothing changes.
    @inlinable @inline(__always)
    package mutating func settle() {
        guard !(touched.isEmpty && mail.isEmpty) else { return }
        settleAll()
    }

    @usableFromInline mutating func settleAll() {
        var rounds = 0
        readMail()
        while !touched.isEmpty {
            rounds += 1
            precondition(
                rounds <= Self.reviewRoundsMax,
                "the reviews at \(now.nanoseconds) ns touch each other without end"
            )
            var due: [any Reviewed] = []
            swap(&due, &touched)
            if due.count > 1 { due.sort { $0.index.index < $1.index.index } }
            for reviewed in due {
                reviewed.isTouched = false
                reviewed.review(on: &self)
                readMail()
            }
        }
    }

    // MARK: The trace

    /// Writes a record.
    @inlinable @inline(__always)
    package mutating func note(
        _ form: some TraceForm,
        of component: ComponentIndex,
        about subject: ComponentIndex = .none
    ) {
        log.write(form, at: now, of: component, about: subject)
    }

    /// Lets timeline entry `entry` wait for a record.
    package mutating func watch(
        entry: Int,
        kind: TraceKind,
        of components: [ComponentIndex],
        writers: [ComponentIndex],
        count: Int,
        delay: Duration
    ) {
        log.watch(
            entry: entry,
            kind: kind,
            components: components,
            writers: writers,
            count: count,
            delay: delay
        )
    }

    /// Whether the record that a timeline entry waits for has come.
    package var hasTriggered: Bool { log.hasTriggered }

    /// Takes the timeline entries whose record has come.
    package mutating func takeTriggered() -> [(entry: Int, delay: Duration)] { log.takeTriggered() }

    /// Hands records to the sink once a batch is full, or all of them.
    package mutating func flush(into sink: inout some TraceSink, all: Bool = false) {
        guard all || log.records.count >= TraceLog.batch else { return }
        log.flush(into: &sink)
    }

    /// Moves on to the end of the run.
    package mutating func end(at instant: Instant) { now = instant }

    // MARK: Chance

    /// The random stream of one entity for one purpose.
    package func draws(_ purpose: StaticString, of entity: String) -> RandomStream {
        RandomStream(seed: seed, purpose: purpose, entity: entity)
    }
}

/// A value derived from the state of others, computed again when they may have changed.
@usableFromInline package protocol Reviewed: AnyObject {
    /// Its component's index.
    var index: ComponentIndex { get }
    /// Whether it is marked; set by the stage.
    var isTouched: Bool { get set }
    /// Computes it again and records what changed.
    func review(on stage: inout Stage)
}
