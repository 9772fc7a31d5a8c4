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
        /// Something of the system's own rings over the app in front, or does no more.
        case ring(isOn: Bool)
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
    private var systemRings = false

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
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .opened(let app, let isLaunch):
            guard front != app else { return }
            leave(in: &turn)
            front = app
            open(app, isLaunch: isLaunch, in: &turn)
        case .left:
            leave(in: &turn)
        case .controlCentre(let isOpen):
            controlCentreIsOpen = isOpen && front != nil
            coverOrUncover(in: &turn)
        case .phoneCall(let isOn):
            callIsOn = isOn
            coverOrUncover(in: &turn)
        case .callBanner(let isShown):
            callBannerIsShown = isShown
            coverOrUncover(in: &turn)
        case .ring(let isOn):
            systemRings = isOn
            coverOrUncover(in: &turn)
        case .alert(let app, let isShown):
            scenes[app.index].hasAlert = isShown
            coverOrUncover(in: &turn)
        case .ended(let app):
            scenes[app.index] = Scene()
            guard front == app else { return }
            front = nil
            controlCentreIsOpen = false
        }
    }

    /// Lets phases follow.
    public mutating func wake(in turn: inout Turn<Effect>) {
        for index in scenes.indices {
            guard let transition = scenes[index].transition, transition.due <= turn.now else {
                continue
            }
            scenes[index].transition = nil
            show(transition.phase, of: AppID(index), in: &turn)
        }
    }

    private mutating func open(_ app: AppID, isLaunch: Bool, in turn: inout Turn<Effect>) {
        if isLaunch {
            show(frontPhase(of: app), of: app, in: &turn)
        } else {
            show(.inactive, of: app, in: &turn)
            scenes[app.index].transition = Transition(
                due: turn.now.advanced(by: transitionTime),
                phase: frontPhase(of: app)
            )
        }
    }

    private mutating func leave(in turn: inout Turn<Effect>) {
        guard let app = front else { return }
        front = nil
        controlCentreIsOpen = false
        show(.inactive, of: app, in: &turn)
        scenes[app.index].transition = Transition(
            due: turn.now.advanced(by: transitionTime),
            phase: .background
        )
    }

    /// The phase of an app in front.
    private func frontPhase(of app: AppID) -> ScenePhase {
        controlCentreIsOpen || callIsOn || callBannerIsShown || systemRings
            || scenes[app.index].hasAlert
            ? .inactive : .active
    }

    /// Something came over the app in front, or went.
    private mutating func coverOrUncover(in turn: inout Turn<Effect>) {
        guard let app = front else { return }
        let phase = frontPhase(of: app)
        if scenes[app.index].transition == nil {
            show(phase, of: app, in: &turn)
        } else {
            // The app is just being opened; it ends as what now lies over it says.
            scenes[app.index].transition?.phase = phase
        }
    }

    private mutating func show(_ phase: ScenePhase, of app: AppID, in turn: inout Turn<Effect>) {
        guard scenes[app.index].phase != phase else { return }
        scenes[app.index].phase = phase
        turn.order(.phaseChanged(app, phase))
    }
}
