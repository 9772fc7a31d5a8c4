public import SansIO
import TextFormats

extension AccessToken {
    /// What a token says, without its issuer: the key it is signed with.
    public struct Claims: Sendable, Equatable {
        /// Who may join (`sub`).
        public var identity: String
        /// How others see them.
        public var name: String?
        /// From when on it is valid (`nbf`); whole seconds count.
        public var notBefore: WallTime
        /// Until when it is valid (`exp`); whole seconds count.
        public var expires: WallTime
        /// When it was made (`iat`); some of LiveKit's SDKs leave it out.
        public var issuedAt: WallTime?
        /// What it allows.
        public var video: VideoGrant

        /// Makes claims.
        public init(
            identity: String,
            name: String? = nil,
            notBefore: WallTime,
            expires: WallTime,
            issuedAt: WallTime? = nil,
            video: VideoGrant
        ) {
            self.identity = identity
            self.name = name
            self.notBefore = notBefore
            self.expires = expires
            self.issuedAt = issuedAt
            self.video = video
        }

        /// Lets `identity` join `room` from `now` on.
        public init(identity: String, joining room: String, at now: WallTime, for life: Duration) {
            let second = WallTime(secondsSince1970: now.secondsSince1970)
            self.init(
                identity: identity,
                notBefore: second,
                expires: second.advanced(by: life),
                issuedAt: second,
                video: VideoGrant(joining: room)
            )
        }
    }

    /// What a token allows in rooms; `nil` leaves a permission at LiveKit's default, which is yes.
    public struct VideoGrant: Sendable, Equatable {
        /// Whether a room may be joined.
        public var roomJoin: Bool
        /// Which one.
        public var room: String?
        /// Whether tracks may be published.
        public var canPublish: Bool?
        /// Whether others' tracks may be subscribed to.
        public var canSubscribe: Bool?
        /// Whether data may be published.
        public var canPublishData: Bool?

        /// Allows nothing.
        public init() {
            roomJoin = false
        }

        /// Lets somebody join `room` with every permission.
        public init(joining room: String) {
            roomJoin = true
            self.room = room
        }
    }
}

extension AccessToken.Claims {
    func json(issuer: String) -> JSON {
        .object(of: [
            ("iss", .string(issuer)),
            ("sub", .string(identity)),
            ("iat", issuedAt.map { .integer($0.secondsSince1970) }),
            ("nbf", .integer(notBefore.secondsSince1970)),
            ("exp", .integer(expires.secondsSince1970)),
            ("name", name.map(JSON.string)),
            ("video", video.json),
        ])
    }

    /// Reads claims; what is unknown is passed over, what is known must have its type.
    init(_ json: JSON) throws(AccessToken.Refusal) {
        guard let identity = json["sub"]?.string,
            let expires = json["exp"].flatMap(WallTime.init(numericDate:))
        else { throw .malformed }
        self.identity = identity
        self.expires = expires
        name = try json.claim("name", \.string)
        // Absent, a time sets no bound.
        notBefore =
            try json.claim("nbf", WallTime.init(numericDate:))
            ?? WallTime(nanosecondsSince1970: 0)
        issuedAt = try json.claim("iat", WallTime.init(numericDate:))
        video = try AccessToken.VideoGrant(json["video"] ?? .object([]))
    }
}

extension AccessToken.VideoGrant {
    var json: JSON {
        .object(of: [
            ("roomJoin", .bool(roomJoin)),
            ("room", room.map(JSON.string)),
            ("canPublish", canPublish.map(JSON.bool)),
            ("canSubscribe", canSubscribe.map(JSON.bool)),
            ("canPublishData", canPublishData.map(JSON.bool)),
        ])
    }

    init(_ json: JSON) throws(AccessToken.Refusal) {
        guard case .object = json else { throw .malformed }
        roomJoin = try json.claim("roomJoin", \.bool) ?? false
        room = try json.claim("room", \.string)
        canPublish = try json.claim("canPublish", \.bool)
        canSubscribe = try json.claim("canSubscribe", \.bool)
        canPublishData = try json.claim("canPublishData", \.bool)
    }
}

extension JSON {
    /// A member that may be missing, but not be of another type.
    fileprivate func claim<Value>(
        _ name: String,
        _ read: (JSON) -> Value?
    ) throws(AccessToken.Refusal) -> Value? {
        guard let json = self[name] else { return nil }
        guard let value = read(json) else { throw .malformed }
        return value
    }
}

extension WallTime {
    /// A JWT's NumericDate (RFC 7519 §2); parts of a second are cut.
    init?(numericDate json: JSON) {
        switch json {
        case .integer(let seconds):
            self.init(secondsSince1970: seconds)
        case .decimal(let seconds):
            guard let whole = Int64(exactly: seconds.rounded(.towardZero)) else { return nil }
            self.init(secondsSince1970: whole)
        case .null, .bool, .string, .array, .object:
            return nil
        }
    }
}
