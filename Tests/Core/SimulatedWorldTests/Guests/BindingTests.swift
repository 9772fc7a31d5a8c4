import AppCoordination
@testable import KodamaEvidence
@testable import KodamaIntercom
@testable import KodamaLanguage
@testable import KodamaPhone
@testable import KodamaSession
@testable import KodamaSimulation
@testable import KodamaWorld
import PeerTransport
import RealtimeVoice
import SansIO
import Testing

@Suite("Apps bound to a phone, without a world")
struct BindingTests {
    /// A phone with the intercom alone, on an empty stage.
    private struct Bench: ~Copyable {
        let phone: Phone
        let app: IntercomApp
        var stage = Stage.empty()

        init(_ condition: PhoneCondition = PhoneCondition()) {
            let launches = RandomStream(seed: 1, purpose: "launch", entity: "phone")
            let installed = InstalledApp(launches: launches, microphone: condition.microphone)
            phone = Phone(
                plan: PhonePlan(name: "phone"),
                index: ComponentIndex(0),
                seed: 1,
                radios: [],
                system: PhoneSystem(apps: [installed], interfaces: [], condition: condition)
            )
            var plan = IntercomAppPlan()
            plan.group = "ridge"
            let installation = Installation(
                phone: phone,
                id: AppID(0),
                index: ComponentIndex(1),
                name: "phone.intercom"
            )
            app = IntercomApp(
                plan,
                installation,
                as: PeerID(streamID: 7),
                neighbours: [],
                sound: IntercomSound(
                    of: ComponentIndex(1),
                    members: [],
                    device: SizedSound(tracks: [], seed: 1, device: "phone"),
                    keepsBytes: false
                )
            )
            phone.install(app)
        }

        mutating func hear(_ event: PhoneEvent) {
            phone.hear(event, on: &stage)
            stage.settle()
        }

        /// Lets so many deliveries happen, or all there are; returns how many frames were captured.
        mutating func play(_ deliveryCount: Int) -> Int {
            let components: [any Component] = [phone, app]
            let end = Instant.zero.advanced(by: .seconds(3_600))
            for _ in 0..<deliveryCount {
                guard let delivery = stage.next(before: end) else { break }
                components[delivery.receiver].deliver(delivery, on: &stage)
                stage.settle()
            }
            var recorder = TraceRecorder(scenario: "bench", seed: 1)
            recorder.begin(TraceDirectory(names: ["phone", "phone.intercom"], systems: .shipped))
            stage.flush(into: &recorder, all: true)
            return recorder.trace.records.count { $0.kind == FrameCaptured.kind }
        }
    }

    @Test("An intercom that is found open gets the microphone, and its frames")
    func found() {
        var bench = Bench()
        #expect(!bench.app.isAwake)
        bench.hear(.foundOpen(AppID(0)))
        #expect(bench.app.isAwake)
        #expect(bench.phone.soundOwner === bench.app)
        // In a second 50 frames are captured and sound is asked for a hundred times; a keepalive is due.
        #expect((48...51).contains(bench.play(150)))
    }

    @Test("The intercom's sound is in the mode for voice, and another one is noticed (S-AUD-001)")
    func mode() {
        var bench = Bench()
        bench.hear(.foundOpen(AppID(0)))
        #expect(bench.phone.soundOwner === bench.app && bench.phone.isInVoiceChat)
        bench.hear(.ordered(AppID(0), .configureAudioSession(AudioSessionOptions())))
        #expect(!bench.phone.isInVoiceChat)
        bench.hear(.user(.killApp(AppID(0))))
        #expect(bench.phone.isInVoiceChat)
    }

    @Test("A phone call takes the frames away, and its end gives them back")
    func phoneCall() {
        var bench = Bench()
        bench.hear(.foundOpen(AppID(0)))
        _ = bench.play(75)
        bench.hear(.user(.phoneCallBegins))
        #expect(bench.phone.soundOwner == nil)
        #expect(bench.play(75) == 0)
        bench.hear(.user(.phoneCallEnds))
        #expect(bench.phone.soundOwner === bench.app)
        #expect(bench.play(75) > 20)
    }

    @Test("A user who refuses the microphone gets no engine, and no frame is captured")
    func refusal() {
        var condition = PhoneCondition()
        condition.microphone.status = .denied
        var bench = Bench(condition)
        bench.hear(.foundOpen(AppID(0)))
        #expect(bench.app.isAwake)
        #expect(bench.phone.soundOwner == nil)
        #expect(bench.play(75) == 0)
    }

    @Test("A killed intercom holds no frame and captures none; opened again it does")
    func killed() {
        var bench = Bench()
        bench.hear(.foundOpen(AppID(0)))
        _ = bench.play(75)
        #expect(bench.app.sound.frames.count > 0)
        bench.hear(.user(.killApp(AppID(0))))
        #expect(!bench.app.isAwake)
        #expect(bench.app.sound.frames.count == 0)
        #expect(bench.play(75) == 0)
        bench.hear(.user(.openApp(AppID(0))))
        #expect(bench.play(300) > 80)
    }

    @Test(
        "What the system says is to the voice session what it is to an app on a phone (RS-08, RS-15)"
    )
    func sessionNews() {
        let operation = OperationID(number: 3)
        let heard: [(SystemNews, VoiceAppEvent?)] = [
            (.launched(.user), .launched),
            (.scene(.background), .scenePhaseChanged(.background)),
            (.path(.satisfied(.cellular)), .pathChanged(.satisfied(.cellular))),
            (.audio(.interruptionBegan), .audioSessionTaken),
            (.audio(.interruptionEnded(shouldResume: true)), .audioSessionReturned),
            (.notificationTapped, .notificationTapped),
            (.backgroundTimeExpired(operation), nil),
            (
                .answer(operation, .microphonePermission(isGranted: false)),
                .microphonePermissionAnswered(operation, isGranted: false)
            ),
            (
                .answer(operation, .voiceEngine(.failed(.insufficientPriority))),
                .voiceEngineOutranked(operation)
            ),
            (
                .answer(operation, .voiceEngine(.failed(.cannotStartRecording))),
                .voiceEngineAnswered(operation, isRunning: false)
            ),
            (.answer(.ofSDK, .voiceEngine(.failed(.cannotStartRecording))), .voiceEngineStopped),
            (
                .answer(operation, .secureStorageRead(.failed(.interactionNotAllowed))),
                .secureStorageRead(operation, .failed)
            ),
        ]
        for (news, event) in heard { #expect(VoiceAppEvent(news) == event) }
    }
}
