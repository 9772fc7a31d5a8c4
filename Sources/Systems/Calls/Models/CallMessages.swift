import AppServer
import IncomingCalls
import KodamaNetwork
import KodamaPhone
import SansIO
import TextFormats

// The mirror of what `URLSession`, `Codable` and PushKit do between the calling app and its server.

extension CallRequest {
    /// The request as it goes to the app's server.
    func http(_ credentials: CallCredentials) -> HTTPRequest {
        let device = credentials.deviceID
        let bearer = credentials.bearer
        switch self {
        case .registerDevice(let registration):
            return .registerDevice(
                voipDeviceToken: registration.voipDeviceToken.text,
                bundleID: registration.bundleId,
                platform: registration.platform,
                deviceID: device,
                bearer: bearer
            )
        case .unregisterDevice: return .unregisterDevice(deviceID: device, bearer: bearer)
        case .withdrawToken(let token):
            return .withdrawToken(token.text, deviceID: device, bearer: bearer)
        case .place(let call):
            return .placeCall(
                callID: call.callId,
                to: call.contactId,
                hasVideo: call.hasVideo,
                deviceID: device,
                bearer: bearer
            )
        case .status(let id): return .callStatus(callID: id, deviceID: device, bearer: bearer)
        case .offer(let id): return .callOffer(callID: id, deviceID: device, bearer: bearer)
        case .answer(let id): return .answerCall(callID: id, deviceID: device, bearer: bearer)
        case .end(let id, let reason):
            return .endCall(
                callID: id,
                reason: reason.rawValue,
                deviceID: device,
                bearer: bearer
            )
        case .missed(let position):
            return .missedCalls(after: position, deviceID: device, bearer: bearer)
        }
    }
}

extension CallAnswer {
    /// Reads what the server answered to a request.
    init(_ response: HTTPResponse, to request: CallRequest) {
        if response.statusCode == 409, let ended = CallEndedResponse(json: response.body),
            let reason = CallEndReason(rawValue: ended.reason)
        {
            self = .ended(reason)
        } else if response.statusCode == 403,
            FaultResponse(json: response.body)?.isForeignDevice == true
        {
            self = .foreignDevice
        } else if let wait = response.retryAfter {
            self = .busy(wait)
        } else if response.statusCode != 200 {
            self = .refused(statusCode: response.statusCode)
        } else {
            self = Self(body: response.body, to: request) ?? .malformed
        }
    }

    private init?(body: String, to request: CallRequest) {
        switch request {
        case .registerDevice, .unregisterDevice, .withdrawToken, .end: self = .accepted
        case .place:
            guard let response = CallRoomResponse(json: body) else { return nil }
            self = .placed(room: response.room)
        case .answer:
            guard let response = CallRoomResponse(json: body) else { return nil }
            self = .answered(room: response.room)
        case .offer:
            guard let response = CallOfferResponse(json: body) else { return nil }
            self = .offer(CallOffer(room: response.room, hasVideo: response.hasVideo))
        case .status:
            let response = CallStatusResponse(json: body)
            switch response.map({ ($0.state, $0.reason) }) {
            case ("ringing", nil)?: self = .status(.ringing(for: response?.ringsFor))
            case ("answered", nil)?: self = .status(.answered)
            case ("ended", let reason?)?:
                guard let reason = CallEndReason(rawValue: reason) else { return nil }
                self = .status(.ended(reason))
            default: return nil
            }
        case .missed:
            guard let response = MissedCallsResponse(json: body) else { return nil }
            self = .missed(
                response.calls.compactMap { call in
                    CallEndReason(rawValue: call.reason).map {
                        MissedCall(
                            sequence: call.sequence,
                            callId: call.callID,
                            fromUserId: call.fromUserID,
                            fromDisplayName: call.fromDisplayName,
                            endedAt: call.endedAt,
                            reason: $0
                        )
                    }
                }
            )
        }
    }
}

extension PayloadValue {
    /// A payload as PushKit hands it over.
    ///
    /// What is no JSON is an empty payload: the push service does not look inside.
    init(json: String) {
        self = (try? JSONReader.read(json.utf8)).map(Self.init) ?? .dictionary([])
    }

    private init(_ json: JSON) {
        self =
            switch json {
            case .null: .null
            case .bool(let value): .bool(value)
            case .integer(let value): .integer(value)
            case .decimal(let value): .double(value)
            case .string(let value): .string(value)
            case .array(let values): .array(values.map(PayloadValue.init))
            case .object(let members):
                .dictionary(members.map { PayloadMember($0.name, PayloadValue($0.value)) })
            }
    }
}
