package import SansIO

/// What is in front of the user.
package enum FrontApp: Sendable, Hashable {
    /// The home screen or the lock screen.
    case home
    /// An app that is simulated.
    case app(AppID)
    /// Another app, such as the one that distracts; told apart by number.
    case other(Int)
}

/// The "◀ App" in the corner by which the user goes back to the app a notification was tapped over.
///
/// It is iOS's only way back: an app has no call for it. It has one level, and a third app, the home screen
/// or a call takes it away.
package struct Breadcrumb: StateMachine {
    /// A fact for the breadcrumb.
    package enum Event: Sendable, Equatable {
        /// The user taps a notification, or an app opens another by a link.
        case openedFromElsewhere(FrontApp)
        /// The user opens an app by its icon or in the app switcher, or goes home.
        case opened(FrontApp)
        /// The user taps the breadcrumb.
        case tapped
        /// A call fills the screen, or the phone is locked.
        case covered
    }

    /// An order from the breadcrumb.
    package enum Effect: Sendable, Equatable {
        /// It leads there from now on, or is gone.
        case changed(FrontApp?)
        /// The user goes back by it.
        case returned(FrontApp)
    }

    /// It goes, and leads back.
    package static var effectsPerCallMax: Int { 2 }

    /// A phone never ends.
    package var isFinished: Bool { false }

    /// Nothing is waited for.
    package var deadline: Deadline? { nil }

    /// What is in front.
    package private(set) var front: FrontApp
    /// Where it leads.
    package private(set) var target: FrontApp?

    /// Makes a phone with this in front.
    package init(front: FrontApp = .home) {
        self.front = front
    }

    /// Takes one fact.
    package mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .openedFromElsewhere(let app):
            guard app != front else { return }
            let left = front
            front = app
            point(to: left == .home ? nil : left, in: &turn)
        case .opened(let app):
            guard app != front else { return }
            front = app
            point(to: nil, in: &turn)
        case .tapped:
            guard let target else { return }
            front = target
            point(to: nil, in: &turn)
            turn.order(.returned(target))
        case .covered: point(to: nil, in: &turn)
        }
    }

    /// Does nothing: nothing is waited for.
    package mutating func wake(in turn: inout Turn<Effect>) {}

    private mutating func point(to app: FrontApp?, in turn: inout Turn<Effect>) {
        guard app != target else { return }
        target = app
        turn.order(.changed(app))
    }
}
