import CoachExchange
import SansIO

/// What the server remembers of one user of the coach; what is full refuses and forgets nothing.
struct CoachUser: Sendable {
    /// How many reflections are kept: ten years of evenings.
    static let reflectionsMax = 4_000
    /// How many summaries are kept: as many as reflections, an assumption.
    static let summariesMax = 4_000
    /// How many events' ids are remembered.
    static let eventsMax = 50_000
    /// How many voice profiles may be offered, those that were deleted included.
    static let voicesMax = 64
    /// How many recordings may be on their way: the one begun longest ago makes room.
    static let uploadsMax = 2

    /// A voice profile.
    struct Voice: Sendable {
        enum State: Sendable {
            /// Its recording is on its way; the parts that are here.
            case uploading([Int: [UInt8]])
            /// The voice's id.
            case registered(String)
            /// For good.
            case deleted
        }

        var offer: CloneOffer?
        var began: WallTime
        var state: State

        var isUploading: Bool {
            if case .uploading(let parts) = state { !parts.isEmpty } else { false }
        }
    }

    private struct Usage: Sendable {
        var used: Int64
        var began: WallTime
    }

    private(set) var reflections: [String: ReflectionReport] = [:]
    /// The summaries by id, and how often each was handed to the agent's memory.
    private(set) var summaries: [String: (report: SummaryReport, times: Int64)] = [:]
    private(set) var counts: [MetricEvent.Name: Int64] = [:]
    /// The events by id: when each happened, and how often it was counted.
    private(set) var events: [String: (time: WallTime, times: Int64)] = [:]
    private(set) var voices: [String: Voice] = [:]
    private var usage: [UsageKind: Usage] = [:]
    /// The newest word on each subscription, and what it says.
    private var subscriptions: [(signed: SignedSubscription, says: Subscription)] = []

    // MARK: Limits

    /// How much of an allowance is used up at `now`.
    func usage(
        of kind: UsageKind,
        under settings: CoachSettings,
        at now: WallTime
    ) -> UsageCount {
        let allowance = settings.allowance(of: kind)
        var count = UsageCount(kind: kind, used: 0, allowed: allowance.count, resetsIn: .zero)
        guard let present = usage[kind] else { return count }
        let end = present.began.advanced(by: allowance.period)
        // A clock that was set back begins a new period, rather than to lengthen this one.
        guard now < end, now >= present.began else { return count }
        let rest = end.nanosecondsSince1970 - now.nanosecondsSince1970
        // Rounded up: whoever comes back then is not a moment early.
        count.resetsIn = .seconds((rest - 1) / 1_000_000_000 + 1)
        count.used = present.used
        return count
    }

    /// Uses up one of an allowance.
    ///
    /// - Throws: That none is left.
    mutating func use(
        _ kind: UsageKind,
        under settings: CoachSettings,
        at now: WallTime
    ) throws(CoachFault) {
        let count = usage(of: kind, under: settings, at: now)
        guard count.used < count.allowed else { throw .limited(count) }
        if count.resetsIn == .zero { usage[kind] = Usage(used: 0, began: now) }
        usage[kind]?.used += 1
    }

    // MARK: Reports

    /// Stores a reflection once.
    mutating func store(
        _ report: ReflectionReport,
        under settings: CoachSettings,
        at now: WallTime
    ) throws(CoachFault) {
        if let known = reflections[report.id] {
            guard known == report else { throw .conflict("another reflection has this id") }
            return
        }
        guard reflections.count < Self.reflectionsMax else { throw .full("reflections") }
        try use(.reflections, under: settings, at: now)
        reflections[report.id] = report
    }

    /// Stores a summary once.
    mutating func store(_ report: SummaryReport) throws(CoachFault) {
        if let known = summaries[report.id] {
            guard known.report == report else { throw .conflict("another summary has this id") }
            return
        }
        guard summaries.count < Self.summariesMax else { throw .full("summaries") }
        summaries[report.id] = (report, (summaries[report.id]?.times ?? 0) + 1)
    }

    /// Counts an event once.
    ///
    /// - Returns: Why it never will be; `nil` if it is counted.
    /// - Throws: That the limit is reached; it may be counted later.
    mutating func count(
        _ event: MetricEvent,
        under settings: CoachSettings,
        at now: WallTime
    ) throws(CoachFault) -> String? {
        let oldest = now.advanced(by: .zero - settings.eventTimeToLive)
        // An id is forgotten by the same rule, so that no event is counted again.
        guard event.time >= oldest else { return "the event is too old" }
        guard events[event.id] == nil else { return nil }
        if events.count >= Self.eventsMax { events = events.filter { $0.value.time >= oldest } }
        guard events.count < Self.eventsMax else {
            var count = usage(of: .metrics, under: settings, at: now)
            count.resetsIn = settings.metrics.period
            throw .limited(count)
        }
        try use(.metrics, under: settings, at: now)
        events[event.id] = (event.time, (events[event.id]?.times ?? 0) + 1)
        counts[event.name, default: 0] += 1
        return nil
    }

    // MARK: Voices

    /// A voice profile; parts that have waited too long are gone.
    mutating func voice(
        _ profile: String,
        under settings: CoachSettings,
        at now: WallTime
    ) -> Voice? {
        guard let voice = voices[profile] else { return nil }
        let end = voice.began.advanced(by: settings.uploadTimeToLive)
        if voice.isUploading, now >= end {
            // What comes from now on has its own time.
            voices[profile] = Voice(offer: voice.offer, began: now, state: .uploading([:]))
        }
        return voices[profile]
    }

    /// Adds a profile, or replaces what it was.
    mutating func set(_ voice: Voice, of profile: String) throws(CoachFault) {
        // Deletions find room where offers find none.
        let isDeleted = if case .deleted = voice.state { true } else { false }
        let room = isDeleted ? 2 * Self.voicesMax : Self.voicesMax
        guard voices[profile] != nil || voices.count < room else { throw .full("voice profiles") }
        voices[profile] = voice
        let uploads = voices.filter(\.value.isUploading)
        guard uploads.count > Self.uploadsMax else { return }
        let oldest = uploads.filter { $0.key != profile }.min {
            ($0.value.began, $0.key) < ($1.value.began, $1.key)
        }
        if let oldest { voices[oldest.key]?.state = .uploading([:]) }
    }

    // MARK: Subscriptions

    /// Takes a subscription if nothing newer is known of it.
    mutating func take(_ signed: SignedSubscription, saying says: Subscription) {
        guard let index = subscriptions.firstIndex(where: { says.isSame(as: $0.says) }) else {
            return subscriptions.append((signed, says))
        }
        if says.supersedes(subscriptions[index].says) { subscriptions[index] = (signed, says) }
    }

    /// What a phone is to know that has this subscription: what is newer of it, or the one that gives access for longest.
    func subscription(for has: Subscription?) -> SignedSubscription? {
        if let has, let newer = subscriptions.first(where: { $0.says.supersedes(has) }) {
            return newer.signed
        }
        return subscriptions.max { $1.says.outlasts($0.says) }?.signed
    }
}
