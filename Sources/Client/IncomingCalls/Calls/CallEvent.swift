public import SansIO

/// What the app learns of its calls (VP-08).
public enum CallEvent: Sendable, Equatable {
    /// The user answered an incoming call.
    case answered(CallDescription)
    /// The user's outgoing call was begun.
    case started(CallDescription)
    /// This side is joined; the other one is, or is about to be.
    case connected(UniqueID, callId: String)
    /// A call is over.
    case ended(UniqueID, callId: String, CallEndReason)
    /// The user muted or unmuted a call.
    case muted(UniqueID, isMuted: Bool)
    /// The user or another call put a call on hold, or took it back.
    case held(UniqueID, isHeld: Bool)
    /// The system activated the audio session: sound may start (`provider(_:didActivate:)`).
    case audioActivated
    /// The system took the audio session back (`provider(_:didDeactivate:)`).
    case audioDeactivated
    /// The system dropped all calls (`providerDidReset(_:)`).
    case reset
}

/// A call with all its fields (VP-08).
public struct CallDescription: Sendable, Equatable {
    /// Which way a call goes.
    public enum Direction: String, Sendable, Hashable, CaseIterable {
        /// Another user calls this one.
        case incoming
        /// This user calls another one.
        case outgoing
    }

    /// The system's identity of the call.
    public var uuid: UniqueID
    /// The server's identity of the call.
    public var callId: String
    /// Which way it goes.
    public var direction: Direction
    /// The other party: `callerId` of an incoming call, `contactId` of an outgoing one (D-02).
    public var partyId: String
    /// How they are called.
    public var name: String
    /// Whether there are pictures.
    public var hasVideo: Bool

    /// Makes a description.
    public init(
        uuid: UniqueID,
        callId: String,
        direction: Direction,
        partyId: String,
        name: String,
        hasVideo: Bool
    ) {
        self.uuid = uuid
        self.callId = callId
        self.direction = direction
        self.partyId = partyId
        self.name = name
        self.hasVideo = hasVideo
    }

    /// What the system shows of it.
    var update: CallUpdate { CallUpdate(handle: partyId, name: name, hasVideo: hasVideo) }
}

/// What the media of a call are to do.
public enum CallMediaCommand: Sendable, Equatable {
    /// Join the room; sound waits for the audio session.
    case join(room: String)
    /// Leave it.
    case leave
    /// Close the microphone, or open it.
    case setMuted(Bool)
    /// Neither send nor play, but stay; or go on.
    case setHeld(Bool)
}

/// A line of the log under `Call`: what happened, without personal data.
public enum CallLogEntry: Sendable, Equatable {
    /// The category of the lines.
    public static let category = "Call"

    /// A push is no call.
    case refused(PayloadRefusal)
    /// A push came for a call that is going on, or was seen before.
    case duplicate
    /// A push came while no user is signed in.
    case signedOut
    /// The system did not take a report.
    case reportFailed(SystemReportError)
    /// A call ended.
    case ended(CallEndReason)
    /// The system gave up waiting for an action.
    case actionTimedOut
}
