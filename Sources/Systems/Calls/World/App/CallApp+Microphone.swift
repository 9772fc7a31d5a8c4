import IncomingCalls
import KodamaEvidence
import KodamaNetwork
import KodamaPhone
import KodamaWorld

// Whether the user lets the app have the microphone, and what the trace says of it.

extension CallApp {
    private var permission: PermissionCondition.Status { phone.seat.ask { $0.microphone(of: id) } }

    /// Whether the user lets the app have the microphone.
    ///
    /// Without it the engine runs, and takes in silence (Apple, `AVAudioApplication`).
    var hasMicrophone: Bool { permission == .granted }

    /// The same as the app reads it.
    var microphoneAccess: MicrophoneAccess {
        switch permission {
        case .granted: .allowed
        case .denied: .refused
        case .undetermined: .undecided
        }
    }

    /// Writes down what has become of the permission, whatever the app says of it.
    func reviewMicrophone(on stage: inout Stage) {
        guard process != nil else { return }
        let isAsking = phone.seat.ask { $0.isAskingForMicrophone(of: id) }
        let state: MicrophoneState =
            switch permission {
            case .granted: .allowed
            case .denied: .refused
            case .undetermined: isAsking ? .asked : .unasked
            }
        guard state != microphone else { return }
        microphone = state
        note(MicrophoneChanged(state: state), on: &stage)
    }
}
