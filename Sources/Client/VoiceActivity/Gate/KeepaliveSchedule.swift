public import SansIO

/// Says when a keepalive is due on one path: whenever nothing was sent for a whole period.
///
/// In talk the voice keeps the path alive and no keepalive goes out; in silence one goes out every
/// period, counted from the last datagram, whatever it was (S-VAD-002). After a late wake one
/// keepalive makes up for every missed one.
public struct KeepaliveSchedule: StateMachine {
    /// A fact for the schedule.
    @frozen
    public enum Event: Sendable, Hashable, BitwiseCopyable {
        /// The path came up; its first keepalive is due one period from now.
        case started
        /// A datagram other than a keepalive went out on this path.
        case voiceSent
        /// The path is now being probed; keepalives come at the probing period.
        case probingBegan
        /// The path is no longer being probed.
        case probingEnded
        /// The path is gone for good.
        case stopped
    }

    /// An order from the schedule.
    @frozen
    public enum Effect: Sendable, Hashable, BitwiseCopyable {
        /// Send a keepalive now.
        case sendKeepalive
    }

    private enum State: Sendable, Hashable, BitwiseCopyable {
        case waiting
        case running(latestDatagram: Instant)
        case stopped
    }

    /// One keepalive.
    public static var effectsPerCallMax: Int { 1 }

    private let periodNanoseconds: Int64
    private let probingPeriodNanoseconds: Int64
    private var state = State.waiting
    private var isProbing = false

    /// Makes a schedule that waits for its path to come up.
    ///
    /// - Parameter configuration: The periods; both MUST be positive.
    public init(configuration: Configuration = Configuration()) {
        periodNanoseconds = configuration.period.wholeNanoseconds
        probingPeriodNanoseconds = configuration.probingPeriod.wholeNanoseconds
        precondition(
            periodNanoseconds > 0 && probingPeriodNanoseconds > 0,
            "a keepalive period of \(configuration.period) or "
                + "\(configuration.probingPeriod) is not positive"
        )
    }

    /// Whether the path is gone.
    public var isFinished: Bool { state == .stopped }

    /// When the next keepalive is due if nothing else is sent before.
    public var deadline: Deadline? {
        switch state {
        case .waiting, .stopped: nil
        case .running(let latestDatagram): Deadline(due(after: latestDatagram), "keepalive")
        }
    }

    /// Takes one fact; only `probingBegan` can make a keepalive due at once.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .started:
            if state == .waiting {
                state = .running(latestDatagram: turn.now)
            }
        case .voiceSent:
            voiceSent(at: turn.now)
        case .probingBegan:
            isProbing = true
            wake(in: &turn)
        case .probingEnded:
            isProbing = false
        case .stopped:
            state = .stopped
        }
    }

    /// Sends the keepalive that is due; the next follows a whole period after it.
    public mutating func wake(in turn: inout Turn<Effect>) {
        switch state {
        case .waiting, .stopped:
            return
        case .running(let latestDatagram):
            guard turn.now >= due(after: latestDatagram) else { return }
            turn.order(.sendKeepalive)
            state = .running(latestDatagram: turn.now)
        }
    }

    private mutating func voiceSent(at now: Instant) {
        switch state {
        case .waiting, .stopped: return
        case .running: state = .running(latestDatagram: now)
        }
    }

    private func due(after latestDatagram: Instant) -> Instant {
        let period = isProbing ? probingPeriodNanoseconds : periodNanoseconds
        return Instant(nanoseconds: latestDatagram.nanoseconds + period)
    }
}
