import Models
import RealtimeVoice

// How what befalls a session reads in sentences.

extension SessionStage {
    /// What the app tells its user, if that is worth a sentence.
    var sentence: String? {
        switch self {
        case .couldNotConnect: "the app says that it could not connect, and goes on trying"
        case .tokenFailed: "the app says that it has no token"
        case .signedOut: "the app asks the user to sign in"
        case .microphoneRefused: "the app may not use the microphone"
        case .engineFailed: "the voice engine cannot be started"
        case .deviceIdentityFailed: "the device's identity cannot be had"
        case .takenOver: "the app says that the conversation was taken over, and stops"
        case .audioTaken: "the app says that a call or another app has the audio"
        case .disconnected: "the app says that it is disconnected"
        default: nil
        }
    }
}

extension TraceWord<DetectionCause> {
    /// How the app noticed that its connection is lost.
    var sentence: String {
        switch value {
        case .signalClosed: "its signal connection was closed"
        case .signalPingTimeout: "its pings stay unanswered"
        case .transport: "its media transport is disconnected"
        case .serverLeave: "the server tells it to leave"
        case nil: spoken
        }
    }
}

extension AttemptFailure {
    /// Why an attempt failed.
    var sentence: String {
        switch self {
        case .offline: "there is no network"
        case .socketTimeout: "the socket does not open in time"
        case .joinTimeout: "the socket opens, but the server says nothing in time"
        case .refused: "the server refuses"
        case .serverLeave: "the server tells it to leave and join anew"
        case .socketBroken: "the socket breaks"
        case .transportTimeout: "media does not connect in time"
        case .cancelled: "the app gives it up"
        }
    }

    /// Whether the attempt waited until a time was over.
    var isTimeout: Bool {
        switch self {
        case .socketTimeout, .joinTimeout, .transportTimeout: true
        case .offline, .refused, .serverLeave, .socketBroken, .cancelled: false
        }
    }
}

extension TraceWord<TokenFailure> {
    /// Why a request brought no token.
    var sentence: String {
        switch value {
        case .malformed: "the answer cannot be read"
        case .connectionLost: "the connection breaks"
        case .timedOut: "no answer comes in time"
        case .offline: "there is no network"
        case nil: "HTTP \(number)"
        }
    }
}

extension ReconnectPart {
    /// What the time went into, longest first, to follow a sentence; nothing if it was no time.
    ///
    /// - Parameters:
    ///   - parts: The time of each part, by its raw value.
    ///   - what: What the whole time is called.
    static func sentence(_ parts: [Int64], _ what: String) -> String {
        let shares = allCases.map { (part: $0, time: parts[$0.rawValue]) }
            .filter { $0.time >= 1_000_000 }
            .sorted { $0.time > $1.time }
        guard !shares.isEmpty else { return "" }
        guard shares.map(\.part) != [.selfHealed] else { return "; the connection had stayed up" }
        let list = shares.map { "\($0.time.lengthText) \($0.part.spoken)" }
        return "; \(what): " + list.joined(separator: ", ")
    }

    /// What the time went into, after a length of time.
    private var spoken: String {
        switch self {
        case .detection: "until it was noticed"
        case .waiting: "waiting between attempts"
        case .failedQuick: "in attempts to resume that failed"
        case .failedFull: "in attempts to connect anew that failed"
        case .failedConnect: "in connects that failed"
        case .token: "for a token"
        case .signalling: "for signalling"
        case .media: "until media was connected"
        case .audible: "until the first voice was heard"
        case .selfHealed: "in which nothing was done"
        }
    }
}
