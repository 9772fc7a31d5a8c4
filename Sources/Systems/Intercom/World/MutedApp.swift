import KodamaEvidence
import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import KodamaSimulation
import KodamaWorld
import SansIO

/// What the user of an intercom app has done to its microphone.
struct MuteButton {
    /// Whether this process has been told that the microphone is off.
    var isMuted = false
    /// What the user does to it as soon as the app runs.
    var touches: [Bool] = []
}

/// An intercom app that its user mutes.
protocol MutedApp: PhoneApp {
    var muteButton: MuteButton { get set }

    /// Tells the process what its user wants.
    func tell(isMuted: Bool, on stage: inout Stage)
}

extension MutedApp {
    /// The user mutes or unmutes the app, which is opened for it unless it is in front.
    ///
    /// As in a session it cannot be done from outside, and is written down when it reaches the app.
    func touch(isMuted: Bool, on stage: inout Stage) {
        muteButton.touches.append(isMuted)
        if phone.seat.ask({ $0.isInFront(id) }) {
            deliverTouches(on: &stage)
            stage.readMail()
        } else {
            phone.undergo(PhoneAct.openApp(IntercomAppPlan.system), on: &stage)
        }
    }

    /// What the user did before the app ran reaches it.
    func deliverTouches(on stage: inout Stage) {
        guard !muteButton.touches.isEmpty, phase == .running else { return }
        for isMuted in muteButton.touches {
            stage.note(UserActed(action: isMuted ? .mute : .unmute), of: phone.index, about: index)
            if muteButton.isMuted != isMuted {
                note(MicrophoneMuted(isMuted: TraceFlag(isMuted)), on: &stage)
            }
            muteButton.isMuted = isMuted
            tell(isMuted: isMuted, on: &stage)
        }
        muteButton.touches = []
    }

    /// The process is gone, and the next one knows of no mute.
    func forgetMute(on stage: inout Stage) {
        if muteButton.isMuted { note(MicrophoneMuted(isMuted: TraceFlag(false)), on: &stage) }
        muteButton = MuteButton()
    }
}
