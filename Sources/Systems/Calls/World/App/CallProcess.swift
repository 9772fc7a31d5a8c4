import AppCoordination
import IncomingCalls
import KodamaEvidence
import KodamaNetwork
import KodamaPhone
import KodamaSession
import KodamaWorld
import RealtimeVoice
import SansIO

/// A process of the calling app, from its launch to its end.
final class CallProcess: Host {
    @exclusivity(unchecked) var seat: Seat<CallAppCoordinator>
    unowned(unsafe) let app: CallApp
    /// The app's one background task.
    private static let task = OperationID(number: 0)

    /// What is to be returned when the app has been told that its background time is up.
    var expiry: OperationID?
    /// The duty whose handler runs.
    private var handling: OperationID?

    init(_ machine: CallAppCoordinator, of app: CallApp, at now: Instant) {
        seat = Seat(machine, at: now)
        self.app = app
    }

    /// Nothing reaches a process that is launched, held or has ended.
    var isAwake: Bool { app.process === self && app.phase == .running }

    func scheduleWake(at instant: Instant, on stage: inout Stage) {
        app.scheduleWake(.wake, at: instant, on: &stage)
    }

    func willHear(_ event: CallAppEvent, on stage: inout Stage) {
        switch event {
        case .pushReceived(let push, let payload):
            handling = PushInbox.duty(of: push)
            app.handles(payload)
        case .backgroundTimeExpired: handling = expiry
        case .scenePhaseChanged(let phase):
            app.note(SceneChanged(phase: phase), on: &stage)
        case .pathChanged(.unsatisfied):
            app.note(PathNoticed(interface: nil), on: &stage)
        case .pathChanged(.satisfied(let interface)):
            app.note(PathNoticed(interface: interface), on: &stage)
        case .audioActivated: app.note(CallAudioChanged(isActive: true), on: &stage)
        case .audioDeactivated: app.note(CallAudioChanged(isActive: false), on: &stage)
        default:
            // The rest is the app's own affair, or noted where it comes from.
            break
        }
    }

    /// A handler returns when all that it ordered has been done: that is when PushKit looks whether a call
    /// was reported, and the system whether a background task is still open.
    func finishCall(on stage: inout Stage) {
        if let duty = handling {
            handling = nil
            app.phone.tell(.handlerReturned(app.id, duty), on: &stage)
        }
        app.handledAll()
        app.touchFlows(on: &stage)
    }

    /// The binding of the app's effects.
    func perform(_ effect: CallAppEffect, on stage: inout Stage) {
        switch effect {
        case .system(let command):
            if case .reportIncoming(_, let uuid, _) = command { app.reports(uuid) }
            app.order(.call(command), on: &stage)
        case .startVoiceEngine(let operation):
            // The SDK's own doing.
            app.order(.configureAudioSession(.voiceSDK), on: &stage)
            app.order(.startVoiceEngine(operation), on: &stage)
        case .stopVoiceEngine:
            app.order(.stopVoiceEngine, on: &stage)
        case .room(let line, let id, let command):
            if command == .create { app.makeRoom(id, line: line.index, on: &stage) }
            app.room(id, line: line.index)?.obey(command, on: &stage)
        case .probe(let line, let operation, let host):
            app.probe(operation, host, line: line.index, on: &stage)
        case .callAPI(let operation, let request):
            app.call(request, operation, on: &stage)
        case .callServer(let operation, let request, let credentials):
            app.call(CallOrder(request: request, credentials: credentials), operation, on: &stage)
        case .cancelAPI(let operation):
            app.endCall(operation)
        case .readSecureStorage(let operation, let key):
            app.order(.readSecureStorage(operation, key: key.account), on: &stage)
        case .writeSecureStorage(let operation, let key, let value):
            if key == .deviceIdentity, let value { app.rooms.expect(app, as: value) }
            app.order(.writeSecureStorage(operation, key: key.account, value: value), on: &stage)
        case .requestMicrophonePermission(let operation):
            app.order(.requestMicrophonePermission(operation), on: &stage)
        case .explainMicrophone(let notice):
            app.note(MicrophoneExplained(notice: TraceWord(notice)), on: &stage)
        case .beginBackgroundTask: app.order(.beginBackgroundTask(Self.task), on: &stage)
        case .endBackgroundTask: app.order(.endBackgroundTask(Self.task), on: &stage)
        case .writeStorage(.callMemory, let text): app.storage.callMemory = text
        case .writeStorage(.missedCalls, let text): app.storage.missedCalls = text
        case .announce(let event): write(event, on: &stage)
        case .notify(let missed):
            let call = app.system.desk.number(of: missed.callId)
            app.note(MissedCallShown(call: call), on: &stage)
        case .showSignIn(let challenge): app.showSignIn(challenge, on: &stage)
        case .completePush, .configureAudio, .show, .writeCallLog, .writeLog:
            // The system looks at none of them; what leads to them is in the trace.
            break
        }
    }

    private func write(_ event: CallEvent, on stage: inout Stage) {
        app.check(event, on: &stage)
        let desk = app.system.desk
        switch event {
        case .connected(_, let callId):
            let call = desk.number(of: callId)
            app.note(CallConnected(call: call), on: &stage)
            app.planEnd(of: call, on: &stage)
        case .ended(_, let callId, let reason):
            let ended = CallEnded(
                call: desk.number(of: callId),
                reason: TraceWord(CallEnding(reason))
            )
            app.note(ended, on: &stage)
        case .answered, .started, .muted, .held, .audioActivated, .audioDeactivated, .reset:
            break
        }
    }
}
