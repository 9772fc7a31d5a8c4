import SansIO
import TextFormats

/// What can be asked about one call: `/api/calls/ID` and below.
struct CallEndpoint: Equatable {
    enum Verb: String {
        case status = ""
        case offer = "/offer"
        case answer = "/answer"
        case end = "/end"

        var method: String {
            switch self {
            case .status, .offer: "GET"
            case .answer, .end: "POST"
            }
        }
    }

    let callId: String
    let verb: Verb

    /// Takes a path apart; `nil` if it is none of a call's.
    init?(path: String) {
        let prefix = Endpoint.calls.rawValue + "/"
        guard path.hasPrefix(prefix) else { return nil }
        let rest = path.dropFirst(prefix.count)
        let callId = String(rest.prefix { $0 != "/" })
        guard callId.isName(upTo: 64),
            let verb = Verb(rawValue: String(rest.dropFirst(callId.count)))
        else { return nil }
        self.callId = callId
        self.verb = verb
    }

    init(_ callId: String, _ verb: Verb) {
        self.callId = callId
        self.verb = verb
    }

    var path: String { Endpoint.calls.rawValue + "/" + callId + verb.rawValue }
}

extension APIServer {
    /// `POST /api/calls` (VP-09): calls somebody, on all their devices.
    ///
    /// The app makes the call's identity, so that asking twice is asking once: only the first asking
    /// pushes.
    mutating func placeCall(_ request: HTTPRequest, at now: WallTime) throws(APIFault) -> JSON {
        let session = try session(of: request, at: now)
        let caller = session.user
        let body = try body(of: request)
        guard let callId = body["callId"]?.string, callId.isName(upTo: 64) else {
            throw .badRequest("callId is not one name of up to 64 letters, digits, '-', '_'")
        }
        guard let callee = (body["toUserId"]?.string).map(UserName.init),
            (1...Self.userBytesMax).contains(callee.text.utf8.count), callee != caller
        else { throw .badRequest("toUserId is not another user of 1 to 128 bytes") }
        guard let hasVideo = (body["hasVideo"] ?? JSON.bool(false)).bool else {
            throw .badRequest("hasVideo is no truth value")
        }
        if let known = calls.call(callId, at: now) {
            guard known.caller == caller else { throw .ended(.failed) }
            if case .ended(let end, _) = known.state { throw .ended(end) }
            guard known.callee == callee else { throw .badRequest("callId names another call") }
            return .object(of: [("room", .string(known.room))])
        }
        try users.count(.call, by: caller, on: session.device, at: now)
        let reachable = devices.devices(of: callee)
        // Of a call to nobody there is nothing to keep.
        guard !reachable.isEmpty || users.contains(callee) else { throw .ended(.unanswered) }
        guard calls.hasRoom(for: caller, at: now) else {
            throw .tooMany(retryAfter: CallBook.ringTime)
        }
        let call = CallRecord(
            callId: callId,
            caller: caller,
            callerName: settings.callerName(of: caller),
            callee: callee,
            room: "call-" + entropy.name(for: "call \(callId)", at: now),
            hasVideo: hasVideo,
            expiresAt: now.advanced(by: CallBook.ringTime)
        )
        calls.keep(call)
        for device in reachable { pushCommands.append(.send(PushOrder(call, to: device))) }
        guard !reachable.isEmpty else {
            calls.end(call, .unanswered, by: nil, at: now)
            throw .ended(.unanswered)
        }
        return .object(of: [("room", .string(call.room))])
    }

    /// Answers what is asked about one call, by its caller or callee.
    mutating func call(
        _ endpoint: CallEndpoint,
        _ request: HTTPRequest,
        at now: WallTime
    ) throws(APIFault) -> JSON {
        let session = try session(of: request, mayHaveEnded: true, at: now)
        let user = session.user
        let device = session.device ?? user.text
        let party = Party(
            user: user,
            device: device,
            isGone: devices.isOver(session.span, of: user, on: device)
        )
        guard let call = calls.call(endpoint.callId, at: now) else {
            guard endpoint.verb == .end else { throw .notFound }
            _ = try endReason(of: request)
            return endUnplaced(endpoint.callId, by: user, at: now)
        }
        guard user == call.caller || user == call.callee else { throw .notFound }
        return switch endpoint.verb {
        case .status: status(of: call, for: party, at: now)
        case .offer: try offer(of: call, for: party)
        case .answer: try answer(call, by: party)
        case .end: try end(call, by: party, request, at: now)
        }
    }

    /// Who asks.
    private struct Party {
        let user: UserName
        let device: String
        /// Whether they have logged out there, or somebody has signed in since.
        let isGone: Bool
    }

    /// Why a call is over for whoever asks; `nil` if it is not.
    private func reason(of call: CallRecord, for party: Party) -> CallEnd? {
        let isCallee = party.user == call.callee
        switch call.state {
        case .ringing:
            // On other devices of the callee's it may ring on.
            return isCallee && party.isGone ? .signedOut : nil
        case .answered(let device):
            return isCallee && device != party.device ? .answeredElsewhere : nil
        case .ended(.declined, let device):
            return isCallee && device != party.device ? .declinedElsewhere : .declined
        case .ended(let end, _):
            return end
        }
    }

    private mutating func status(
        of call: CallRecord,
        for party: Party,
        at now: WallTime
    ) -> JSON {
        if let end = reason(of: call, for: party) {
            return .object(of: [
                ("state", .string("ended")), ("reason", .string(end.rawValue)),
            ])
        }
        // Who asks about a call has had its push: it need not be sent again.
        let isRinging = call.state == .ringing
        if isRinging, party.user == call.callee {
            withdraw(call, from: party.device)
            rings(call, on: party.device)
            // What is left, since the phone's clock may be wrong.
            let left = call.expiresAt.nanosecondsSince1970 - now.nanosecondsSince1970
            return .object(of: [
                ("state", .string("ringing")),
                ("ringsForMilliseconds", .integer(max(0, left / 1_000_000))),
            ])
        }
        return .object(of: [("state", .string(isRinging ? "ringing" : "answered"))])
    }

    private mutating func offer(
        of call: CallRecord,
        for party: Party
    ) throws(APIFault) -> JSON {
        guard party.user == call.callee else { throw .notFound }
        if let end = reason(of: call, for: party) { throw .ended(end) }
        if call.state == .ringing { rings(call, on: party.device) }
        return .object(of: [
            ("room", .string(call.room)), ("hasVideo", .bool(call.hasVideo)),
            ("fromUserId", .string(call.caller.text)),
            ("fromDisplayName", .string(call.callerName)),
        ])
    }

    /// The first device to answer has the call.
    private mutating func answer(
        _ call: CallRecord,
        by party: Party
    ) throws(APIFault) -> JSON {
        guard party.user == call.callee else { throw .notFound }
        if let end = reason(of: call, for: party) { throw .ended(end) }
        var call = call
        call.state = .answered(by: party.device)
        calls.keep(call)
        withdraw(call)
        return .object(of: [("room", .string(call.room))])
    }

    private mutating func end(
        _ call: CallRecord,
        by party: Party,
        _ request: HTTPRequest,
        at now: WallTime
    ) throws(APIFault) -> JSON {
        let reason = try endReason(of: request)
        switch call.state {
        case .ended:
            break
        case .answered(let device):
            guard party.user == call.caller || party.device == device else { break }
            calls.end(call, reason == .failed ? .failed : .hungUp, by: party.device, at: now)
        case .ringing where party.user == call.caller:
            withdraw(call)
            let end: CallEnd = reason == .crossed ? .crossed : .cancelled
            calls.end(call, end, by: party.device, at: now)
        case .ringing where reason == .declined || reason == .crossed || reason == .hungUp:
            withdraw(call)
            // Who hangs up before their answer has come declines.
            let end: CallEnd = reason == .crossed ? .crossed : .declined
            calls.end(call, end, by: party.device, at: now)
        case .ringing:
            unavailable(call, reason, on: party.device, at: now)
        }
        return .object([])
    }

    private func endReason(of request: HTTPRequest) throws(APIFault) -> CallEnd {
        guard let said = try body(of: request)["reason"]?.string,
            let reason = CallEnd(rawValue: said)
        else { throw .badRequest("reason is none of a call's ends") }
        return reason
    }

    /// A caller gave up before the call was placed: should it arrive after all, it is over.
    private mutating func endUnplaced(_ callId: String, by user: UserName, at now: WallTime) -> JSON
    {
        guard calls.hasRoom(for: user, at: now) else { return .object([]) }
        calls.keep(
            CallRecord(
                callId: callId,
                caller: user,
                callerName: user.text,
                callee: user,
                room: "",
                hasVideo: false,
                expiresAt: now,
                state: .ended(.cancelled, by: nil)
            )
        )
        return .object([])
    }

    /// Stops pushing a call, to one device or to all.
    mutating func withdraw(_ call: CallRecord, from device: String? = nil) {
        for known in devices.devices(of: call.callee)
        where device == nil || known.deviceID == device {
            pushCommands.append(.withdraw(callId: call.callId, deviceToken: known.token))
        }
    }

    /// `GET /api/missed-calls?after=N`: what the user missed, a page at a time.
    mutating func missedCalls(
        _ request: HTTPRequest,
        _ target: RequestTarget,
        at now: WallTime
    ) throws(APIFault) -> JSON {
        let user = try session(of: request, at: now).user
        guard let said = target["after"].first, let position = Int64(said), position >= 0 else {
            throw .badRequest("after is no whole number from 0")
        }
        let page = calls.missed(by: user, after: position, at: now)
        return .object(of: [("calls", .array(page.map(\.json)))])
    }
}
