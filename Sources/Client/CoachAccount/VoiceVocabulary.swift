public import CoachExchange
import SansIO

/// How far a voice profile has come, as the store keeps it: what a launch goes on from (AN-17).
public enum VoiceProgress: Sendable, Equatable {
    /// There is no profile.
    case none
    /// A recording is sealed on this phone and not registered yet.
    case sealed(CloneOffer)
    /// The server has a voice for the profile.
    case registered(profile: String, voice: String)
    /// The user has deleted it; the server has not confirmed that yet.
    case deleting(profile: String)

    /// The profile's id.
    public var profile: String? {
        switch self {
        case .none: nil
        case .sealed(let offer): offer.profile
        case .registered(let profile, _), .deleting(let profile): profile
        }
    }
}

/// How a recording has to be.
public struct RecordingRules: Sendable, Equatable {
    /// How many bytes a second takes: 32,000, which is 16 kHz with 16 bits; an assumption.
    public var bytesPerSecond = 32_000
    /// How many seconds it has at least: 30 (AN-17).
    public var secondsMin = 30
    /// How many seconds it has at most: 60 (AN-17).
    public var secondsMax = 60
    /// How many bytes of it a part holds: 32,000, which a request carries; an assumption.
    public var partByteCount = 32_000

    /// The default figures.
    public init() {}

    /// Why a recording is not taken; `nil` if it is.
    func refusal(of audio: [UInt8]) -> VoiceRefusal? {
        if audio.count < secondsMin * bytesPerSecond { return .tooShort }
        if audio.count > secondsMax * bytesPerSecond { return .tooLong }
        return nil
    }
}

/// What a new voice profile is made from: fresh bytes of the system's generator, used once.
///
/// Its description hides it.
public struct VoiceEntropy: Sendable, Equatable, CustomStringConvertible {
    /// How many bytes it takes.
    public static let byteCount = 96

    let recordingKey: AudioKey
    let voiceKey: AudioKey
    let salt: [UInt8]
    let profile: String

    /// Takes the bytes apart; `nil` if there are not 96.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount, let recordingKey = AudioKey(Array(bytes[..<32])),
            let voiceKey = AudioKey(Array(bytes[32..<64]))
        else { return nil }
        self.recordingKey = recordingKey
        self.voiceKey = voiceKey
        salt = Array(bytes[64..<80])
        func half(_ range: Range<Int>) -> UInt64 {
            bytes[range].reduce(0) { $0 << 8 | UInt64($1) }
        }
        profile = UniqueID(high: half(80..<88), low: half(88..<96)).text
    }

    /// Says what this is and keeps the secret.
    public var description: String { "VoiceEntropy(secret)" }
}

/// Why there is no clone, for people to read.
public enum VoiceRefusal: Sendable, Equatable, CustomStringConvertible {
    /// No consent was given.
    case noConsent
    /// The recording is too short.
    case tooShort
    /// The recording is too long.
    case tooLong
    /// The phone could not keep the key or the sealed recording.
    case notKept
    /// The sealed recording is gone or damaged.
    case recordingDamaged
    /// The server rejected it, and says why.
    case rejected(String)

    /// What is wrong and what helps, in one sentence.
    public var description: String {
        switch self {
        case .noConsent: "a voice is cloned only with its owner's consent"
        case .tooShort: "the recording is too short; speak for 30 to 60 seconds"
        case .tooLong: "the recording is too long; speak for 30 to 60 seconds"
        case .notKept: "the recording could not be kept on this phone; free some space, try again"
        case .recordingDamaged: "the recording on this phone is damaged; record it again"
        case .rejected(let why): "the recording was not taken: \(why); record it again"
        }
    }
}

/// How the voice profile stands, as an app shows it.
public enum VoiceStatus: Sendable, Equatable {
    /// There is none; why the last try came to nothing, if it did.
    case none(VoiceRefusal?)
    /// The recording is being kept on this phone.
    case keeping
    /// The upload is under way: `sent` of its parts are at the server.
    case uploading(sent: Int, of: Int)
    /// The user has made as many as is allowed; it goes on when the limit is reset.
    case limited(UsageCount)
    /// It goes on when the user has signed in.
    case signInRequired
    /// The clone can be used.
    case registered
    /// It is deleted; nothing on this phone opens it any more.
    case deleting
}

/// What secure storage and the disk say to a read of the sealed recording.
public enum RecordingAnswer: Sendable, Equatable {
    /// The key and the sealed file.
    case found(key: [UInt8], file: [UInt8])
    /// One of them is not there.
    case missing
    /// Not now: the phone was not unlocked since it started.
    case unavailable
}
