import SansIO

/// What can be done to a push service.
public enum PushServiceFault: Sendable, Equatable {
    /// Requests are refused for this reason, for a while.
    case refuse(PushReason, for: Duration)
    /// The provider's side says nothing for a while: what is open then is dead for ever, what is opened
    /// stays unanswered.
    case goSilent(for: Duration)
    /// Answers and deliveries come later, for a while.
    case slow(by: Duration, for: Duration)
    /// Every provider's connection is closed.
    case closeConnections
    /// Ends refusal, silence and slowness.
    case clear
}

/// What is wrong with a push service, each until its time.
struct PushServiceAilments: Sendable, Equatable {
    private var refusal = PushReason.serviceUnavailable
    private var refusesUntil = Instant(nanoseconds: .min)
    private var silentUntil = Instant(nanoseconds: .min)
    private var delay = Duration.zero
    private var slowUntil = Instant(nanoseconds: .min)

    mutating func refuse(_ reason: PushReason, until: Instant) {
        refusal = reason
        refusesUntil = until
    }

    mutating func goSilent(until: Instant) {
        silentUntil = until
    }

    mutating func slow(by delay: Duration, until: Instant) {
        self.delay = delay
        slowUntil = until
    }

    func refusal(at now: Instant) -> PushReason? { now < refusesUntil ? refusal : nil }

    func isSilent(at now: Instant) -> Bool { now < silentUntil }

    func delay(at now: Instant) -> Duration { now < slowUntil ? delay : .zero }
}
