public import AppServer

/// The reasons that the push service gives for a refusal (Apple, "Handling notification responses from
/// APNs"); those of certificates and of other push types are left out.
public enum PushReason: String, Error, Sendable, Hashable, CaseIterable {
    /// The collapse identifier is longer than 64 bytes.
    case badCollapseId = "BadCollapseId"
    /// The device token is none, or one of another environment.
    case badDeviceToken = "BadDeviceToken"
    /// The expiration is no time.
    case badExpirationDate = "BadExpirationDate"
    /// The notification's identifier is no UUID.
    case badMessageId = "BadMessageId"
    /// The priority is none, or not one for the push type.
    case badPriority = "BadPriority"
    /// The topic is none.
    case badTopic = "BadTopic"
    /// The device token was issued for another topic.
    case deviceTokenNotForTopic = "DeviceTokenNotForTopic"
    /// A header field came twice.
    case duplicateHeaders = "DuplicateHeaders"
    /// The connection was idle for too long.
    case idleTimeout = "IdleTimeout"
    /// The push type is none, or not the topic's.
    case invalidPushType = "InvalidPushType"
    /// The path has no device token.
    case missingDeviceToken = "MissingDeviceToken"
    /// There is no topic.
    case missingTopic = "MissingTopic"
    /// There is no payload.
    case payloadEmpty = "PayloadEmpty"
    /// The provider token is older than an hour.
    case expiredProviderToken = "ExpiredProviderToken"
    /// The provider token is not valid.
    case invalidProviderToken = "InvalidProviderToken"
    /// There is no provider token.
    case missingProviderToken = "MissingProviderToken"
    /// The path is not a device's.
    case badPath = "BadPath"
    /// The method is not POST.
    case methodNotAllowed = "MethodNotAllowed"
    /// The device token was replaced.
    case expiredToken = "ExpiredToken"
    /// The device token's app is gone.
    case unregistered = "Unregistered"
    /// The payload is longer than its push type allows.
    case payloadTooLarge = "PayloadTooLarge"
    /// The provider token was renewed too often.
    case tooManyProviderTokenUpdates = "TooManyProviderTokenUpdates"
    /// One device got too many requests.
    case tooManyRequests = "TooManyRequests"
    /// Something is wrong inside.
    case internalServerError = "InternalServerError"
    /// The service cannot take more.
    case serviceUnavailable = "ServiceUnavailable"
    /// The host is going down.
    case shutdown = "Shutdown"

    /// The HTTP status that comes with it.
    public var statusCode: Int {
        switch self {
        case .badCollapseId, .badDeviceToken, .badExpirationDate, .badMessageId, .badPriority,
            .badTopic, .deviceTokenNotForTopic, .duplicateHeaders, .idleTimeout, .invalidPushType,
            .missingDeviceToken, .missingTopic, .payloadEmpty:
            400
        case .expiredProviderToken, .invalidProviderToken, .missingProviderToken: 403
        case .badPath: 404
        case .methodNotAllowed: 405
        case .expiredToken, .unregistered: 410
        case .payloadTooLarge: 413
        case .tooManyProviderTokenUpdates, .tooManyRequests: 429
        case .internalServerError: 500
        case .serviceUnavailable, .shutdown: 503
        }
    }

    /// The whole answer, for reasons that come without a time.
    public var response: PushResponse { PushResponse(statusCode: statusCode, reason: rawValue) }
}
