import CoachExchange
import SansIO
import TextFormats

/// What the coach asks of the server, by path.
enum CoachEndpoint: String {
    case reflection = "/reflection"
    case summary = "/summary"
    case metrics = "/metrics"
    case cloneBegin = "/voice/clone-begin"
    case clonePart = "/voice/clone-part"
    case cloneComplete = "/voice/clone-complete"
    case voice = "/voice/profile"
    case presignWake = "/voice/presign-wake"
    case entitlement = "/entitlement"
    case entitlementNotice = "/entitlement/notice"
    case usage = "/usage"

    var method: String {
        switch self {
        case .reflection, .summary, .metrics, .cloneBegin, .cloneComplete, .entitlement,
            .entitlementNotice:
            "POST"
        case .clonePart: "PUT"
        case .voice: "DELETE"
        case .presignWake, .usage: "GET"
        }
    }

    /// The longest body that is read: a part of a recording, 50 events with the longest details, a summary of
    /// 64 utterances, or as much as any other.
    var bodyBytesMax: Int {
        switch self {
        case .clonePart, .summary, .metrics: 65_536
        default: APIServer.bodyBytesMax
        }
    }
}

extension APIServer {
    /// How many events a request may hold.
    private static let eventsPerRequestMax = 64

    /// Answers a request of the coach.
    mutating func answer(
        _ endpoint: CoachEndpoint,
        _ request: HTTPRequest,
        _ target: RequestTarget,
        at now: WallTime
    ) throws(APIFault) -> JSON {
        if endpoint == .entitlementNotice { return try entitlementNotice(request) }
        let user = try session(of: request, at: now).user.text
        return switch endpoint {
        case .reflection: try reflection(request, of: user, at: now)
        case .summary: try summary(request, of: user)
        case .metrics: try metrics(request, of: user, at: now)
        case .cloneBegin: try cloneBegin(request, of: user, at: now)
        case .clonePart: try clonePart(request, of: user, at: now)
        case .cloneComplete: try cloneComplete(request, of: user, at: now)
        case .voice: try deleteVoice(target, of: user, at: now)
        case .presignWake: try presignWake(target, of: user, at: now)
        case .entitlement, .entitlementNotice: try entitlement(request, of: user, at: now)
        case .usage: try usage(of: user, at: now)
        }
    }

    /// Does something to a user's state.
    mutating func withCoach<Value>(
        _ user: String,
        _ body: (inout CoachUser, inout ServerEntropy) throws(CoachFault) -> Value
    ) throws(APIFault) -> Value {
        do throws(CoachFault) {
            return try coach.withUser(user, body)
        } catch {
            throw .coach(error)
        }
    }

    // MARK: Reports

    /// `POST /reflection` (AN-08): stores a reflection; the same again changes nothing.
    private mutating func reflection(
        _ request: HTTPRequest,
        of user: String,
        at now: WallTime
    ) throws(APIFault) -> JSON {
        guard let report = ReflectionReport(try body(of: request)) else {
            throw .badRequest(
                "it is no reflection: id (a name of up to 64), day (YYYY-MM-DD), summary, affect, "
                    + "topics (up to 16 texts)"
            )
        }
        let settings = settings.coach
        return try withCoach(user) { user, _ throws(CoachFault) in
            try user.store(report, under: settings, at: now)
            return .object([])
        }
    }

    /// `POST /summary` (AN-05): stores what was talked about without the agent; the same again changes nothing.
    private mutating func summary(
        _ request: HTTPRequest,
        of user: String
    ) throws(APIFault) -> JSON {
        guard let report = SummaryReport(try body(of: request)) else {
            throw .badRequest(
                "it is no summary: id (a name of up to 64), began and ended in seconds, lines (up to "
                    + "\(SummaryReport.entriesMax) numbers), heard (as many texts of up to "
                    + "\(SummaryReport.utteranceBytesMax) bytes)"
            )
        }
        return try withCoach(user) { user, _ throws(CoachFault) in
            try user.store(report)
            return .object([])
        }
    }

    /// `POST /metrics` (AN-09): counts events, each id once.
    ///
    /// Says which ids need not be sent again; one that cannot be counted does not stop the others.
    private mutating func metrics(
        _ request: HTTPRequest,
        of user: String,
        at now: WallTime
    ) throws(APIFault) -> JSON {
        guard case .array(let events)? = try body(of: request)["events"],
            (1...Self.eventsPerRequestMax).contains(events.count)
        else { throw .badRequest("events is no list of 1 to \(Self.eventsPerRequestMax)") }
        let ids = events.compactMap { $0["id"]?.string }.filter { $0.isName(upTo: 64) }
        guard ids.count == events.count else {
            throw .badRequest("an event has no id of up to 64 letters, digits, '-', '_'")
        }
        let settings = settings.coach
        return try withCoach(user) { user, _ throws(CoachFault) in
            var taken: [JSON] = []
            var refused: [JSON] = []
            for (id, json) in zip(ids, events) {
                var why: String? =
                    "it is no event: name, time in seconds, detail of up to 256 bytes"
                if let event = MetricEvent(json) {
                    do throws(CoachFault) {
                        why = try user.count(event, under: settings, at: now)
                    } catch {
                        // What is settled need not wait for the limit.
                        guard !taken.isEmpty || !refused.isEmpty else { throw error }
                        break
                    }
                }
                if let why {
                    refused.append(.object(of: [("id", .string(id)), ("why", .string(why))]))
                } else {
                    taken.append(.string(id))
                }
            }
            return .object(of: [("counted", .array(taken)), ("refused", .array(refused))])
        }
    }

    /// `GET /usage` (AN-20): how much of each allowance is used up.
    private mutating func usage(of user: String, at now: WallTime) throws(APIFault) -> JSON {
        let settings = settings.coach
        return try withCoach(user) { user, _ throws(CoachFault) in
            let counts = UsageKind.allCases.map {
                user.usage(of: $0, under: settings, at: now).json
            }
            return .object(of: [("limits", .array(counts))])
        }
    }

    // MARK: Subscriptions

    /// `POST /entitlement` (AN-13): takes the receipt that the phone has, and gives what is newer of it,
    /// or the one that gives access for longest.
    private mutating func entitlement(
        _ request: HTTPRequest,
        of user: String,
        at now: WallTime
    ) throws(APIFault) -> JSON {
        let verifier = try subscriptionVerifier()
        var has: Subscription?
        if let json = try body(of: request)["subscription"] {
            guard let signed = SignedSubscription(json), let says = verifier.verify(signed) else {
                throw .badRequest("the subscription is not signed by the App Store")
            }
            do throws(CoachFault) {
                try coach.take(signed, saying: says, of: user)
            } catch {
                throw .coach(error)
            }
            has = says
        }
        return try withCoach(user) { user, _ throws(CoachFault) in
            .object(of: [
                ("subscription", user.subscription(for: has)?.json),
                ("time", .integer(now.nanosecondsSince1970)),
            ])
        }
    }

    /// `POST /entitlement/notice`: the App Store tells of a renewal, a failure or a refund (App Store
    /// Server Notifications V2).
    ///
    /// It carries no session: what it says counts if the App Store has signed it, and as often as it
    /// comes the newest counts. It is accepted for unknown subscriptions as well: their phone brings
    /// them.
    private mutating func entitlementNotice(_ request: HTTPRequest) throws(APIFault) -> JSON {
        let verifier = try subscriptionVerifier()
        guard let text = try body(of: request)["signedPayload"]?.string,
            let data = verifier.payload(of: text)?["data"],
            let transaction = data["signedTransactionInfo"]?.string
        else { throw .unauthorized }
        let signed = SignedSubscription(
            transaction: transaction,
            renewalInfo: data["signedRenewalInfo"]?.string
        )
        guard let says = verifier.verify(signed) else { throw .unauthorized }
        coach.takeNotice(signed, saying: says)
        return .object([])
    }

    private func subscriptionVerifier() throws(APIFault) -> SubscriptionVerifier {
        guard let verifier = settings.coach.subscriptions else {
            throw .notConfigured(missing: ["APP_STORE_PUBLIC_KEY"])
        }
        return verifier
    }
}

extension ReflectionReport {
    /// Reads the body of a request; `nil` if it is anything else, or too long.
    fileprivate init?(_ json: JSON) {
        guard let id = json["id"]?.string, id.isName(upTo: 64), let day = json["day"]?.string,
            day.utf8.count == 10, let summary = json["summary"]?.string,
            let affect = json["affect"]?.string, affect.utf8.count <= 64,
            case .array(let array)? = json["topics"], array.count <= 16
        else { return nil }
        let topics = array.compactMap(\.string)
        guard topics.count == array.count else { return nil }
        self.init(id: id, day: day, summary: summary, affect: affect, topics: topics)
    }
}

extension SummaryReport {
    /// Reads the body of a request; `nil` if it is anything else, or too long.
    fileprivate init?(_ json: JSON) {
        guard let id = json["id"]?.string, id.isName(upTo: 64), let began = json["began"]?.integer,
            let ended = json["ended"]?.integer, case .array(let lines)? = json["lines"],
            case .array(let heard)? = json["heard"],
            max(lines.count, heard.count) <= Self.entriesMax
        else { return nil }
        let numbers = lines.compactMap(\.integer).compactMap { Int(exactly: $0) }
        let texts = heard.compactMap(\.string)
        guard numbers.count == lines.count, texts.count == heard.count,
            texts.allSatisfy({ $0.utf8.count <= Self.utteranceBytesMax })
        else { return nil }
        self.init(
            id: id,
            began: WallTime(secondsSince1970: began),
            ended: WallTime(secondsSince1970: ended),
            lines: numbers,
            heard: texts
        )
    }
}

extension MetricEvent {
    /// Reads an element of a request; `nil` if it is anything else.
    fileprivate init?(_ json: JSON) {
        guard let id = json["id"]?.string,
            let name = json["name"]?.string.flatMap(Name.init(rawValue:)),
            let seconds = json["time"]?.integer, let detail = json["detail"]?.string,
            detail.utf8.count <= 256
        else { return nil }
        let time = WallTime(secondsSince1970: seconds)
        self.init(id: id, name: name, time: time, detail: detail)
    }
}
