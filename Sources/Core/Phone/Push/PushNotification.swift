public import SansIO

/// Names a device to the push service.
@frozen
public struct PushDeviceID: Sendable, Hashable, BitwiseCopyable {
    /// The device's number, whatever the host counts by.
    public var number: UInt32

    /// Names device `number`.
    @inlinable
    public init(number: UInt32) {
        self.number = number
    }
}

/// A notification as a device receives it.
public struct PushNotification: Sendable, Equatable {
    /// The notification's identity (`apns-id`); two deliveries may carry the same one.
    public var id: UniqueID
    /// The app's bundle identifier, with `.voip` behind it for a VoIP push.
    public var topic: String
    /// What the system does with it.
    public var kind: PushKind
    /// Of the notifications that are shown, one replaces another with the same identifier
    /// (`apns-collapse-id`).
    public var collapseID: String?
    /// The payload: JSON, as the provider sent it.
    public var payload: String
    /// When the push service accepted it.
    public var acceptedAt: Instant

    /// Makes a notification.
    public init(
        id: UniqueID,
        topic: String,
        kind: PushKind,
        collapseID: String? = nil,
        payload: String,
        acceptedAt: Instant
    ) {
        self.id = id
        self.topic = topic
        self.kind = kind
        self.collapseID = collapseID
        self.payload = payload
        self.acceptedAt = acceptedAt
    }
}

/// What a device's system does with a notification (`apns-push-type`); the types that wake no calling app
/// are left out.
public enum PushKind: String, Sendable, Hashable, CaseIterable {
    /// It is shown to the user.
    case alert
    /// It wakes the app without the user's knowledge.
    case background
    /// PushKit gives it to the app, which has to report a call.
    case voip
}

/// Why the push service gives up a notification that it had accepted.
public enum PushDiscardReason: String, Sendable, Hashable, CaseIterable {
    /// Its time was over before the device came back.
    case expired
    /// The one notification that is kept for an app on a device is another.
    case superseded
    /// It was to be tried once, and the device is known to be offline.
    case notStored
    /// The app is gone from the device, or no longer has this token.
    case appRemoved
}
