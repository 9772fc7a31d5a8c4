import AppCoordination
import AppServer
import Evidence
import Models
import RealtimeVoice
import SansIO
import Scenarios
import Simulation

extension World {
    /// Gives the app an event, or wakes it.
    mutating func driveApp(_ phone: SessionPhone, _ event: VoiceAppEvent?, at now: Instant) {
        guard phone.app != nil, !phone.isSuspended else { return }
        if let event { note(event, of: phone, at: now) }
        let perform = { (world: inout World, effect: VoiceAppEffect) in
            world.perform(effect, of: phone, at: now)
        }
        phone.app?.drive(event, at: now) { perform(&self, $0) }
        armWake(of: phone, at: now)
    }

    /// What the app is told, for the trace.
    private mutating func note(_ event: VoiceAppEvent, of phone: SessionPhone, at now: Instant) {
        switch event {
        case .scenePhaseChanged(let phase):
            write(.sceneChanged, phone, SIMD4(phase.rawValue, 0, 0, 0), at: now)
        case .pathChanged(.unsatisfied):
            write(.pathNoticed, phone, SIMD4(-1, 0, 0, 0), at: now)
        case .pathChanged(.satisfied(let interface)):
            write(.pathNoticed, phone, SIMD4(Int64(interface.rawValue), 0, 0, 0), at: now)
        case .apiAnswered(let operation, let answer):
            let values = SIMD4(Int64(operation.number), answer.traceNumber, 0, 0)
            write(.tokenAnswered, phone, values, at: now)
        default:
            // The rest is the app's own affair, or noted where it comes from.
            break
        }
    }

    /// The binding of the app's effects.
    private mutating func perform(
        _ effect: VoiceAppEffect,
        of phone: SessionPhone,
        at now: Instant
    ) {
        switch effect {
        case .room(let room, let command):
            perform(command, room, of: phone, at: now)
        case .callAPI(let operation, let request):
            call(request, operation, of: phone, at: now)
        case .cancelAPI(let operation):
            phone.requests.removeAll { $0.operation == operation }
            write(.tokenAnswered, phone, SIMD4(Int64(operation.number), -2, 0, 0), at: now)
        case .readSecureStorage(let operation, let key):
            let answer = SecureAnswer.value(phone.keychain[key])
            sessionInbox.append(.app(phone: phone.place, .secureStorageRead(operation, answer)))
        case .writeSecureStorage(let operation, let key, let value):
            phone.keychain[key] = value
            sessionInbox.append(
                .app(phone: phone.place, .secureStorageWritten(operation, isKept: true))
            )
        case .requestMicrophonePermission(let operation):
            sessionInbox.append(
                .app(
                    phone: phone.place,
                    .microphonePermissionAnswered(operation, isGranted: true)
                )
            )
        case .startVoiceEngine(let operation):
            let isRunning = phone.system.ask { $0.audioIsFree }
            if isRunning { sessionInbox.append(.system(phone: phone.place, .audioRunning(true))) }
            sessionInbox.append(
                .app(phone: phone.place, .voiceEngineAnswered(operation, isRunning: isRunning))
            )
        case .stopVoiceEngine:
            sessionInbox.append(.system(phone: phone.place, .audioRunning(false)))
        case .show(let status):
            phone.stage = status.stage
            write(.statusShown, phone, SIMD4(status.stage.rawValue, 0, 0, 0), at: now)
        case .showSignIn(let challenge):
            phone.signInChallenge = challenge
        case .writeLog:
            // For eyes; what leads to it is in the trace.
            break
        case .handOverOffline:
            write(.offlineHandedOver, phone, at: now)
        case .takeBackOnline:
            write(.offlineTakenBack, phone, at: now)
        case .endOffline:
            write(.offlineEnded, phone, at: now)
        }
    }

    /// An order to a room object.
    private mutating func perform(
        _ command: RoomCommand,
        _ room: RoomID,
        of phone: SessionPhone,
        at now: Instant
    ) {
        if command == .create { make(room, of: phone, at: now) }
        guard let place = phone.place(of: room) else { return }
        let number = Int64(phone.rooms[place].serial)
        switch command {
        case .connect:
            write(.connectBegan, phone, SIMD4(number, 0, 0, 0), at: now)
        case .disconnect:
            write(.roomLeft, phone, SIMD4(number, Leaving.disconnect.rawValue, 0, 0), at: now)
        case .release:
            write(.roomLeft, phone, SIMD4(number, Leaving.letGo.rawValue, 0, 0), at: now)
        case .create, .setMicrophone, .startRenderer, .stopRenderer:
            break
        }
        sessionInbox.append(
            .room(phone: phone.place, serial: phone.rooms[place].serial, .command(command))
        )
    }

    private mutating func make(_ room: RoomID, of phone: SessionPhone, at now: Instant) {
        phone.roomCount += 1
        let serial = phone.roomCount
        let client = RoomClient(
            configuration: phone.plan.sdk,
            room: room,
            host: UInt16(phone.place),
            server: ServerSite.signalling,
            portBase: serial * SessionPhone.portsPerRoom,
            seed: phoneSeed(phone, "room", Int(serial))
        )
        phone.rooms.append(
            .init(
                serial: serial,
                id: room,
                launch: phone.launchCount,
                client: Hosted(client, at: now)
            )
        )
        sessionInbox.append(
            .room(phone: phone.place, serial: serial, .addressesChanged(phone.addresses))
        )
    }

    /// A seed for the `number`-th thing of a kind that a phone makes.
    func phoneSeed(_ phone: SessionPhone, _ purpose: StaticString, _ number: Int) -> UInt64 {
        RandomStream(seed: seed, purpose: purpose, entity: phone.plan.name)
            .bits(at: UInt64(number))
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
