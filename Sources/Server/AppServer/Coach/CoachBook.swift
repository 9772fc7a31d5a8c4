import Crypto
public import CoachExchange
import SansIO
import TextFormats

/// The coach's users on the server: each has a state of its own, which no other user fills or empties.
///
/// The book lives in memory; a deployment has to store it.
public struct CoachBook: Sendable {
    private var users: [UserName: CoachUser] = [:]
    /// Maps a subscription's original transaction to its owner.
    private var owners: [String: UserName] = [:]
    private var entropy: ServerEntropy

    init(entropy: ServerEntropy) {
        self.entropy = entropy
    }

    // MARK: What a world or an operator looks at

    /// A user's reflections, in the order of their ids.
    public func reflections(of user: String) -> [ReflectionReport] {
        (users[UserName(user)]?.reflections.values.sorted { $0.id < $1.id }) ?? []
    }

    /// How often each of a user's summaries was stored, in the order of their ids.
    public func summaries(of user: String) -> [(report: SummaryReport, times: Int64)] {
        (users[UserName(user)]?.summaries.values.sorted { $0.report.id < $1.report.id }) ?? []
    }

    /// How often a user's events of a name were counted.
    public func count(of name: MetricEvent.Name, of user: String) -> Int64 {
        users[UserName(user)]?.counts[name] ?? 0
    }

    /// How often each of a user's events was counted, in the order of their ids; events that are too old to
    /// be counted again may be missing.
    public func counts(of user: String) -> [(event: String, times: Int64)] {
        let events = users[UserName(user)]?.events ?? [:]
        return events.map { ($0.key, $0.value.times) }.sorted { $0.0 < $1.0 }
    }

    /// The ids of a user's voices that can be used, in the order of their profiles.
    public func voices(of user: String) -> [String] {
        let voices = users[UserName(user)]?.voices ?? [:]
        return voices.sorted { $0.key < $1.key }.compactMap { entry in
            if case .registered(let voice) = entry.value.state { voice } else { nil }
        }
    }

    /// Whether any part of a user's recordings is kept.
    public func keepsRecordings(of user: String) -> Bool {
        users[UserName(user)]?.voices.contains { $0.value.isUploading } ?? false
    }

    // MARK: What the endpoints do

    /// Does something to a user's state.
    mutating func withUser<Value>(
        _ user: String,
        _ body: (inout CoachUser, inout ServerEntropy) throws(CoachFault) -> Value
    ) throws(CoachFault) -> Value {
        try body(&users[UserName(user), default: CoachUser()], &entropy)
    }

    /// Takes a subscription as a user's.
    ///
    /// - Throws: That it is another user's.
    mutating func take(
        _ signed: SignedSubscription,
        saying says: Subscription,
        of user: String
    ) throws(CoachFault) {
        let key = UserName(user)
        guard owners[says.originalID, default: key] == key else { throw .foreignSubscription }
        owners[says.originalID] = key
        users[key, default: CoachUser()].take(signed, saying: says)
    }

    /// Takes a subscription that an App Store notice carries; ignored if no user owns it.
    mutating func takeNotice(_ signed: SignedSubscription, saying says: Subscription) {
        guard let key = owners[says.originalID] else { return }
        users[key]?.take(signed, saying: says)
    }
}

/// Why a request of the coach gets no 200.
enum CoachFault: Error {
    /// An allowance is used up.
    case limited(UsageCount)
    /// There is no room for more of something; nothing is forgotten for it.
    case full(String)
    /// The id is taken for something else.
    case conflict(String)
    /// The request makes no sense; why.
    case rejected(String)
    /// Parts of the recording are missing.
    case partsMissing([Int])
    /// There is no such upload.
    case beginFirst
    /// There is no such voice.
    case unknownVoice
    /// The profile was deleted.
    case gone
    /// The subscription is another user's.
    case foreignSubscription

    var statusCode: Int {
        switch self {
        case .rejected: 400
        case .full, .foreignSubscription: 403
        case .unknownVoice: 404
        case .conflict, .partsMissing, .beginFirst: 409
        case .gone: 410
        case .limited: 429
        }
    }

    /// When there is an allowance again, if that is what is wanting.
    var retryAfter: Duration? {
        if case .limited(let count) = self { count.resetsIn } else { nil }
    }

    var json: JSON {
        switch self {
        case .limited(let count):
            .object(of: [("error", .string("usage_limit")), ("limit", count.json)])
        case .full(let what):
            .object(of: [
                ("error", .string("full")), ("message", .string("there are too many \(what)")),
            ])
        case .conflict(let what):
            .object(of: [("error", .string("conflict")), ("message", .string(what))])
        case .rejected(let what):
            .object(of: [("error", .string("bad_request")), ("message", .string(what))])
        case .partsMissing(let parts):
            .object(of: [
                ("error", .string("parts_missing")),
                ("missing", .array(parts.map { .integer(Int64($0)) })),
            ])
        case .beginFirst: .object(of: [("error", .string("begin_first"))])
        case .unknownVoice: .object(of: [("error", .string("unknown_voice"))])
        case .gone: .object(of: [("error", .string("gone"))])
        case .foreignSubscription: .object(of: [("error", .string("foreign_subscription"))])
        }
    }
}
