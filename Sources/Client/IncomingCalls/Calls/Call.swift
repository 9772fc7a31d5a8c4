import SansIO

/// One call that is going on, as the registry has it.
///
/// Legal transitions: an incoming call is `ringing` → `answering` → `joining` → `connected`, and may be
/// `doubted` before; an outgoing one `requesting` → `placing` → `calling` → `joining` → `connected`. From
/// each of them it may end, and is gone then.
struct Call: Sendable, Equatable {
    enum Phase: Sendable, Equatable {
        /// It was over by the user's clock when its push came, and the server is asked whether it is.
        case doubted(until: Instant)
        /// It rings here, until the instant if it ends by time at all.
        case ringing(until: Instant?)
        /// The user answered; the server has not consented yet, or not been told.
        case answering(Answering, until: Instant)
        /// The system was asked to start it.
        case requesting(until: Instant)
        /// The server is asked to place it.
        case placing(until: Instant)
        /// It rings at the other side.
        case calling(until: Instant)
        /// Both sides agreed; the media are being joined.
        case joining(until: Instant)
        /// The media are joined.
        case connected
    }

    /// The system's answer action, while it is open.
    struct Answering: Sendable, Equatable {
        var action: ActionID
        /// When it is fulfilled whatever the server says; `nil` once that is done.
        var fulfillAt: Instant?
    }

    /// How the other party is to be called should their call be over before it is answered.
    struct CallBack: Sendable, Equatable {
        let name: String
        let hasVideo: Bool
    }

    let description: CallDescription
    var phase: Phase
    var line: SignallingLine
    /// When the server ends it if nobody answers, as far as the push says.
    var expiry: Instant?
    /// When its push came.
    var pushedAt: Instant?
    /// The room to meet in, once the server has named it to the caller.
    var room: String?
    var isMuted = false
    var isHeld = false
    /// Whether its answer waits until the user has decided about the microphone.
    var waitsForMicrophone = false
    /// Set if the user answers it by calling the other party.
    var callBack: CallBack?
    /// Whether the media were told to join.
    var isJoined = false
    /// How long the two sides have been without each other's media.
    var separation = Separation()
    /// Whether the server is asked often, since the other side's media are away.
    var isWatchedClosely = false

    var uuid: UniqueID { description.uuid }
    var callId: String { description.callId }

    /// Whether the user has yet to answer, or the other side.
    var isUnanswered: Bool {
        switch phase {
        case .doubted, .ringing, .requesting, .placing, .calling: true
        case .answering, .joining, .connected: false
        }
    }

    /// Whether it rings here.
    var isRinging: Bool {
        if case .ringing = phase { true } else { false }
    }

    /// Whether neither the user nor the system knows of it.
    var isDoubted: Bool {
        if case .doubted = phase { true } else { false }
    }

    /// Whether the server knows that both sides want it.
    var isAgreed: Bool {
        switch phase {
        case .doubted, .ringing, .answering, .requesting, .placing, .calling: false
        case .joining, .connected: true
        }
    }

    var phaseDeadline: Deadline? {
        switch phase {
        case .doubted(let until): Deadline(until, "doubt")
        case .ringing(let until): until.map { Deadline($0, "ring timeout") }
        case .answering(let answering, let until):
            .earliest(
                answering.fulfillAt.map { Deadline($0, "answer action") },
                Deadline(until, "answer timeout")
            )
        case .requesting(let until), .placing(let until): Deadline(until, "place timeout")
        case .calling(let until): Deadline(until, "no answer")
        case .joining(let until): Deadline(until, "join timeout")
        case .connected: separation.deadline
        }
    }

    var deadline: Deadline? { .earliest(phaseDeadline, line.machine.deadline) }
}

/// A report to the system that has not been answered.
struct PendingReport: Sendable, Equatable {
    /// What the report is for.
    enum Purpose: Sendable, Equatable {
        /// A call that rings.
        case call
        /// A push for a call that rings already: the system says that its identity exists.
        case duplicate
        /// A call that ends as soon as the system has it.
        case placeholder(SystemEndReason)
        /// A call that the user has ended since.
        case over
    }

    let operation: OperationID
    let uuid: UniqueID
    let push: PushID?
    var purpose: Purpose
    let until: Instant
}
