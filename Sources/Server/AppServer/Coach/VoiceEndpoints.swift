import CoachExchange
import Crypto
public import SansIO
import TextFormats

/// How a voice is cloned and deleted (AN-17, AN-04).
extension APIServer {
    /// How many bytes a sealed part has at most.
    private static let partBytesMax = 48_000

    /// `POST /voice/clone-begin`: takes the offer of a recording, and says which parts are missing.
    mutating func cloneBegin(
        _ request: HTTPRequest,
        of user: String,
        at now: WallTime
    ) throws(APIFault) -> JSON {
        guard let offer = CloneOffer(try body(of: request)) else {
            throw .badRequest(
                "it is no offer: profile (a name of up to 64), consentVersion from 1 on, consented in "
                    + "seconds, salt of 16 bytes, parts from 1 to \(SealedAudio.partCountMax)"
            )
        }
        let settings = settings.coach
        return try withCoach(user) { user, _ throws(CoachFault) in
            guard let voice = user.voice(offer.profile, under: settings, at: now) else {
                // One that finds no room costs no allowance.
                guard user.voices.count < CoachUser.voicesMax else { throw .full("voice profiles") }
                try user.use(.voiceClones, under: settings, at: now)
                let new = CoachUser.Voice(offer: offer, began: now, state: .uploading([:]))
                try user.set(new, of: offer.profile)
                return Self.missing(Array(0..<offer.partCount))
            }
            switch voice.state {
            case .deleted: throw .gone
            case .registered(let id): return .object(of: [("voice", .string(id))])
            case .uploading(let parts):
                guard voice.offer == offer else { throw .conflict("the profile has another offer") }
                if parts.isEmpty {
                    try user.set(
                        CoachUser.Voice(offer: offer, began: now, state: voice.state),
                        of: offer.profile
                    )
                }
                return Self.missing((0..<offer.partCount).filter { parts[$0] == nil })
            }
        }
    }

    /// `PUT /voice/clone-part`: takes one sealed part.
    mutating func clonePart(
        _ request: HTTPRequest,
        of user: String,
        at now: WallTime
    ) throws(APIFault) -> JSON {
        let body = try body(of: request)
        let profile = try Self.profile(body["profile"]?.string)
        guard let index = body["index"]?.integer,
            let part = (body["part"]?.string).flatMap({ Base64URL.decode($0[...]) }),
            (SealedAudio.tagByteCount...Self.partBytesMax).contains(part.count)
        else { throw .badRequest("index is no number, or part no Base64 of up to 48,000 bytes") }
        let settings = settings.coach
        return try withCoach(user) { user, _ throws(CoachFault) in
            guard var voice = user.voice(profile, under: settings, at: now) else {
                throw .beginFirst
            }
            switch voice.state {
            case .deleted: throw .gone
            case .registered: return .object([])
            case .uploading(var parts):
                guard let offer = voice.offer, (0..<Int64(offer.partCount)).contains(index) else {
                    throw .rejected("the recording has no part \(index)")
                }
                parts[Int(index)] = part
                voice.state = .uploading(parts)
                try user.set(voice, of: profile)
                return .object([])
            }
        }
    }

    /// `POST /voice/clone-complete`: opens the parts, makes the voice and forgets parts and key.
    mutating func cloneComplete(
        _ request: HTTPRequest,
        of user: String,
        at now: WallTime
    ) throws(APIFault) -> JSON {
        let body = try body(of: request)
        let profile = try Self.profile(body["profile"]?.string)
        guard let bytes = (body["key"]?.string).flatMap({ Base64URL.decode($0[...]) }),
            let key = AudioKey(bytes)
        else { throw .badRequest("key is no Base64 of 32 bytes") }
        let settings = settings.coach
        return try withCoach(user) { user, entropy throws(CoachFault) in
            guard var voice = user.voice(profile, under: settings, at: now),
                let offer = voice.offer
            else {
                if case .deleted? = user.voices[profile]?.state { throw .gone }
                throw .beginFirst
            }
            switch voice.state {
            case .deleted: throw .gone
            case .registered(let id): return .object(of: [("voice", .string(id))])
            case .uploading(let parts):
                let missing = (0..<offer.partCount).filter { parts[$0] == nil }
                guard missing.isEmpty else {
                    throw parts.isEmpty ? .beginFirst : .partsMissing(missing)
                }
                if let why = Self.fault(of: parts, of: offer, key, under: settings) {
                    voice.state = .uploading([:])
                    try user.set(voice, of: profile)
                    throw .rejected(why)
                }
                let id = entropy.name()
                voice.state = .registered(id)
                try user.set(voice, of: profile)
                return .object(of: [("voice", .string(id))])
            }
        }
    }

    /// `DELETE /voice/profile`: deletes a voice for good, also one that was never heard of.
    mutating func deleteVoice(
        _ target: RequestTarget,
        of user: String,
        at now: WallTime
    ) throws(APIFault) -> JSON {
        let profile = try Self.profile(of: target)
        return try withCoach(user) { user, _ throws(CoachFault) in
            try user.set(CoachUser.Voice(began: now, state: .deleted), of: profile)
            return .object([])
        }
    }

    // MARK: Links

    /// `GET /voice/presign-wake`: a link to tomorrow's wake audio in the user's own voice.
    mutating func presignWake(
        _ target: RequestTarget,
        of user: String,
        at now: WallTime
    ) throws(APIFault) -> JSON {
        let profile = try Self.profile(of: target)
        let settings = settings.coach
        let voice = try withCoach(user) { user, _ throws(CoachFault) in
            switch user.voice(profile, under: settings, at: now)?.state {
            case .deleted: throw .gone
            case .registered(let voice):
                try user.use(.wakeLinks, under: settings, at: now)
                return voice
            case .uploading, nil: throw .unknownVoice
            }
        }
        let until = now.advanced(by: settings.linkTimeToLive).secondsSince1970
        let path = "/voice/wake/\(voice)?until=\(until)"
        let code = try linkCode(path, of: user)
        return .object(of: [
            ("url", .string("\(path)&code=\(code)")),
            ("ttl", .integer(settings.linkTimeToLive.components.seconds)),
        ])
    }

    /// Returns the voice that a link opens, for the service that streams the audio.
    ///
    /// - Parameters:
    ///   - link: The link.
    ///   - user: Whose voice it should be.
    ///   - now: The server's clock.
    /// - Returns: The voice; `nil` if the link is no longer good or is not ours, or the voice is deleted.
    public func voice(opened link: String, of user: String, at now: WallTime) -> String? {
        guard let target = RequestTarget(link), target.path.hasPrefix("/voice/wake/"),
            let until = target["until"].first.flatMap({ Int64($0) }),
            now.secondsSince1970 < until, let code = target["code"].first
        else { return nil }
        let voice = String(target.path.dropFirst("/voice/wake/".count))
        guard coach.voices(of: user).contains(voice), let key = try? linkKey(of: user),
            let bytes = Base64URL.decode(code[...]),
            HMAC<SHA256>.isValidAuthenticationCode(
                bytes,
                authenticating: Array("\(target.path)?until=\(until)".utf8),
                using: key
            )
        else { return nil }
        return voice
    }

    private func linkCode(_ path: String, of user: String) throws(APIFault) -> String {
        let key = try linkKey(of: user)
        let code = HMAC<SHA256>.authenticationCode(for: Array(path.utf8), using: key)
        return Base64URL.encode(Array(code))
    }

    /// What a user's links are signed with: derived (RFC 2104), so that no code is good for anything
    /// else.
    private func linkKey(of user: String) throws(APIFault) -> SymmetricKey {
        let secret = try settings.sessionKey()
        let code = HMAC<SHA256>.authenticationCode(
            for: Array("wake link \(user)".utf8),
            using: SymmetricKey(data: Array(secret.utf8))
        )
        return SymmetricKey(data: code)
    }

    // MARK: Reading

    /// Why a recording is good for nothing; `nil` if it is a voice.
    private static func fault(
        of parts: [Int: [UInt8]],
        of offer: CloneOffer,
        _ key: AudioKey,
        under settings: CoachSettings
    ) -> String? {
        let sealed = SealedAudio(
            name: offer.profile,
            salt: offer.salt,
            parts: (0..<offer.partCount).map { parts[$0] ?? [] }
        )
        do throws(SealedAudio.Refusal) {
            let audio = try sealed.open(with: key)
            let least = settings.recordingSeconds.lowerBound * settings.recordingBytesPerSecond
            let most = settings.recordingSeconds.upperBound * settings.recordingBytesPerSecond
            guard (least...most).contains(audio.count) else {
                return "the recording does not last 30 to 60 seconds"
            }
            return nil
        } catch {
            return error.description
        }
    }

    private static func missing(_ parts: [Int]) -> JSON {
        .object(of: [("missing", .array(parts.map { .integer(Int64($0)) }))])
    }

    private static func profile(of target: RequestTarget) throws(APIFault) -> String {
        let said = target["profile"]
        return try profile(said.count == 1 ? said[0] : nil)
    }

    private static func profile(_ said: String?) throws(APIFault) -> String {
        guard let said, said.isName(upTo: 64) else {
            throw .badRequest("profile is no name of up to 64 letters, digits, '-', '_'")
        }
        return said
    }
}

extension CloneOffer {
    /// Reads the body of a request; `nil` if it is anything else, or says nothing of consent.
    fileprivate init?(_ json: JSON) {
        guard let profile = json["profile"]?.string, profile.isName(upTo: 64),
            let version = json["consentVersion"]?.integer, version >= 1,
            let consented = json["consented"]?.integer,
            let salt = (json["salt"]?.string).flatMap({ Base64URL.decode($0[...]) }),
            salt.count == SealedAudio.saltByteCount, let parts = json["parts"]?.integer,
            (1...Int64(SealedAudio.partCountMax)).contains(parts)
        else { return nil }
        self.init(
            profile: profile,
            consentVersion: version,
            consented: WallTime(secondsSince1970: consented),
            salt: salt,
            partCount: Int(parts)
        )
    }
}
