public import RealtimeVoice
public import SansIO

/// A phone's system as the voice app meets it: scene phases, suspension, path notices, interfaces.
///
/// The order of phases is UIKit's (`UISceneDelegate`): inactive, then background when the app is left;
/// inactive, then active when it is opened. Control Centre and calls make it inactive only. A suspended
/// app hears nothing; when it is resumed it is told what it missed, the present state only.
///
/// Interfaces change at once; when and whether the app hears of it is the notice's affair. A path is
/// told as the system believes it: Wi-Fi if it believes it up, cellular otherwise.
public struct PhoneSystem: StateMachine {
    /// The app's process.
    enum Process: Sendable, Equatable {
        case none
        case running
        case suspended(since: Instant)
    }

    /// What the system knows of an interface.
    struct Interface: Sendable, Equatable {
        var kind: NetworkInterface
        var isUp: Bool
        var lease: UInt16 = 0
        var believed: InterfaceLease?

        var current: InterfaceLease? { isUp ? InterfaceLease(kind, lease: lease) : nil }
    }

    /// A change of which the system has not spoken yet.
    struct Notice: Sendable, Equatable {
        var due: Instant
        var interface: NetworkInterface
        var belief: InterfaceLease?
    }

    /// A phase that follows the present one.
    struct Transition: Sendable, Equatable {
        var due: Instant
        var phase: ScenePhase
    }

    /// A socket's fate while the app is suspended.
    struct SleepingLease: Sendable, Equatable {
        var lease: InterfaceLease
        var isBroken = false
    }

    let configuration: PhoneSystemConfiguration
    var process = Process.none
    var phase: ScenePhase?
    var transition: Transition?
    var isInFront = false
    var controlCentreIsOpen = false
    var callIsOn = false
    var audioIsTaken = false
    var audioRuns = false
    var backgroundTaskRuns = false
    var graceBegan: Instant?
    var interfaces: [Interface]
    var notices: [Notice] = []
    /// What the app was told of the path: the lease behind it, `nil` within for none.
    var toldLease: InterfaceLease??
    var sleeping: [SleepingLease] = []

    /// Makes a phone that is switched on with the app not running.
    ///
    /// - Parameters:
    ///   - interfaces: The phone's ways to the Internet and whether they have an address.
    ///   - configuration: How the system treats the app.
    public init(
        interfaces: [(NetworkInterface, isUp: Bool)],
        configuration: PhoneSystemConfiguration = PhoneSystemConfiguration()
    ) {
        self.configuration = configuration
        // Wi-Fi is preferred whenever it is up.
        self.interfaces =
            interfaces
            .sorted { $0.0.rawValue < $1.0.rawValue }
            .map { kind, isUp in
                let first = InterfaceLease(kind, lease: 0)
                return Interface(kind: kind, isUp: isUp, believed: isUp ? first : nil)
            }
    }

    /// Launch or resume, two sockets, path, audio, two phases, suspension.
    public static var effectsPerCallMax: Int { 10 }

    /// A phone never ends.
    public var isFinished: Bool { false }

    /// Whether an app that activates its audio session gets it.
    ///
    /// During a call it does not: 561017449, insufficient priority (Apple developer forums, thread 749202).
    public var audioIsFree: Bool { !callIsOn }

    /// Whether the app's microphone and speaker work: its audio runs, and no call has them.
    public var soundIsOn: Bool { audioRuns && !callIsOn }

    /// The addresses that sockets may use now, the favourite first.
    public var addresses: [InterfaceLease] { interfaces.compactMap(\.current) }

    /// The next phase, suspension or path notice.
    public var deadline: Deadline? {
        var earliest = transition.map { Deadline($0.due, "scene phase") }
        earliest = .earliest(earliest, suspension.map { Deadline($0, "suspension") })
        for notice in notices {
            earliest = .earliest(earliest, Deadline(notice.due, "path notice"))
        }
        return earliest
    }

    private var suspension: Instant? {
        guard let graceBegan, process == .running else { return nil }
        return graceBegan.advanced(
            by: backgroundTaskRuns
                ? configuration.backgroundTaskGrace : configuration.suspensionGrace
        )
    }

    /// Takes one fact.
    public mutating func handle(
        _ event: PhoneSystemEvent,
        at now: Instant,
        into effects: inout EffectBuffer<PhoneSystemEffect>
    ) {
        switch event {
        case .user(let action):
            act(action, at: now, into: &effects)
        case .interfaceChanged(let kind, let isUp, let notice):
            change(kind, isUp: isUp, notice, at: now, into: &effects)
        case .audioRunning(let runs):
            guard process == .running else { return }
            audioRuns = runs
            beginOrEndGrace(at: now)
        case .backgroundTask(let isRunning):
            guard process == .running else { return }
            backgroundTaskRuns = isRunning
        }
    }

    /// Lets phases follow, notices arrive and an idle app be suspended.
    public mutating func wake(at now: Instant, into effects: inout EffectBuffer<PhoneSystemEffect>)
    {
        hearNotices(at: now, into: &effects)
        if let transition, transition.due <= now {
            self.transition = nil
            show(transition.phase, into: &effects)
            beginOrEndGrace(at: now)
        }
        if let suspension, suspension <= now {
            suspend(at: now, into: &effects)
        }
    }

    /// An app in the background runs on while its audio does; the grace counts from then.
    mutating func beginOrEndGrace(at now: Instant) {
        guard process == .running, phase == .background, !audioRuns else {
            graceBegan = nil
            return
        }
        graceBegan = graceBegan ?? now
    }

    private mutating func suspend(
        at now: Instant,
        into effects: inout EffectBuffer<PhoneSystemEffect>
    ) {
        process = .suspended(since: now)
        graceBegan = nil
        sleeping = addresses.map { SleepingLease(lease: $0) }
        effects.append(.suspendApp)
    }
}
