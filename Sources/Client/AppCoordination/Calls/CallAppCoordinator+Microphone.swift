import IncomingCalls
import RealtimeVoice
import SansIO

/// When the user is asked for the microphone, and what waits for the answer.
///
/// The user is asked once they are signed in and see the app, so that the answer is known when somebody
/// calls: the system shows no alert over the lock screen, where most calls are answered (signalapp/Signal-iOS,
/// issue 4827). Who has not answered by then is asked when they call somebody or have answered a call.
extension CallAppCoordinator {
    /// Whom the user has called.
    struct Dial: Sendable, Equatable {
        let contactId: String
        let name: String
        let hasVideo: Bool
    }

    /// Calls somebody, if the user can be heard; while they decide the call is not placed.
    mutating func dial(_ dial: Dial, in turn: inout Turn<Effect>) {
        switch microphone {
        case .allowed: place(dial, in: &turn)
        case .undecided: pendingDial = dial
        case .refused: turn.order(.explainMicrophone(.refused))
        }
    }

    private mutating func place(_ dial: Dial, in turn: inout Turn<Effect>) {
        let request = CallRegistry.Event.callRequested(
            contactId: dial.contactId,
            name: dial.name,
            hasVideo: dial.hasVideo
        )
        tellRegistry(request, in: &turn)
    }

    mutating func permissionAnswered(
        _ operation: OperationID,
        _ isGranted: Bool,
        in turn: inout Turn<Effect>
    ) {
        guard microphoneRequest == operation else { return }
        microphoneRequest = nil
        microphone = isGranted ? .allowed : .refused
        tellRegistry(.microphoneDecided(isAllowed: isGranted), in: &turn)
        guard let dial = pendingDial else { return }
        pendingDial = nil
        self.dial(dial, in: &turn)
    }

    /// Asks for the microphone where the user sees it, and says elsewhere that a call waits for it.
    mutating func settleMicrophone(in turn: inout Turn<Effect>) {
        guard microphone == .undecided else { return }
        let isNeeded = registry.waitsForMicrophone
        if !isNeeded { hasBeenToldToOpen = false }
        switch phase {
        case .active:
            guard microphoneRequest == nil, bearer != nil || isNeeded || pendingDial != nil else {
                return
            }
            let operation = operations.next()
            microphoneRequest = operation
            turn.order(.requestMicrophonePermission(operation))
        case .inactive:
            return
        case .background, nil:
            // Who leaves the app without an answer does not want to call any more.
            if phase == .background { pendingDial = nil }
            guard isNeeded, !hasBeenToldToOpen else { return }
            hasBeenToldToOpen = true
            turn.order(.explainMicrophone(.openApp))
        }
    }
}
