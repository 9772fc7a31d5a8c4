public import SansIO

/// A recording that is offered for a clone (AN-17).
public struct CloneOffer: Sendable, Equatable {
    /// The voice profile's id, drawn for this recording: the offer may come again and counts once.
    public var profile: String
    /// The version of the text that the user consented to.
    public var consentVersion: Int64
    /// When the user consented; whole seconds count.
    public var consented: WallTime
    /// The salt of the sealed recording.
    public var salt: [UInt8]
    /// How many parts it has.
    public var partCount: Int

    /// Makes an offer.
    public init(
        profile: String,
        consentVersion: Int64,
        consented: WallTime,
        salt: [UInt8],
        partCount: Int
    ) {
        self.profile = profile
        self.consentVersion = consentVersion
        self.consented = consented
        self.salt = salt
        self.partCount = partCount
    }
}

/// A request of the coach to the apps' own server; each may come again and counts once.
public enum CoachRequest: Sendable, Equatable {
    /// `POST /reflection`.
    case reflection(ReflectionReport)
    /// `POST /summary`.
    case summary(SummaryReport)
    /// `POST /metrics`.
    case metrics([MetricEvent])
    /// `POST /voice/clone-begin`: the answer says which parts the server lacks.
    case cloneBegin(CloneOffer)
    /// `PUT /voice/clone-part`: one sealed part.
    case clonePart(profile: String, index: Int, [UInt8])
    /// `POST /voice/clone-complete`: hands over the key that opens the parts.
    case cloneComplete(profile: String, key: AudioKey)
    /// `DELETE /voice/profile`: the voice is gone for good, also if its recording arrives later.
    case deleteVoice(profile: String)
    /// `GET /voice/presign-wake`: a link to tomorrow's wake audio in this voice.
    case presignWake(profile: String)
    /// `POST /entitlement`: the receipt, and the question for a newer one.
    case entitlement(SignedSubscription?)
    /// `GET /usage`.
    case usage
}

/// How the server answered.
public enum CoachAnswer: Sendable, Equatable {
    /// 200 to a reflection, a summary, a part or a deletion.
    case accepted
    /// 200 to events: these need not be sent again.
    case counted([String], refused: [RefusedEvent])
    /// 200 to an offer: the parts that the server lacks, in order.
    case uploading(missing: [Int])
    /// 200 to a completion or, to an offer that comes again, that it is complete: the voice's id.
    case registered(voice: String)
    /// 200 to a request for a link.
    case link(url: String, timeToLive: Duration)
    /// 200 to a receipt: the newest that the server knows, and its clock.
    case entitlement(SignedSubscription?, time: WallTime)
    /// 200 to a question for the limits.
    case usage([UsageCount])
    /// 409: parts are missing.
    case partsMissing([Int])
    /// 409: the server knows of no such upload, and takes the offer again.
    case beginFirst
    /// 410: the profile was deleted, and stays so.
    case gone
    /// 429: a limit is reached.
    case limited(UsageCount)
    /// 429 without a limit, or 503: the next request is taken after this time (`Retry-After`).
    case busy(RetryAfter)
    /// 400, 403, 404, 409, 413: this request will never be taken; says why.
    case rejected(String)
    /// 401: the session is not valid any more.
    case unauthorized
    /// Any other status.
    case refused(statusCode: Int)
    /// 200 with a body that is not what was asked for.
    case malformed
    /// No answer: no network, a time-out or a broken connection.
    case failed
}
