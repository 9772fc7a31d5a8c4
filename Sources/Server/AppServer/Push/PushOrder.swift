public import SansIO
import TextFormats

/// What the server asks of its push provider.
public enum PushCommand: Sendable, Equatable {
    /// A push is to be sent.
    case send(PushOrder)
    /// It need not be sent again: the call is over, or the device knows of it.
    case withdraw(callId: String, deviceToken: String)
}

/// A VoIP push that announces a call to one device (VP-01, VP-07).
public struct PushOrder: Sendable, Equatable {
    /// The call's identity.
    public var callId: String
    /// The user who calls: what waits is bounded for each.
    public var caller: String
    /// The device's token, in lower-case hexadecimal digits.
    public var deviceToken: String
    /// The topic: the app's bundle identifier and `.voip`.
    public var topic: String
    /// Until when the push service keeps it for a device that it cannot reach: as long as the call rings.
    public var expiresAt: WallTime
    /// The payload, JSON of at most 5,120 bytes.
    public var payload: String

    /// Makes an order.
    public init(
        callId: String,
        caller: String = "",
        deviceToken: String,
        topic: String,
        expiresAt: WallTime,
        payload: String
    ) {
        self.callId = callId
        self.caller = caller
        self.deviceToken = deviceToken
        self.topic = topic
        self.expiresAt = expiresAt
        self.payload = payload
    }

    init(_ call: CallRecord, to device: DeviceRegistry.Device) {
        let payload = JSON.object(of: [
            ("aps", .object(of: [("content-available", .integer(1))])),
            ("type", .string("call.incoming")),
            ("callId", .string(call.callId)),
            ("fromUserId", .string(call.caller.text)),
            ("fromDisplayName", .string(call.callerName)),
            ("room", .string(call.room)),
            ("hasVideo", .bool(call.hasVideo)),
            ("expiresAt", .integer(call.expiresAt.secondsSince1970)),
        ])
        self.init(
            callId: call.callId,
            caller: call.caller.text,
            deviceToken: device.token,
            topic: device.bundleID + ".voip",
            expiresAt: call.expiresAt,
            payload: payload.text
        )
    }

    /// The request's header fields but for the provider token's (Apple, "Sending notification requests to
    /// APNs").
    ///
    /// - Parameter id: The notification's identity; the same however often it is sent.
    /// - Returns: The fields in the order in which HTTP/2 wants them: the pseudo-header fields first.
    public func headers(id: UniqueID) -> [HTTPField] {
        [
            HTTPField(":method", "POST"),
            HTTPField(":path", "/3/device/" + deviceToken),
            HTTPField("apns-id", id.text.lowercased()),
            HTTPField("apns-topic", topic),
            HTTPField("apns-push-type", "voip"),
            HTTPField("apns-priority", "10"),
            HTTPField("apns-expiration", "\(expiresAt.secondsSince1970)"),
            HTTPField("apns-collapse-id", callId),
        ]
    }
}
