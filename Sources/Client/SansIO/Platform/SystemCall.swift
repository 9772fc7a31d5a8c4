/// Names one VoIP push while its completion handler is owed; numbered by the driver.
@frozen
public struct PushID: Sendable, Hashable, BitwiseCopyable {
    /// The push's number within its process.
    public var number: UInt32

    /// Names push `number`.
    @inlinable
    public init(number: UInt32) {
        self.number = number
    }
}

/// Names one action that the system asks for; numbered by the driver.
@frozen
public struct ActionID: Sendable, Hashable, BitwiseCopyable {
    /// The action's number within its process.
    public var number: UInt32

    /// Names action `number`.
    @inlinable
    public init(number: UInt32) {
        self.number = number
    }
}

/// What the system shows of a call (CallKit, `CXCallUpdate`).
public struct CallUpdate: Sendable, Equatable {
    /// The generic handle of the other side.
    public var handle: String
    /// The name that the system shows for the other side.
    public var name: String
    /// Whether the call has video.
    public var hasVideo: Bool

    /// Makes an update.
    public init(handle: String, name: String, hasVideo: Bool) {
        self.handle = handle
        self.name = name
        self.hasVideo = hasVideo
    }

    /// What is shown of a push that cannot be read, for the moment until it ends.
    public static let unusable = CallUpdate(handle: "unknown", name: "不明な着信", hasVideo: false)
}

/// What a call machine orders of the system's call UI (CallKit).
public enum SystemCallCommand: Sendable, Equatable {
    /// `reportNewIncomingCall(with:update:completion:)`; answered by `reportFinished`.
    ///
    /// MUST be performed before the push's delegate method returns.
    case reportIncoming(OperationID, UniqueID, CallUpdate)
    /// `reportCall(with:endedAt:reason:)`.
    case reportEnded(UniqueID, SystemEndReason)
    /// `reportOutgoingCall(with:startedConnectingAt:)`.
    case reportConnecting(UniqueID)
    /// `reportOutgoingCall(with:connectedAt:)`.
    case reportConnected(UniqueID)
    /// `fulfill()` of an action.
    case fulfill(ActionID)
    /// `fail()` of an action.
    case fail(ActionID)
    /// `CXCallController.request(_:)`: what the user did in the app itself; answered by
    /// `requestFinished`.
    ///
    /// If it succeeds, the action comes back by `actionRequested`.
    case request(OperationID, SystemCallAction)
}

/// What the system asks of a call, for the user (CallKit, `CXCallAction`).
public enum SystemCallAction: Sendable, Equatable {
    /// `CXStartCallAction`.
    case start(UniqueID, handle: String, hasVideo: Bool)
    /// `CXAnswerCallAction`.
    case answer(UniqueID)
    /// `CXEndCallAction`: declines, hangs up or cancels.
    case end(UniqueID)
    /// `CXSetMutedCallAction`.
    case setMuted(UniqueID, isMuted: Bool)
    /// `CXSetHeldCallAction`; also when another app's call or a phone call interrupts.
    case setHeld(UniqueID, isHeld: Bool)

    /// The call that is meant.
    public var uuid: UniqueID {
        switch self {
        case .start(let uuid, _, _), .answer(let uuid), .end(let uuid), .setMuted(let uuid, _),
            .setHeld(let uuid, _):
            uuid
        }
    }
}

/// Why a call ended, as the system has it (`CXCallEndedReason`; the raw values are CallKit's).
public enum SystemEndReason: Int64, Sendable, Hashable, CaseIterable {
    case failed = 1
    case remoteEnded
    case unanswered
    case answeredElsewhere
    case declinedElsewhere
}

/// Why the system did not take a call (`CXErrorCodeIncomingCallError`; the raw values are CallKit's).
public enum SystemReportError: Int64, Sendable, Hashable, CaseIterable {
    case unknown = 0
    case unentitled
    case callUUIDAlreadyExists
    case filteredByDoNotDisturb
    case filteredByBlockList
    case filteredDuringRestrictedSharingMode
    case callIsProtected
    case filteredBySensitiveParticipants
}
