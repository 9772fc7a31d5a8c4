import AppCoordination
import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

@Suite("The voice app's laws")
struct VoiceAppCoordinatorLawTests {
    @Test("The voice app keeps the laws of its contract", arguments: 0..<10 as Range<UInt64>)
    func laws(decade: UInt64) throws {
        var connected = 0
        for seed in decade * 10..<decade * 10 + 10 {
            var weather = VoiceAppWeather()
            var configuration: VoiceAppConfiguration = seed % 5 == 4 ? .asSpecified : .init()
            configuration.login = seed % 2 == 0 ? .deviceIdentity : .signedIn
            configuration.audio.isEnabled = seed % 3 == 0
            try checkLaws(
                seed: seed,
                steps: 400,
                make: { VoiceAppCoordinator(configuration: configuration, seed: seed) },
                frame: { effect in
                    weather.note(effect)
                    if case .writeLog(.connected) = effect { connected += 1 }
                    return nil
                }
            ) { random, _ in
                weather.next(&random)
            }
        }
        #expect(connected > 5, "stories without a conversation prove little")
    }
}

/// Draws what users, phones, services and room objects may say to the voice app.
struct VoiceAppWeather {
    private var open: [VoiceAppEffect] = []
    private var room = RoomID(number: 1)
    private var counts = RoomStatistics()

    mutating func note(_ effect: VoiceAppEffect) {
        if case .room(let id, _) = effect { room = id }
        open.append(effect)
        if open.count > 6 { open.removeFirst() }
    }

    mutating func next(_ random: inout LawRandom) -> VoiceAppEvent {
        if random.chance(percent: 60), !open.isEmpty,
            let answer = answer(to: open[random.below(open.count)], &random)
        {
            return answer
        }
        switch random.below(18) {
        case 0: return .launched
        case 1: return .connectTapped
        case 2: return .notificationTapped
        case 3: return random.chance(percent: 40) ? .disconnectTapped : .logoutTapped
        case 4: return .muteTapped(isMuted: random.chance(percent: 50))
        case 5: return .signedIn(.apple(identityToken: "i"))
        case 6: return .signedIn(.passkey(assertion: "a"))
        case 7: return random.chance(percent: 70) ? .audioSessionTaken : .voiceEngineStopped
        case 8: return .audioSessionReturned
        case 9: return .pathChanged(.unsatisfied)
        case 10: return .pathChanged(.satisfied(random.chance(percent: 50) ? .wifi : .cellular))
        case 11: return .scenePhaseChanged(ScenePhase.allCases[random.below(3)])
        case 12: return .room(room, .disconnected(.network))
        case 13: return .room(room, .reconnectStarted(.quick))
        case 14: return .room(room, .reconnectCompleted(.full))
        case 15:
            let seconds = Int64(random.below(10_000))
            return .clockChanged(WallTime(nanosecondsSince1970: seconds * 1_000_000_000))
        case 16:
            var reserves = PhoneReserves()
            reserves.batteryPercent = random.below(101)
            reserves.isLowPowerMode = random.chance(percent: 20)
            return .reservesChanged(reserves)
        default:
            counts.consentResponses += Int64(random.below(2))
            counts.bytesSent = (counts.bytesSent ?? 0) + Int64(random.below(4_000))
            counts.roundTrip = .milliseconds(random.below(1_000))
            return .room(room, .statistics(counts))
        }
    }

    /// An answer to an order, mostly the one it hopes for.
    private func answer(to effect: VoiceAppEffect, _ random: inout LawRandom) -> VoiceAppEvent? {
        let isGood = random.chance(percent: 85)
        switch effect {
        case .callAPI(let operation, let request):
            return .apiAnswered(operation, answer(to: request, isGood))
        case .readSecureStorage(let operation, let key):
            let value = key == .deviceIdentity ? VoiceAppStory.deviceID : "login"
            return .secureStorageRead(operation, isGood ? .value(value) : .failed)
        case .writeSecureStorage(let operation, _, _):
            return .secureStorageWritten(operation, isKept: isGood)
        case .requestMicrophonePermission(let operation):
            return .microphonePermissionAnswered(operation, isGranted: isGood)
        case .startVoiceEngine(let operation):
            if !isGood, random.chance(percent: 50) { return .voiceEngineOutranked(operation) }
            return .voiceEngineAnswered(operation, isRunning: isGood)
        case .room(let room, .connect(let operation, _, _, _)):
            return .room(room, .connectFinished(operation, isGood ? nil : .network))
        case .room(let room, .setMicrophone(let operation, _)):
            return .room(room, .microphoneFinished(operation, isGood ? nil : .timedOut))
        case .probe(let operation, _):
            return isGood ? .probeAnswered(operation) : nil
        case .room, .cancelAPI, .publish, .stopVoiceEngine, .show, .showSignIn, .handOverOffline,
            .takeBackOnline, .endOffline, .writeLog:
            return nil
        }
    }

    private func answer(to request: APIRequest, _ isGood: Bool) -> APIAnswer {
        if case .ephemeralToken(_, _?, _) = request, !isGood { return .foreignDevice }
        guard isGood else { return .refused(statusCode: 401) }
        return switch request {
        case .ephemeralToken: VoiceAppStory.credentials
        case .passkeyBegin: .challenge("c")
        case .passkeyComplete, .appleSignIn:
            .session(token: "login", timeToLive: .seconds(90))
        }
    }
}
