import AppCoordination
import Evidence
import Models
import RealtimeVoice
import SansIO

/// A process of the voice session app, from its launch to its end.
final class VoiceApp: Host {
    @exclusivity(unchecked) var seat: Seat<VoiceAppCoordinator>
    unowned(unsafe) let phone: SessionPhone

    init(_ machine: VoiceAppCoordinator, on phone: SessionPhone, at now: Instant) {
        seat = Seat(machine, at: now)
        self.phone = phone
    }

    /// Nothing reaches a process that is launched, held or has ended.
    var isAwake: Bool { phone.app === self && phone.process == .running }

    func scheduleWake(at instant: Instant, on stage: inout Stage) {
        phone.scheduleWake(.appWake, at: instant, on: &stage)
    }

    /// What the app is told, for the trace.
    func willHear(_ event: VoiceAppEvent, on stage: inout Stage) {
        switch event {
        case .scenePhaseChanged(let phase):
            phone.write(.sceneChanged, SIMD4(phase.rawValue, 0, 0, 0), on: &stage)
        case .pathChanged(.unsatisfied):
            phone.write(.pathNoticed, SIMD4(-1, 0, 0, 0), on: &stage)
        case .pathChanged(.satisfied(let interface)):
            phone.write(.pathNoticed, SIMD4(Int64(interface.rawValue), 0, 0, 0), on: &stage)
        case .apiAnswered(let operation, let answer):
            let values = SIMD4(Int64(operation.number), answer.traceNumber, 0, 0)
            phone.write(.tokenAnswered, values, on: &stage)
        default:
            // The rest is the app's own affair, or noted where it comes from.
            break
        }
    }

    /// The binding of the app's effects.
    func perform(_ effect: VoiceAppEffect, on stage: inout Stage) {
        switch effect {
        case .room(let room, let command):
            perform(command, room, on: &stage)
        case .callAPI(let operation, let request):
            phone.call(request, operation, on: &stage)
        case .cancelAPI(let operation):
            phone.endCall(operation)
            let values = SIMD4<Int64>(Int64(operation.number), -2, 0, 0)
            phone.write(.tokenAnswered, values, on: &stage)
        case .readSecureStorage(let operation, let key):
            order(.readSecureStorage(operation, key: "\(key)"), on: &stage)
        case .writeSecureStorage(let operation, let key, let value):
            order(.writeSecureStorage(operation, key: "\(key)", value: value), on: &stage)
        case .requestMicrophonePermission(let operation):
            order(.requestMicrophonePermission(operation), on: &stage)
        case .startVoiceEngine(let operation):
            order(.startVoiceEngine(operation), on: &stage)
        case .stopVoiceEngine:
            order(.stopVoiceEngine, on: &stage)
        case .show(let status):
            phone.write(.statusShown, SIMD4(status.stage.rawValue, 0, 0, 0), on: &stage)
        case .showSignIn(let challenge):
            phone.signInChallenge = challenge
        case .writeLog:
            // For eyes; what leads to it is in the trace.
            break
        case .handOverOffline:
            phone.write(.offlineHandedOver, on: &stage)
        case .takeBackOnline:
            phone.write(.offlineTakenBack, on: &stage)
        case .endOffline:
            phone.write(.offlineEnded, on: &stage)
        }
    }

    /// An order to the phone's system.
    private func order(_ order: SystemOrder, on stage: inout Stage) {
        phone.tell(.ordered(SessionPhone.sessionApp, order), on: &stage)
    }

    /// An order to a room object.
    private func perform(_ command: RoomCommand, _ id: RoomID, on stage: inout Stage) {
        if command == .create { phone.makeRoom(id, on: &stage) }
        guard let room = phone.room(id) else { return }
        let number = Int64(room.serial)
        switch command {
        case .connect:
            phone.write(.connectBegan, SIMD4(number, 0, 0, 0), on: &stage)
        case .disconnect:
            let values = SIMD4(number, Leaving.disconnect.rawValue, 0, 0)
            phone.write(.roomLeft, values, on: &stage)
        case .release:
            phone.write(.roomLeft, SIMD4(number, Leaving.letGo.rawValue, 0, 0), on: &stage)
        case .create, .setMicrophone, .startRenderer, .stopRenderer:
            break
        }
        room.tell(.command(command), on: &stage)
    }
}

/// How `room.left` says the app ended a room object.
enum Leaving: Int64 {
    case disconnect
    case letGo
}

extension APIAnswer {
    /// What `token.answered` says of it.
    var traceNumber: Int64 {
        switch self {
        case .credentials, .challenge, .session: 200
        case .refused(let statusCode): Int64(statusCode)
        case .failed(.offline): -1
        case .failed(.timedOut): -2
        case .failed(.connectionLost): -3
        case .malformed: -4
        }
    }
}
