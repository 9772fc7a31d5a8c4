import AppCoordination
import RealtimeVoice
import SansIO
import Testing

@Suite("What the voice app publishes")
struct VoiceAppPublishingTests {
    private typealias Effect = VoiceAppEffect

    /// An app whose phone answers every order of the walk at once.
    private struct Phone {
        var app: VoiceAppCoordinator
        var now = Instant.zero

        init(adapts: Bool) {
            var configuration = VoiceAppConfiguration()
            configuration.audio.isEnabled = adapts
            app = VoiceAppCoordinator(configuration: configuration, seed: 1)
        }

        /// Tells the app something, and answers what follows from it.
        ///
        /// - Returns: What it ordered of engine and publishing, in order.
        mutating func tell(_ event: VoiceAppEvent) -> [Effect] {
            var found: [Effect] = []
            var events = [event]
            while !events.isEmpty {
                for effect in app.drive(events.removeFirst(), at: now) {
                    switch effect {
                    case .readSecureStorage(let operation, _):
                        let identity = VoiceAppStory.deviceID
                        events.append(.secureStorageRead(operation, .value(identity)))
                    case .requestMicrophonePermission(let operation):
                        events.append(.microphonePermissionAnswered(operation, isGranted: true))
                    case .startVoiceEngine(let operation):
                        found.append(effect)
                        events.append(.voiceEngineAnswered(operation, isRunning: true))
                    case .publish, .stopVoiceEngine: found.append(effect)
                    default: continue
                    }
                }
            }
            return found
        }

        /// A second of voice over a path with this round trip.
        mutating func measure(_ roundTrip: Duration, _ bytes: Int64) -> [Effect] {
            now = now.advanced(by: .seconds(1))
            var statistics = RoomStatistics()
            statistics.roundTrip = roundTrip
            statistics.bytesSent = bytes
            return tell(.room(RoomID(number: 1), .statistics(statistics)))
        }
    }

    private func published(_ kilobits: Int64, _ hertz: Int) -> Effect {
        let rate = DataRate(bitsPerSecond: kilobits * 1_000)
        return .publish(PublishedAudio(bitRate: rate, sampleRateHertz: hertz))
    }

    private func isStart(_ effect: Effect) -> Bool {
        if case .startVoiceEngine = effect { true } else { false }
    }

    @Test(
        "Rates are chosen before the engine starts, and the bit rate while it runs, twice (AN-12)"
    )
    func adapts() throws {
        var phone = Phone(adapts: true)
        #expect(phone.tell(.pathChanged(.satisfied(.wifi))).isEmpty)
        let begun = phone.tell(.launched) + phone.tell(.scenePhaseChanged(.active))
        #expect(begun.first == published(24, 48_000))
        #expect(begun.count == 2 && begun.last.map(isStart) == true)
        var reserves = PhoneReserves()
        for _ in 0..<2 {
            reserves.isLowPowerMode = true
            #expect(phone.tell(.reservesChanged(reserves)) == [published(16, 48_000)])
            #expect(phone.tell(.disconnectTapped) == [.stopVoiceEngine])
            let again = phone.tell(.connectTapped)
            #expect(again.first == published(16, 16_000), "before the engine starts")
            #expect(again.count == 2 && again.last.map(isStart) == true)
            reserves.isLowPowerMode = false
            #expect(phone.tell(.reservesChanged(reserves)) == [published(24, 16_000)])
            #expect(phone.tell(.disconnectTapped) == [.stopVoiceEngine])
            #expect(phone.tell(.connectTapped).first == published(24, 48_000))
        }
    }

    @Test("What a room object's statistics say of the link reaches what is published (AN-12)")
    func link() {
        var phone = Phone(adapts: true)
        _ = phone.tell(.pathChanged(.satisfied(.wifi)))
        _ = phone.tell(.launched)
        _ = phone.tell(.scenePhaseChanged(.active))
        #expect(phone.measure(.milliseconds(60), 3_000).isEmpty)
        #expect(phone.measure(.milliseconds(900), 6_000) == [published(12, 48_000)])
        #expect(phone.tell(.pathChanged(.unsatisfied)).isEmpty)
        #expect(phone.tell(.pathChanged(.satisfied(.cellular))) == [published(16, 48_000)])
    }

    @Test("An app that does not adapt never says how it publishes (AN-12)")
    func off() {
        var phone = Phone(adapts: false)
        _ = phone.tell(.pathChanged(.satisfied(.cellular)))
        let begun = phone.tell(.launched) + phone.tell(.scenePhaseChanged(.active))
        #expect(begun.count == 1 && begun.first.map(isStart) == true)
        var reserves = PhoneReserves()
        reserves.batteryPercent = 1
        #expect(phone.tell(.reservesChanged(reserves)).isEmpty)
        #expect(phone.measure(.milliseconds(60), 3_000).isEmpty)
        #expect(phone.measure(.milliseconds(900), 6_000).isEmpty)
    }
}
