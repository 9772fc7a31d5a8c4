import AppServer
import SansIO

/// A server with two users: `hana`, who calls, and `mika`, who is called on up to two phones.
struct CallServerBench {
    var bench = ServerBench { $0.displayNames = ["hana": "花子"] }
    let hana: String
    /// The session of the first phone, and of those that sign in with no other.
    let mika: String
    /// The sessions of the other phones: each signs in for itself.
    private var others: [String: String] = [:]

    init(phones: [String] = ["phone-1"]) {
        hana = bench.session(of: "hana")
        mika = bench.session(of: "mika")
        for phone in phones.dropFirst() { others[phone] = bench.session(of: "mika") }
        for phone in phones { register(phone, token: Self.token(of: phone)) }
    }

    /// The session that a phone asks with.
    func bearer(of phone: String) -> String {
        phone == "hana-phone" ? hana : others[phone] ?? mika
    }

    /// The token of a phone: its name in hexadecimal digits.
    static func token(of phone: String) -> String {
        phone.utf8.map { String($0, radix: 16) }.joined()
    }

    @discardableResult
    mutating func register(_ phone: String, token: String, bearer: String? = nil) -> Int {
        let request = HTTPRequest.registerDevice(
            voipDeviceToken: token,
            bundleID: "example.calls",
            platform: "ios",
            deviceID: phone,
            bearer: bearer ?? self.bearer(of: phone)
        )
        return bench.ask(request).statusCode
    }

    mutating func place(_ callID: String = "c-1", to user: String = "mika") -> HTTPResponse {
        bench.ask(
            .placeCall(
                callID: callID,
                to: user,
                hasVideo: false,
                deviceID: "hana-phone",
                bearer: hana
            )
        )
    }

    mutating func status(
        _ phone: String = "phone-1",
        _ callID: String = "c-1",
        bearer: String? = nil
    ) -> String {
        let request = HTTPRequest.callStatus(
            callID: callID,
            deviceID: phone,
            bearer: bearer ?? self.bearer(of: phone)
        )
        let response = bench.ask(request)
        guard let status = CallStatusResponse(json: response.body) else {
            return "\(response.statusCode)"
        }
        return status.reason.map { status.state + " " + $0 } ?? status.state
    }

    mutating func answer(_ phone: String = "phone-1", _ callID: String = "c-1") -> String {
        let request = HTTPRequest.answerCall(
            callID: callID,
            deviceID: phone,
            bearer: bearer(of: phone)
        )
        let response = bench.ask(request)
        if let room = CallRoomResponse(json: response.body) { return room.room }
        return CallEndedResponse(json: response.body)?.reason ?? "\(response.statusCode)"
    }

    @discardableResult
    mutating func end(
        _ reason: String,
        _ phone: String = "phone-1",
        _ callID: String = "c-1"
    ) -> Int {
        let request = HTTPRequest.endCall(
            callID: callID,
            reason: reason,
            deviceID: phone,
            bearer: bearer(of: phone)
        )
        return bench.ask(request).statusCode
    }

    /// What became of a call's push to a phone; one whose token is dead is forgotten.
    mutating func pushFinished(_ phone: String, _ outcome: PushOutcome) {
        let token = Self.token(of: phone)
        if outcome == .unregistered {
            let death = bench.now.advanced(by: .milliseconds(1))
            bench.server.forgetDevice(token: token, deadSince: death)
        }
        bench.server.pushFinished(callId: "c-1", deviceToken: token, outcome, at: bench.now)
    }

    mutating func missed(
        after position: Int64 = 0,
        bearer: String? = nil
    ) -> [MissedCallsResponse.Call] {
        let request = HTTPRequest.missedCalls(
            after: position,
            deviceID: "phone-1",
            bearer: bearer ?? mika
        )
        return MissedCallsResponse(json: bench.ask(request).body)?.calls ?? []
    }
}
