package import AppCoordination
package import KodamaEvidence
import KodamaNetwork
import KodamaPhone
package import KodamaWorld
import RealtimeVoice
package import SansIO

/// A process of the voice session app, from its launch to its end.
package final class SessionProcess: Host {
    @exclusivity(unchecked) package var seat: Seat<VoiceAppCoordinator>
    package unowned(unsafe) let app: SessionApp
    /// Whether the system's alert asks the user for the microphone.
    private var isAsking = false

    package init(_ machine: VoiceAppCoordinator, of app: SessionApp, at now: Instant) {
        seat = Seat(machine, at: now)
        self.app = app
    }

    /// Nothing reaches a process that is launched, held or has ended.
    package var isAwake: Bool { app.process === self && app.phase == .running }

    package func scheduleWake(at instant: Instant, on stage: inout Stage) {
        app.scheduleWake(.wake, at: instant, on: &stage)
    }

    /// What the app is told, for the trace.
    package func willHear(_ event: VoiceAppEvent, on stage: inout Stage) {
        if let act = event.userAct, !app.takesRepeatedSignIn(event) {
            app.phone.note(UserActed(action: act), on: &stage)
        }
        switch event {
        case .scenePhaseChanged(let phase):
            app.note(SceneChanged(phase: phase), on: &stage)
        case .pathChanged(.unsatisfied):
            app.note(PathNoticed(interface: nil), on: &stage)
        case .pathChanged(.satisfied(let interface)):
            app.note(PathNoticed(interface: interface), on: &stage)
        case .apiAnswered(let operation, let answer):
            noteAnswer(to: operation, answer.traceOutcome, on: &stage)
        case .voiceEngineAnswered(_, isRunning: false), .voiceEngineOutranked, .voiceEngineStopped:
            app.note(SoundOrdered(part: TraceWord(.engine), isOn: TraceFlag(false)), on: &stage)
        case .microphonePermissionAnswered where isAsking:
            noteMicrophone(on: &stage)
        case .audioSessionTaken:
            app.note(SoundTaken(isTaken: TraceFlag(true)), on: &stage)
        case .audioSessionReturned:
            app.note(SoundTaken(isTaken: TraceFlag(false)), on: &stage)
        default:
            // The rest is the app's own affair, or noted where it comes from.
            break
        }
    }

    /// The binding of the app's effects.
    package func perform(_ effect: VoiceAppEffect, on stage: inout Stage) {
        switch effect {
        case .room(let room, let command):
            perform(command, room, on: &stage)
        case .callAPI(let operation, let request):
            app.note(TokenRequested(operation: Int64(operation.number)), on: &stage)
            app.call(request, operation, on: &stage)
        case .cancelAPI(let operation):
            app.endCall(operation)
            noteAnswer(to: operation, TraceWord(.timedOut), on: &stage)
        case .probe(let operation, let host):
            app.probe(operation, host, on: &stage)
        case .readSecureStorage(let operation, let key):
            app.order(.readSecureStorage(operation, key: key.account), on: &stage)
        case .writeSecureStorage(let operation, let key, let value):
            if key == .deviceIdentity, let value { app.rooms.expect(app, as: value) }
            app.order(.writeSecureStorage(operation, key: key.account, value: value), on: &stage)
        case .requestMicrophonePermission(let operation):
            isAsking = isAsking || app.microphone == .undetermined
            if isAsking { noteMicrophone(on: &stage) }
            app.order(.requestMicrophonePermission(operation), on: &stage)
        case .publish(let audio):
            app.publish(audio)
        case .startVoiceEngine(let operation):
            app.note(SoundOrdered(part: TraceWord(.engine), isOn: TraceFlag(true)), on: &stage)
            // The SDK's own doing.
            app.order(.configureAudioSession(.voiceSDK), on: &stage)
            app.order(.startVoiceEngine(operation), on: &stage)
        case .stopVoiceEngine:
            app.note(SoundOrdered(part: TraceWord(.engine), isOn: TraceFlag(false)), on: &stage)
            app.order(.stopVoiceEngine, on: &stage)
        case .show(let status):
            app.isLoginShown = status.stage == .signedOut
            app.note(StatusShown(stage: TraceWord(status.stage)), on: &stage)
        case .showSignIn(let challenge):
            app.showSignIn(challenge, on: &stage)
        case .writeLog:
            // For eyes; what leads to it is in the trace.
            break
        case .handOverOffline:
            app.note(OfflineHandedOver(), on: &stage)
        case .takeBackOnline:
            app.note(OfflineTakenBack(), on: &stage)
        case .endOffline:
            app.note(OfflineEnded(), on: &stage)
        }
    }

    /// What has become of an alert for the microphone.
    private func noteMicrophone(on stage: inout Stage) {
        let state: MicrophoneState =
            switch app.microphone {
            case .denied: .refused
            case .undetermined: .asked
            case .granted: .allowed
            }
        isAsking = state == .asked
        app.note(MicrophoneChanged(state: state), on: &stage)
    }

    private func noteAnswer(
        to operation: OperationID,
        _ outcome: TraceWord<TokenFailure>,
        on stage: inout Stage
    ) {
        let answered = TokenAnswered(operation: Int64(operation.number), outcome: outcome)
        app.note(answered, on: &stage)
    }

    /// An order to a room object.
    private func perform(_ command: RoomCommand, _ id: RoomID, on stage: inout Stage) {
        switch command {
        case .create:
            app.makeRoom(id, on: &stage)
        case .setMicrophone(_, let isEnabled):
            app.note(
                SoundOrdered(part: TraceWord(.microphone), isOn: TraceFlag(isEnabled)),
                on: &stage
            )
        case .startRenderer:
            app.note(SoundOrdered(part: TraceWord(.renderer), isOn: TraceFlag(true)), on: &stage)
        case .stopRenderer:
            app.note(SoundOrdered(part: TraceWord(.renderer), isOn: TraceFlag(false)), on: &stage)
        case .connect, .disconnect, .resume, .release:
            break
        }
        app.room(id)?.obey(command, on: &stage)
    }
}

extension SecureKey {
    /// The keychain's name for it; a literal, since an interpolated case is looked up by reflection.
    package var account: String {
        switch self {
        case .deviceIdentity: "deviceIdentity"
        case .sessionToken: "sessionToken"
        }
    }
}

extension APIAnswer {
    /// What `token.answered` says of it.
    package var traceOutcome: TraceWord<TokenFailure> {
        switch self {
        case .credentials, .challenge, .session: TraceWord(number: 200)
        case .foreignDevice: TraceWord(number: 403)
        case .busy: TraceWord(number: 429)
        case .refused(let statusCode): TraceWord(number: Int64(statusCode))
        case .failed(.offline): TraceWord(.offline)
        case .failed(.timedOut): TraceWord(.timedOut)
        case .failed(.connectionLost): TraceWord(.connectionLost)
        case .malformed: TraceWord(.malformed)
        }
    }
}
