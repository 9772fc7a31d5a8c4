import AppServer
import KodamaPhone
import SansIO

/// Until when the service keeps a notification for a device that it cannot reach.
enum PushExpiration: Sendable, Equatable {
    /// It is tried once and not kept (`apns-expiration: 0`).
    case once
    case until(WallTime)

    func isOver(at time: WallTime) -> Bool {
        switch self {
        case .once: false
        case .until(let end): end <= time
        }
    }
}

/// What a request's header fields say, as far as they can be judged without knowing any device
/// (Apple, "Sending notification requests to APNs").
struct PushFields: Sendable, Equatable {
    /// The most bytes of a VoIP push's payload, and of another's (parse-community/node-apn, issue 31).
    static func payloadBytesMax(_ kind: PushKind) -> Int { kind == .voip ? 5_120 : 4_096 }
    /// The most bytes of a collapse identifier.
    static let collapseIDBytesMax = 64

    var deviceToken: String
    var topic: String
    var kind: PushKind
    var collapseID: String?
    /// The expiration; `nil` if there is none: as long as anything is kept.
    var expiration: PushExpiration?
    /// The notification's identity; `nil` if the service is to make one.
    var id: UniqueID?

    /// Reads a request.
    ///
    /// Which of several faults is named first is nowhere published.
    init(_ request: PushRequest) throws(PushReason) {
        func value(_ name: String) throws(PushReason) -> String? {
            let values = request.fields.lazy.filter { $0.name == name }.map(\.value)
            guard values.count <= 1 else { throw .duplicateHeaders }
            return values.first
        }
        guard try value(":method") == "POST" else { throw .methodNotAllowed }
        guard let path = try value(":path"), path.hasPrefix("/3/device/") else { throw .badPath }
        deviceToken = path.dropFirst("/3/device/".count).lowercased()
        id = try Self.id(value("apns-id"))
        topic = try Self.topic(value("apns-topic"))
        kind = try Self.kind(value("apns-push-type"), topic: topic)
        try Self.checkPriority(value("apns-priority"), of: kind)
        expiration = try Self.expiration(value("apns-expiration"))
        collapseID = try value("apns-collapse-id")
        if let collapseID, collapseID.utf8.count > Self.collapseIDBytesMax { throw .badCollapseId }
        guard !deviceToken.isEmpty else { throw .missingDeviceToken }
        guard !request.body.isEmpty else { throw .payloadEmpty }
        guard request.body.utf8.count <= Self.payloadBytesMax(kind) else { throw .payloadTooLarge }
    }

    /// The identifier of the app that a topic belongs to.
    static func bundleID(of topic: String) -> String {
        topic.hasSuffix(".voip") ? String(topic.dropLast(".voip".count)) : topic
    }

    /// Whether a text can be a topic: letters, digits, hyphens and full stops, as in a bundle identifier
    /// (Apple, CFBundleIdentifier).
    static func isTopic(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }

    private static func id(_ text: String?) throws(PushReason) -> UniqueID? {
        guard let text else { return nil }
        guard let id = UniqueID(text) else { throw .badMessageId }
        return id
    }

    private static func topic(_ text: String?) throws(PushReason) -> String {
        guard let text, !text.isEmpty else { throw .missingTopic }
        guard isTopic(text) else { throw .badTopic }
        return text
    }

    /// A VoIP topic wants its push type said (AndrewBarba/apns2, issue 23), and no other than its own
    /// (PyAPNs2, issue 87); elsewhere a missing one is an alert's.
    private static func kind(_ text: String?, topic: String) throws(PushReason) -> PushKind {
        guard let kind = PushKind(rawValue: text ?? "alert"),
            (kind == .voip) == topic.hasSuffix(".voip")
        else { throw .invalidPushType }
        return kind
    }

    /// 10, 5 or 1; a background notification may not be immediate, which is what a missing one means.
    private static func checkPriority(_ text: String?, of kind: PushKind) throws(PushReason) {
        let text = text ?? "10"
        guard ["10", "5", "1"].contains(text), kind != .background || text != "10" else {
            throw .badPriority
        }
    }

    private static func expiration(_ text: String?) throws(PushReason) -> PushExpiration? {
        guard let text else { return nil }
        guard let seconds = Int64(text), seconds >= 0 else { throw .badExpirationDate }
        return seconds == 0 ? .once : .until(WallTime(secondsSince1970: seconds))
    }
}
