import AppCoordination
import IncomingCalls
import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

@Suite("The calling app's laws")
struct CallAppCoordinatorLawTests {
    @Test("The calling app keeps the laws of its contract", arguments: 0..<4 as Range<UInt64>)
    func laws(decade: UInt64) throws {
        var connected = 0
        for seed in decade * 8..<decade * 8 + 8 {
            var weather = CallAppWeather()
            let configuration: CallAppConfiguration =
                seed % 5 == 4 ? .asSpecified(bundleId: "app") : .init(bundleId: "app")
            try checkLaws(
                seed: seed,
                steps: 400,
                make: {
                    CallAppCoordinator(
                        configuration: configuration,
                        restoring: CallAppStorage(),
                        clock: WallClock(showing: CallAppStory.launch),
                        microphone: seed % 4 == 3 ? .undecided : .allowed,
                        seed: seed
                    )
                },
                frame: { effect in
                    weather.note(effect)
                    if case .announce(.connected) = effect { connected += 1 }
                    return nil
                }
            ) { random, _ in
                weather.next(&random)
            }
        }
        #expect(connected > 1, "stories without a conversation prove little")
    }
}

/// Draws what users, phones, services and room objects may say to the calling app.
struct CallAppWeather {
    private var open: [CallAppEffect] = []
    private var uuids: [UniqueID] = []
    private var room = (CallLine(index: 0), RoomID(number: 1))
    private var number: UInt32 = 0

    /// Begins with calls of this number.
    init(from number: UInt32 = 0) {
        self.number = number
    }

    mutating func note(_ effect: CallAppEffect) {
        switch effect {
        case .room(let line, let id, let command):
            room = (line, id)
            switch command {
            case .connect, .setMicrophone: open.append(effect)
            case .create, .startRenderer, .stopRenderer, .disconnect, .resume, .release: return
            }
        case .system(.reportIncoming(_, let uuid, _)), .system(.request(_, .start(let uuid, _, _))):
            uuids.append(uuid)
            open.append(effect)
        case .callAPI, .callServer, .readSecureStorage, .writeSecureStorage, .startVoiceEngine,
            .requestMicrophonePermission, .configureAudio:
            open.append(effect)
        default: return
        }
        if open.count > 6 { open.removeFirst() }
        if uuids.count > 3 { uuids.removeFirst() }
    }

    mutating func next(_ random: inout LawRandom) -> CallAppEvent {
        number += 1
        if random.chance(percent: 65), !open.isEmpty,
            let answer = answer(to: open[random.below(open.count)], &random)
        {
            return answer
        }
        switch random.below(26) {
        case 0, 1: return .launched
        case 2, 3:
            let callId = "c-\(Int(number) - random.below(4))"
            return .pushReceived(PushID(number: number), CallAppStory.payload(callId))
        case 4: return .dialled(contactId: "u-9", name: "次郎", hasVideo: false)
        case 5: return random.chance(percent: 8) ? .logoutTapped : .audioActivated
        case 6: return .signedIn(.apple(identityToken: "i"))
        case 7: return random.chance(percent: 60) ? .audioActivated : .audioDeactivated
        case 8: return .pathChanged(random.chance(percent: 30) ? .unsatisfied : .satisfied(.wifi))
        case 9: return .scenePhaseChanged(ScenePhase.allCases[random.below(3)])
        case 10:
            let callbacks: [RoomCallback] = [
                .disconnected(.network), .disconnected(.roomDeleted), .remoteAudioSubscribed,
                .remoteParticipantDisconnected,
            ]
            return .room(room.0, room.1, callbacks[random.below(4)])
        case 11: return .pushTokenReceived([UInt8(random.below(3))])
        case 12:
            let others: [CallAppEvent] = [.pushTokenInvalidated, .voiceEngineStopped]
            return random.chance(percent: 20) ? .providerReset : others[random.below(2)]
        default: return userAction(&random)
        }
    }

    private func userAction(_ random: inout LawRandom) -> CallAppEvent {
        guard let latest = uuids.last else { return .launched }
        let uuid = random.chance(percent: 60) ? latest : uuids[random.below(uuids.count)]
        let flag = random.chance(percent: 50)
        let action: SystemCallAction =
            switch random.below(6) {
            case 0, 1, 2: .answer(uuid)
            case 3: .setHeld(uuid, isHeld: flag)
            case 4: .setMuted(uuid, isMuted: flag)
            default: .end(uuid)
            }
        return .actionRequested(ActionID(number: number), action)
    }

    /// An answer to an order, mostly the one it hopes for.
    private func answer(to effect: CallAppEffect, _ random: inout LawRandom) -> CallAppEvent? {
        let isGood = random.chance(percent: 93)
        switch effect {
        case .callAPI(let operation, let request):
            return .apiAnswered(operation, answer(to: request, isGood))
        case .callServer(let operation, let request, _):
            return .callAnswered(operation, answer(to: request, isGood))
        case .readSecureStorage(let operation, let key):
            let value = key == .deviceIdentity ? CallAppStory.deviceID : "login"
            return .secureStorageRead(operation, isGood ? .value(value) : .failed)
        case .writeSecureStorage(let operation, _, _):
            return .secureStorageWritten(operation, isKept: isGood)
        case .requestMicrophonePermission(let operation):
            return .microphonePermissionAnswered(operation, isGranted: isGood)
        case .startVoiceEngine(let operation):
            return .voiceEngineAnswered(operation, isRunning: isGood)
        case .room(let line, let room, .connect(let operation, _, _, _)):
            return .room(line, room, .connectFinished(operation, isGood ? nil : .network))
        case .room(let line, let room, .setMicrophone(let operation, _)):
            return .room(line, room, .microphoneFinished(operation, isGood ? nil : .timedOut))
        case .probe(let line, let operation, _):
            return isGood ? .probeAnswered(line, operation) : nil
        case .system(.reportIncoming(let operation, _, _)):
            return .reportFinished(operation, isGood ? nil : .filteredByDoNotDisturb)
        case .system(.request(_, let action)):
            return .actionRequested(ActionID(number: number), action)
        case .configureAudio: return .audioActivated
        default: return nil
        }
    }

    private func answer(to request: APIRequest, _ isGood: Bool) -> APIAnswer {
        guard isGood else { return .refused(statusCode: 401) }
        return switch request {
        case .ephemeralToken: VoiceAppStory.credentials
        case .passkeyBegin: .challenge("c")
        case .passkeyComplete, .appleSignIn: .session(token: "login", timeToLive: .seconds(9_000))
        }
    }

    private func answer(to request: CallRequest, _ isGood: Bool) -> CallAnswer {
        guard isGood else { return .failed }
        return switch request {
        case .registerDevice, .unregisterDevice, .withdrawToken, .end: .accepted
        case .place: .placed(room: "r")
        case .status: .status(.answered)
        case .offer: .offer(CallOffer(room: "r", hasVideo: false))
        case .answer: .answered(room: "r")
        case .missed: .missed([])
        }
    }
}
