public import RealtimeVoice
public import SansIO

/// Which app is in front, what lies over it, and the phases of all apps' scenes.
///
/// The order of phases is UIKit's (`UISceneDelegate`): inactive, then background when the app is left;
/// inactive, then active when it is opened. Control Centre, a call's banner and a permission alert make
/// the app in front inactive only.
public struct SceneManager: StateMachine {
    /// A fact for the manager.
    public enum Event: Sendable, Equatable {
        /// An app is brought to the front; a launched one has no phase to come from.
        case opened(AppID, isLaunch: Bool)
        /// The user goes to the home screen.
        case left
        /// Control Centre is pulled down or put away.
        case controlCentre(isOpen: Bool)
        /// A phone call is shown, or is over.
        case phoneCall(isOn: Bool)
        /// The banner of a call that rings is shown, or no more.
        case callBanner(isShown: Bool)
        /// An alert of the system's lies over an app, or does no more.
        case alert(AppID, isShown: Bool)
        /// An app's process is gone.
        case ended(AppID)
    }

    /// An order from the manager.
    public enum Effect: Sendable, Equatable {
        /// An app's scene has another phase.
        case phaseChanged(AppID, ScenePhase)
    }

    struct Scene: Sendable, Equatable {
        var phase: ScenePhase?
        var transition: Transition?
        var hasAlert = false
    }

    /// A phase that follows the present one.
    struct Transition: Sendable, Equatable {
        var due: Instant
        var phase: ScenePhase
    }

    /// Late, all scenes' transitions at once.
    public static var effectsPerCallMax: Int { PhoneSystem.appsMax }

    /// A phone never ends.
    public var isFinished: Bool { false }

    private let transitionTime: Duration
    private var scenes: [Scene]
    private(set) var front: AppID?
    private var controlCentreIsOpen = false
    private var callIsOn = false
    private var callBannerIsShown = false

    /// Makes a phone that shows its home screen.
    ///
    /// - Parameters:
    ///   - appCount: How many apps are installed.
    ///   - transitionTime: The time between inactive and background, or inactive and active.
    public init(appCount: Int, transitionTime: Duration) {
        scenes = Array(repeating: Scene(), count: appCount)
        self.transitionTime = transitionTime
    }

    /// The phase of an app's scene; `nil` if it has none.
    public func phase(of app: AppID) -> ScenePhase? { scenes[app.index].phase }

    /// The next transition.
    public var deadline: Deadline? {
        scenes.reduce(nil) { earliest, scene in
            .earliest(earliest, scene.transition.map { Deadline($0.due, "scene phase") })
        }
    }

    /// Takes one fact.
    public mutating func handle(
        _ event: Event,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        switch event {
        case .opened(let app, let isLaunch):
            guard front != app else { return }
            leave(at: now, into: &effects)
            front = app
            open(app, isLaunch: isLaunch, at: now, into: &effects)
        case .left:
            leave(at: now, into: &effects)
        case .controlCentre(let isOpen):
            controlCentreIsOpen = isOpen && front != nil
            coverOrUncover(into: &effects)
        case .phoneCall(let isOn):
            callIsOn = isOn
            coverOrUncover(into: &effects)
        case .callBanner(let isShown):
            callBannerIsShown = isShown
            coverOrUncover(into: &effects)
        case .alert(let app, let isShown):
            scenes[app.index].hasAlert = isShown
            coverOrUncover(into: &effects)
        case .ended(let app):
            scenes[app.index] = Scene()
            guard front == app else { return }
            front = nil
            controlCentreIsOpen = false
        }
    }

    /// Lets phases follow.
    public mutating func wake(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        for index in scenes.indices {
            guard let transition = scenes[index].transition, transition.due <= now else {
                continue
            }
            scenes[index].transition = nil
            show(transition.phase, of: AppID(index), into: &effects)
        }
    }

    private mutating func open(
        _ app: AppID,
        isLaunch: Bool,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        if isLaunch {
            show(frontPhase(of: app), of: app, into: &effects)
        } else {
            show(.inactive, of: app, into: &effects)
            scenes[app.index].transition = Transition(
                due: now.advanced(by: transitionTime),
                phase: frontPhase(of: app)
            )
        }
    }

    private mutating func leave(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        guard let app = front else { return }
        front = nil
        controlCentreIsOpen = false
        show(.inactive, of: app, into: &effects)
        scenes[app.index].transition = Transition(
            due: now.advanced(by: transitionTime),
            phase: .background
        )
    }

    /// The phase of an app in front.
    private func frontPhase(of app: AppID) -> ScenePhase {
        controlCentreIsOpen || callIsOn || callBannerIsShown || scenes[app.index].hasAlert
            ? .inactive : .active
    }

    /// Something came over the app in front, or went.
    private mutating func coverOrUncover(into effects: inout EffectBuffer<Effect>) {
        guard let app = front else { return }
        let phase = frontPhase(of: app)
        if scenes[app.index].transition == nil {
            show(phase, of: app, into: &effects)
        } else {
            // The app is just being opened; it ends as what now lies over it says.
            scenes[app.index].transition?.phase = phase
        }
    }

    private mutating func show(
        _ phase: ScenePhase,
        of app: AppID,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard scenes[app.index].phase != phase else { return }
        scenes[app.index].phase = phase
        effects.append(.phaseChanged(app, phase))
    }
}
