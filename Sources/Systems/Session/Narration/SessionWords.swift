import KodamaEvidence
import KodamaNetwork
import KodamaPhone
import RealtimeVoice

// How what befalls a session reads in sentences.

extension TraceWord<UserAct> {
    /// What a user did who wants to be heard again, after "after"; `nil` for anything else.
    var resumption: String? {
        switch self {
        case .openApp, .tapNotification: "the user came back"
        case .phoneCallEnds, .phoneCallHungUp: "the phone call ended"
        case .declinePhoneCall: "the phone call was declined"
        case .stopAlarm: "the alarm was stopped"
        case .closeControlCentre: "Control Centre was put away"
        case .connect: "the user asked for the conversation"
        case .signIn: "the user signed in"
        default: nil
        }
    }
}

extension SessionStage {
    /// What an app tells its user, if that is worth a sentence.
    func sentence(_ app: String) -> String? {
        switch self {
        case .couldNotConnect: "\(app) says that it could not connect, and goes on trying"
        case .tokenFailed: "\(app) says that it has no token"
        case .signedOut: "\(app) asks the user to sign in"
        case .microphoneRefused: "\(app) says that it may not use the microphone"
        case .engineFailed: "\(app) says that the voice engine does not start"
        case .deviceIdentityFailed: "\(app) says that it cannot get the device's identity"
        case .takenOver: "\(app) says that the conversation was taken over, and stops"
        case .audioTaken: "\(app) says that a call or another app has the audio"
        case .disconnected: "\(app) says that it is disconnected"
        default: nil
        }
    }
}

extension SessionStage {
    /// Whether nothing goes on before the user asks anew.
    var isFinal: Bool {
        switch self {
        case .disconnected, .deviceIdentityFailed, .microphoneRefused, .takenOver: true
        case .preparingDevice, .signedOut, .askingForMicrophone, .startingEngine, .engineFailed,
            .fetchingToken, .tokenFailed, .connecting, .connected, .reconnecting, .reconnected,
            .couldNotConnect, .audioTaken:
            false
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
        case .appOrder: "its signalling may be dead"
        case nil: spoken
        }
    }
}

extension RoomError {
    /// Why a room object ended.
    var sentence: String {
        switch self {
        case .validation: "the server refuses the token"
        case .serviceNotFound: "the server knows no such room"
        case .network: "the network fails"
        case .timedOut: "a step takes too long"
        case .invalidState: "its state does not allow what was ordered"
        case .duplicateIdentity: "somebody else joined with its identity"
        case .serverShutdown: "the server shuts down"
        case .participantRemoved: "its participant was removed"
        case .roomDeleted: "the room was deleted"
        case .stateMismatch: "the server has no such participant"
        case .joinFailure: "the join did not complete"
        case .serverPingTimedOut: "its pings stay unanswered"
        case .unknown: "the server's reason is none that it knows"
        case .cancelled: "the app gave it up"
        case .refused: "the server's host refuses the connection"
        }
    }
}

extension TraceWord<DisconnectReason> {
    /// Why a participant or an agent is gone, to follow a sentence; nothing if no reason was given.
    var clause: String {
        switch value {
        case .unknownReason: ""
        case .clientInitiated: ": the app left it"
        case .duplicateIdentity: ": somebody joined with the same identity"
        case .serverShutdown: ": the server shuts down"
        case .participantRemoved: ": the participant was removed"
        case .roomDeleted: ": the room was deleted"
        case .stateMismatch: ": client and server disagree about it"
        case .joinFailure: ": the join did not complete"
        case .migration: ": it moves to another server"
        case .signalClose: ": its signal connection was closed"
        case .roomClosed: ": the room was closed"
        case .userUnavailable: ": the user is unavailable"
        case .userRejected: ": the user rejected it"
        case .sipTrunkFailure: ": the telephone line fails"
        case .connectionTimeout: ": nothing came from it in time"
        case nil: ": \(spoken)"
        }
    }
}

extension AttemptFailure {
    /// Why an attempt of an app failed.
    func sentence(_ app: String) -> String {
        switch self {
        case .offline: "there is no network"
        case .socketTimeout: "the socket does not open in time"
        case .joinTimeout: "the socket opens, but the server says nothing in time"
        case .refused: "the server refuses"
        case .serverLeave: "the server tells it to leave and join anew"
        case .socketBroken: "the socket breaks"
        case .transportTimeout: "media does not connect in time"
        case .cancelled: "\(app) gives it up"
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
    ///   - stayedUp: Whether no attempt began since the voice stopped.
    /// - Returns: The clause, which begins with a semicolon, or nothing.
    static func sentence(_ parts: [Int64], _ what: String, stayedUp: Bool) -> String {
        let shares = allCases.map { (part: $0, time: parts[$0.rawValue]) }
            .filter { $0.time >= 1_000_000 }
            .sorted { $0.time > $1.time }
        guard !shares.isEmpty else { return "" }
        guard shares.map(\.part) != [.selfHealed] else {
            return stayedUp ? "; the connection had stayed up" : "; the connection was up by then"
        }
        let list = shares.map { "\($0.time.lengthText) \($0.part.spoken)" }
        return "; \(what): " + list.joined(separator: ", ")
    }

    /// What the time went into, after a length of time.
    private var spoken: String {
        switch self {
        case .detection: "until it was noticed"
        case .waiting: "with no attempt under way"
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
