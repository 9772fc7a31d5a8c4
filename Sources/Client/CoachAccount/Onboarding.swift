public import SansIO

/// A step of the onboarding (AN-14); the seven and their order are an assumption.
public enum OnboardingStep: String, Sendable, Equatable, CaseIterable {
    /// What the coach does.
    case welcome
    /// The user signs in.
    case account
    /// Alarms and notifications are asked for.
    case notifications
    /// The microphone is asked for.
    case microphone
    /// The wake time and the morning's steps are set.
    case routine
    /// The voice is chosen, or cloned.
    case voice
    /// The trial begins.
    case subscription
}

/// How a step ended; a refused permission ends it as well (AN-06).
public enum OnboardingOutcome: String, Sendable, Equatable, CaseIterable {
    /// The user did what it asks for.
    case done
    /// The user declined.
    case declined
}

/// How far the onboarding has come, as the store keeps it.
public struct OnboardingProgress: Sendable, Equatable {
    /// How the steps ended, from the first on.
    public private(set) var outcomes: [OnboardingOutcome]

    /// Makes a progress; outcomes behind the last step count for nothing.
    public init(outcomes: [OnboardingOutcome] = []) {
        self.outcomes = Array(outcomes.prefix(OnboardingStep.allCases.count))
    }

    /// The step that is next; `nil` if there is none.
    public var next: OnboardingStep? {
        OnboardingStep.allCases.dropFirst(outcomes.count).first
    }

    /// How a step ended; `nil` if it has not.
    public func outcome(of step: OnboardingStep) -> OnboardingOutcome? {
        zip(OnboardingStep.allCases, outcomes).first { $0.0 == step }?.1
    }

    func adding(_ outcome: OnboardingOutcome) -> OnboardingProgress {
        OnboardingProgress(outcomes: outcomes + [outcome])
    }
}

/// Leads through the seven steps, and after a kill goes on with the first that the store does not
/// know as ended (AN-14).
///
/// The next step is shown when the store has the last: a kill before that shows one step again, and
/// no kill leaves one out.
public struct Onboarding: StateMachine {
    /// A fact for the onboarding.
    public enum Event: Sendable, Equatable {
        /// The store is open: how far it had come.
        case opened(OnboardingProgress)
        /// The user has ended a step.
        case stepEnded(OnboardingStep, OnboardingOutcome)
        /// The store has the progress, or has not.
        case kept(OperationID, isKept: Bool)
    }

    /// An order from the onboarding.
    public enum Effect: Sendable, Equatable {
        /// Keeps the progress in the store.
        case keep(OperationID, OnboardingProgress)
        /// Shows a step.
        case show(OnboardingStep)
        /// All steps have ended.
        case finished
    }

    private enum State: Sendable, Equatable {
        case closed
        case showing
        case keeping(OperationID, OnboardingProgress)
        case retrying(at: Instant, OnboardingProgress)
        case finished
    }

    /// How long after the store refused it is tried again: 1 s, an assumption.
    private static let storeWait = Duration.seconds(1)

    /// One order.
    public static var effectsPerCallMax: Int { 1 }
    /// Whether all steps have ended.
    public var isFinished: Bool { state == .finished }

    private var state = State.closed
    private var operations: OperationCounter
    /// What the store has.
    public private(set) var progress = OnboardingProgress()

    /// Makes one of a store that is not open yet.
    ///
    /// - Parameter operations: The numbers its operations get.
    public init(operations: OperationCounter = OperationCounter()) {
        self.operations = operations
    }

    /// When the store is tried again.
    public var deadline: Deadline? {
        guard case .retrying(let at, _) = state else { return nil }
        return Deadline(at, "onboarding retry")
    }

    /// Takes one fact.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .opened(let progress):
            guard state == .closed else { return }
            self.progress = progress
            show(in: &turn)
        case .stepEnded(let step, let outcome):
            guard state == .showing, step == progress.next else { return }
            keep(progress.adding(outcome), in: &turn)
        case .kept(let operation, let isKept):
            guard case .keeping(operation, let next) = state else { return }
            guard isKept else {
                state = .retrying(at: turn.now.advanced(by: Self.storeWait), next)
                return
            }
            progress = next
            show(in: &turn)
        }
    }

    /// Tries the store again.
    public mutating func wake(in turn: inout Turn<Effect>) {
        guard case .retrying(let at, let next) = state, at <= turn.now else { return }
        keep(next, in: &turn)
    }

    private mutating func keep(_ next: OnboardingProgress, in turn: inout Turn<Effect>) {
        let operation = operations.next()
        turn.order(.keep(operation, next))
        state = .keeping(operation, next)
    }

    private mutating func show(in turn: inout Turn<Effect>) {
        if let step = progress.next {
            state = .showing
            turn.order(.show(step))
        } else {
            state = .finished
            turn.order(.finished)
        }
    }
}
