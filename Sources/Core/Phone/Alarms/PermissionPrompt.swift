import SansIO

/// How the user has answered a permission's alert, or will.
public struct PermissionCondition: Sendable, Equatable {
    /// What the user has said.
    public enum Status: String, Sendable, Hashable, CaseIterable {
        /// The user allowed it.
        case granted
        /// The user refused it.
        case denied
        /// The user was never asked.
        case undetermined
    }

    /// What the user said before.
    public var status: Status
    /// What the user says when asked.
    public var isGrantedWhenAsked = true
    /// How long the user takes to answer: 2 s, an assumption; `nil` for never.
    public var answerDelay: Duration? = .seconds(2)

    /// A permission of this status.
    public init(_ status: Status = .granted) {
        self.status = status
    }
}

/// A permission of one app: the alert that asks the user once, and the orders that wait for the answer.
///
/// The alert can lie only over an app in front, not over the lock screen (mattermost-mobile, pull request
/// 10075; livekit/client-sdk-swift, pull request 1047): until then it waits, and the orders with it
/// (webrtc-sdk/webrtc, pull request 265).
struct PermissionPrompt<Order: Sendable & Equatable>: Sendable, Equatable {
    private(set) var condition: PermissionCondition
    private var isInFront: Bool
    private var waiting: [Order] = []
    /// When the user answers an alert that is shown; nobody answers one that is not.
    private(set) var until: Instant?

    init(_ condition: PermissionCondition, isInFront: Bool = false) {
        self.condition = condition
        self.isInFront = isInFront
    }

    /// How many orders wait for one alert; more are refused.
    static var waitingMax: Int { 8 }

    var isGranted: Bool { condition.status == .granted }

    /// Whether the user sees the alert.
    var isShown: Bool { isInFront && !waiting.isEmpty }

    /// Lets an order wait for the user's answer.
    ///
    /// - Returns: Whether it waits; not if the user has answered before, or too many wait.
    mutating func holds(_ order: Order, at now: Instant) -> Bool {
        guard condition.status == .undetermined, waiting.count < Self.waitingMax else {
            return false
        }
        waiting.append(order)
        if waiting.count == 1 { schedule(at: now) }
        return true
    }

    mutating func frontChanged(isInFront: Bool, at now: Instant) {
        guard self.isInFront != isInFront else { return }
        self.isInFront = isInFront
        schedule(at: now)
    }

    /// Answers an alert whose time has come.
    ///
    /// - Returns: The orders that waited.
    mutating func answer(at now: Instant) -> [Order] {
        guard let until, until <= now else { return [] }
        return set(isGranted: condition.isGrantedWhenAsked)
    }

    /// The user answers in Settings, whatever they said before.
    ///
    /// - Returns: The orders that waited.
    mutating func set(isGranted: Bool) -> [Order] {
        condition.status = isGranted ? .granted : .denied
        let orders = waiting
        close()
        return orders
    }

    /// The app's process is gone, and with it the alert and what waited.
    mutating func close() {
        waiting = []
        until = nil
    }

    private mutating func schedule(at now: Instant) {
        until = isShown ? condition.answerDelay.map { now.advanced(by: $0) } : nil
    }
}
