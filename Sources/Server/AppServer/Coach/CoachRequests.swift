public import CoachExchange
import SansIO
import TextFormats

extension HTTPRequest {
    /// A request of the coach: what a binding makes of the client's order.
    public static func coach(_ request: CoachRequest, bearer: String) -> HTTPRequest {
        let (endpoint, query, body) = parts(of: request)
        var headers = [HTTPField("Authorization", "Bearer " + bearer)]
        if body != nil { headers.append(HTTPField("Content-Type", "application/json")) }
        return HTTPRequest(
            method: endpoint.method,
            target: endpoint.rawValue + query,
            headers: headers,
            body: body?.text ?? ""
        )
    }

    /// A notice of the App Store.
    public static func entitlementNotice(signedPayload: String) -> HTTPRequest {
        HTTPRequest(
            method: CoachEndpoint.entitlementNotice.method,
            target: CoachEndpoint.entitlementNotice.rawValue,
            headers: [HTTPField("Content-Type", "application/json")],
            body: JSON.object(of: [("signedPayload", .string(signedPayload))]).text
        )
    }

    private static func parts(of request: CoachRequest) -> (CoachEndpoint, String, JSON?) {
        func query(_ profile: String) -> String { "?profile=" + RequestTarget.encode(profile) }
        switch request {
        case .reflection(let report): return (.reflection, "", report.json)
        case .summary(let report): return (.summary, "", report.json)
        case .metrics(let events):
            let body = JSON.object(of: [("events", .array(events.map(\.json)))])
            return (.metrics, "", body)
        case .cloneBegin(let offer): return (.cloneBegin, "", offer.json)
        case .clonePart(let profile, let index, let part):
            let body = JSON.object(of: [
                ("profile", .string(profile)), ("index", .integer(Int64(index))),
                ("part", .string(Base64URL.encode(part))),
            ])
            return (.clonePart, "", body)
        case .cloneComplete(let profile, let key):
            let body = JSON.object(of: [
                ("profile", .string(profile)), ("key", .string(Base64URL.encode(key.bytes))),
            ])
            return (.cloneComplete, "", body)
        case .deleteVoice(let profile): return (.voice, query(profile), nil)
        case .presignWake(let profile): return (.presignWake, query(profile), nil)
        case .entitlement(let signed):
            return (.entitlement, "", .object(of: [("subscription", signed?.json)]))
        case .usage: return (.usage, "", nil)
        }
    }
}

extension CloneOffer {
    fileprivate var json: JSON {
        .object(of: [
            ("profile", .string(profile)), ("consentVersion", .integer(consentVersion)),
            ("consented", .integer(consented.secondsSince1970)),
            ("salt", .string(Base64URL.encode(salt))), ("parts", .integer(Int64(partCount))),
        ])
    }
}

extension CoachAnswer {
    /// What a response says to a request.
    public init(_ response: HTTPResponse, to request: CoachRequest) {
        let json = try? JSONReader.read(response.body.utf8)
        switch response.statusCode {
        case 200: self = json.flatMap { Self.accepted($0, request) } ?? .malformed
        case 401: self = .unauthorized
        case 410: self = .gone
        case 429:
            let count = json?["limit"].flatMap { UsageCount($0) }
            self =
                count.map(CoachAnswer.limited)
                ?? response.retryAfter.map(CoachAnswer.busy) ?? .refused(statusCode: 429)
        case 409 where json?["error"]?.string == "begin_first": self = .beginFirst
        case 409 where json?["error"]?.string == "parts_missing":
            self = .partsMissing(json?.numbers("missing") ?? [])
        case 400, 403, 404, 409, 413:
            // Not a page of somebody in between.
            guard let error = json?["error"]?.string else {
                self = .refused(statusCode: response.statusCode)
                return
            }
            self = .rejected(json?["message"]?.string ?? error)
        default:
            let statusCode = response.statusCode
            self = response.retryAfter.map(CoachAnswer.busy) ?? .refused(statusCode: statusCode)
        }
    }

    private static func accepted(_ json: JSON, _ request: CoachRequest) -> CoachAnswer? {
        switch request {
        case .reflection, .summary, .clonePart, .deleteVoice: return .accepted
        case .metrics:
            guard case .array(let taken)? = json["counted"],
                case .array(let refused)? = json["refused"]
            else { return nil }
            return .counted(
                taken.compactMap(\.string),
                refused: refused.compactMap { entry in
                    guard let id = entry["id"]?.string, let why = entry["why"]?.string else {
                        return nil
                    }
                    return RefusedEvent(id: id, why: why)
                }
            )
        case .cloneBegin, .cloneComplete:
            if let voice = json["voice"]?.string, !voice.isEmpty {
                return .registered(voice: voice)
            }
            return json.numbers("missing").map(CoachAnswer.uploading)
        case .presignWake:
            guard let url = json["url"]?.string, let seconds = json["ttl"]?.integer,
                (1...315_360_000).contains(seconds)
            else { return nil }
            return .link(url: url, timeToLive: .seconds(seconds))
        case .entitlement:
            guard let time = json["time"]?.integer else { return nil }
            let signed = json["subscription"].map { SignedSubscription($0) }
            // Something that is there and is no subscription is no answer.
            if case .some(.none) = signed { return nil }
            let now = WallTime(nanosecondsSince1970: time)
            return .entitlement(signed ?? nil, time: now)
        case .usage:
            guard case .array(let limits)? = json["limits"] else { return nil }
            return .usage(limits.compactMap { UsageCount($0) })
        }
    }
}

extension JSON {
    /// The member of a name, a list of whole numbers from 0 on.
    fileprivate func numbers(_ name: String) -> [Int]? {
        guard case .array(let array)? = self[name] else { return nil }
        let numbers = array.compactMap(\.integer).compactMap { Int(exactly: $0) }
        return numbers.count == array.count && numbers.allSatisfy { $0 >= 0 } ? numbers : nil
    }
}
