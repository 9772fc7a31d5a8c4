import RealtimeVoice
import SansIO

/// Where the app is, and whether who asked for the conversation is there, too (RS-07, RS-13).
extension VoiceAppCoordinator {
    /// How long an app that was asked for out of sight may take to come to the front.
    ///
    /// Its launch is over then, and it connects meanwhile: what is waited for is the system's word.
    static let frontPatience = Duration.seconds(2)

    /// Who leaves while the app starts has asked for nothing any more.
    ///
    /// The walk then ends as after any launch: it connects if the phase allows it, else in front.
    mutating func phaseChanged(_ phase: ScenePhase, in turn: inout Turn<Effect>) {
        let previous = self.phase
        self.phase = phase
        if phase != .background { frontDue = nil }
        if let previous, phase.rawValue > previous.rawValue {
            isAskedFor = false
        } else if isAskedFor {
            expectFront(at: turn.now)
        }
        tellSession(.scenePhaseChanged(phase), in: &turn)
        tellLogin(.scenePhaseChanged(phase), in: &turn)
        if let previous, previous != .active, phase == .active {
            cameToFront(in: &turn)
        }
    }

    /// Whoever comes back to an app that had no identity or no engine wants to talk (RS-03, RS-08).
    ///
    /// An engine that starts while its user leaves fails of that alone.
    private mutating func cameToFront(in turn: inout Turn<Effect>) {
        guard step == .stopped, isIdentityUnread || engineFailedAt != nil else { return }
        walk(in: &turn)
    }

    /// A tap brings the app to the front: until that is told it connects, but is silent.
    mutating func expectFront(at now: Instant) {
        guard phase == .background, configuration.session.leaveOn != .never else { return }
        frontDue = now.advanced(by: Self.frontPatience)
    }

    /// The app was asked for and has not come to the front: the user has left before it could.
    mutating func stayedAway(in turn: inout Turn<Effect>) {
        frontDue = nil
        isAskedFor = false
        guard step == .live, session.isActive, let identity else { return }
        tellSession(.disconnectRequested, in: &turn)
        tellSession(.becameReady(identity), in: &turn)
    }
}
