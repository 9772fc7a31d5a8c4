import AppCoordination
import IncomingCalls
import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

private typealias Story = CallAppStory
private typealias Effect = CallAppEffect

@Suite("The calling app: the second call of a line is like the first")
struct CallAppSecondCallTests {
    /// An app whose system, servers and rooms answer at once whatever it orders.
    private struct Phone {
        var app = CallAppCoordinator(
            configuration: CallAppStory.configuration,
            restoring: CallAppStorage(),
            clock: WallClock(showing: CallAppStory.launch),
            microphone: .allowed,
            seed: 1
        )
        private(set) var room: RoomID?
        private(set) var announced: [CallEvent] = []
        private var number: UInt32 = 0
        /// Whether the server has heard the call's answer; from then on it says nothing of it.
        private var isTaken = false

        mutating func pass(until milliseconds: Int64) {
            let end = Instant.zero.advanced(by: .milliseconds(milliseconds))
            while let due = app.deadline?.instant, due <= end {
                perform(app.wake(at: due), at: due)
            }
        }

        mutating func send(_ event: CallAppEvent, at milliseconds: Int64) {
            pass(until: milliseconds)
            let now = Instant.zero.advanced(by: .milliseconds(milliseconds))
            perform(app.handle(event, at: now), at: now)
        }

        private mutating func perform(_ effects: [CallAppEffect], at now: Instant) {
            for effect in effects {
                if case .announce(let event) = effect { announced.append(event) }
                if case .room(_, let id, .create) = effect { room = id }
                if case .callServer(_, .answer, _) = effect { isTaken = true }
                guard let answer = answer(to: effect) else { continue }
                perform(app.handle(answer, at: now), at: now)
            }
        }

        private func answer(to effect: CallAppEffect) -> CallAppEvent? {
            switch effect {
            case .readSecureStorage(let id, .deviceIdentity):
                .secureStorageRead(id, .value(Story.deviceID))
            case .readSecureStorage(let id, _): .secureStorageRead(id, .value("login"))
            case .system(.reportIncoming(let id, _, _)): .reportFinished(id, nil)
            case .startVoiceEngine(let id): .voiceEngineAnswered(id, isRunning: true)
            case .callServer(let id, .missed, _): .callAnswered(id, .missed([]))
            case .callServer(let id, .status, _):
                isTaken ? nil : .callAnswered(id, .status(.ringing()))
            case .callServer(let id, .offer, _):
                .callAnswered(id, .offer(CallOffer(room: "call-x", hasVideo: false)))
            case .callServer(let id, .answer, _): .callAnswered(id, .answered(room: "call-x"))
            case .callServer(let id, _, _): .callAnswered(id, .accepted)
            case .callAPI(let id, _):
                .apiAnswered(
                    id,
                    .credentials(
                        RoomCredentials(
                            token: "t",
                            url: "u",
                            timeToLive: .seconds(600),
                            room: "call-x"
                        )
                    )
                )
            case .room(let line, let room, .connect(let id, _, _, _)):
                .room(line, room, .connectFinished(id, nil))
            case .room(let line, let room, .setMicrophone(let id, _)):
                .room(line, room, .microphoneFinished(id, nil))
            default: nil
            }
        }

        /// A call that is answered at once, and whose other side is there for three seconds.
        ///
        /// - Returns: How long after its answer the app ends it, in milliseconds.
        mutating func call(_ callId: String, isHeard: Bool, at start: Int64) -> Int64? {
            number += 1
            isTaken = false
            send(.pushReceived(PushID(number: number), Story.payload(callId)), at: start)
            guard let uuid = app.calls.first?.uuid else { return nil }
            send(.actionRequested(ActionID(number: number), .answer(uuid)), at: start)
            send(.audioActivated, at: start)
            guard let room else { return nil }
            send(.room(Story.line, room, .remoteAudioSubscribed), at: start)
            for second in 1..<90 as Range<Int64> {
                var statistics = RoomStatistics()
                statistics.consentResponses = second
                statistics.packetsSent = 50 * second
                statistics.packetsReceived = isHeard ? 50 : 0
                statistics.othersPresent = second <= 2 ? 1 : 0
                send(.room(Story.line, room, .statistics(statistics)), at: start + second * 1_000)
                if app.calls.isEmpty {
                    send(.audioDeactivated, at: start + second * 1_000)
                    return second * 1_000
                }
            }
            return nil
        }
    }

    @Test("Who was heard and has left has the same time to come back in each call (VP-05)")
    func heardAgain() throws {
        var first: [Bool: Int64] = [:]
        for isHeard in [true, false] {
            var phone = Phone()
            phone.send(.launched, at: 0)
            let called = phone.call("c-1", isHeard: isHeard, at: 1_000)
            let lasted: Int64 = try #require(called)
            first[isHeard] = lasted
            // Whatever the first call was, the second is like a first one.
            for isHeardThen in [true, false] {
                var fresh = Phone()
                fresh.send(.launched, at: 0)
                let expected = fresh.call("c-2", isHeard: isHeardThen, at: 200_000)
                var second = phone
                let lasted = second.call("c-2", isHeard: isHeardThen, at: 200_000)
                #expect(
                    lasted != nil && lasted == expected,
                    "heard first \(isHeard), then \(isHeardThen)"
                )
                let connected = second.announced.filter {
                    if case .connected = $0 { true } else { false }
                }
                #expect(connected.count == 2, "each call is told as connected")
            }
        }
        #expect(first[true] != first[false], "else it proves nothing")
    }
}
