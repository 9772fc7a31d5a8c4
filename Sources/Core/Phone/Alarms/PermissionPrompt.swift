import SansIO

/// How the user has answered a permission's alert, or will.
package struct PermissionCondition: Sendable, Equatable {
    /// What the user has said.
    package enum Status: String, Sendable, Hashable, CaseIterable {
        /// The user allowed it.
        case granted
        /// The user refused it.
        case denied
        /// The user was never asked.
        case undetermined
    }

    /// What the user said before.
    package var status: Status
    /// What the user says when asked.
    package var isGrantedWhenAsked = true
    /// How long the user takes to answer: 2 s, an assumption; `nil` for never.
    package var answerDelay: Duration? = .seconds(2)

    /// A permission of this status.
    package init(_ status: Status = .granted) {
        self.status = status
    }
}

/// The alert that asks the user for a permission: it waits for its app to be in front, like the
/// microphone's.
struct PermissionPrompt: Sendable, Equatable {
    private(set) var condition: PermissionCondition
    private var isOpen = false
    private var isInFront = false
    /// When the user answers an alert that is shown.
    private(set) var until: Instant?

    init(_ condition: PermissionCondition) {
        self.condition = condition
    }

    var isGranted: Bool { condition.status == .granted }

    /// Asks the user unless they have answered; what then waits is the owner's affair.
    mutating func request(at now: Instant) {
        guard condition.status == .undetermined, !isOpen else { return }
        isOpen = true
        schedule(at: now)
    }

    mutating func frontChanged(isInFront: Bool, at now: Instant) {
        guard self.isInFront != isInFront else { return }
        self.isInFront = isInFront
        schedule(at: now)
    }

    /// Answers an alert whose time has come.
    ///
    /// - Returns: Whether the user has just answered.
    mutating func answer(at now: Instant) -> Bool {
        guard let until, until <= now else { return false }
        set(isGranted: condition.isGrantedWhenAsked)
        return true
    }

    /// The user answers in Settings, whatever they said before.
    mutating func set(isGranted: Bool) {
        condition.status = isGranted ? .granted : .denied
        close()
    }

    /// The app's process is gone, and the alert with it.
    mutating func close() {
        isOpen = false
        until = nil
    }

    private mutating func schedule(at now: Instant) {
        let isShown = isOpen && isInFront
        until = isShown ? condition.answerDelay.map { now.advanced(by: $0) } : nil
    }
}
