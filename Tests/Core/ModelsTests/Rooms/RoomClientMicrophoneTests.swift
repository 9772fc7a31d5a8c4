@testable import KodamaNetwork
@testable import KodamaSession
import RealtimeVoice
import SansIO
import Testing

@Suite("The room object's microphone")
struct RoomClientMicrophoneTests {
    static func command(_ number: UInt32, _ isEnabled: Bool) -> RoomClientEvent {
        .command(.setMicrophone(OperationID(number: number), isEnabled: isEnabled))
    }

    static func finished(_ number: UInt32, _ error: RoomError?) -> RoomCallback {
        .microphoneFinished(OperationID(number: number), error)
    }

    @Test("The first order publishes within a round trip, later ones mute and unmute (RS-04)")
    func publish() throws {
        var bench = RoomClientBench()
        bench.connect()
        bench.run(for: .seconds(1))
        #expect(bench.client.machine.mediaRoute == nil)
        bench.forget()
        let ordered = bench.now
        bench.send(Self.command(2, true))
        bench.run(for: .milliseconds(500))
        let answer = try #require(bench.callbacks.first)
        #expect(answer.callback == Self.finished(2, nil))
        #expect(answer.at - ordered == .milliseconds(40))
        #expect(bench.client.machine.mediaRoute?.track == 901)
        bench.send(Self.command(3, false))
        #expect(bench.client.machine.mediaRoute == nil)
        bench.send(Self.command(4, true))
        #expect(bench.client.machine.mediaRoute?.track == 901)
        bench.run(for: .milliseconds(100))
        #expect(
            bench.script.requests.suffix(2) == [
                .mute(track: 901, isMuted: true), .mute(track: 901, isMuted: false),
            ]
        )
        #expect(bench.told.suffix(2) == [Self.finished(3, nil), Self.finished(4, nil)])
    }

    @Test("Before the room is there an order is refused (RS-04)")
    func refused() {
        var bench = RoomClientBench()
        bench.send(Self.command(2, true))
        #expect(bench.told == [Self.finished(2, .invalidState)])
    }

    @Test("An order that comes while the track is published waits for it (RS-04)")
    func waiting() {
        var bench = RoomClientBench()
        bench.connect()
        bench.run(for: .seconds(1))
        bench.forget()
        bench.send(Self.command(2, true))
        bench.send(Self.command(3, false))
        #expect(bench.told.isEmpty)
        bench.run(for: .milliseconds(500))
        #expect(bench.told == [Self.finished(2, nil), Self.finished(3, nil)])
        #expect(bench.client.machine.mediaRoute == nil)
    }

    @Test("A publication that nobody answers ends after 10 s, or with its connection (RS-04)")
    func timeout() {
        var bench = RoomClientBench()
        bench.connect()
        bench.run(for: .seconds(1))
        bench.forget()
        bench.cut = [.signalling]
        bench.send(Self.command(2, true))
        let ordered = bench.now
        bench.run(for: .seconds(11))
        #expect(bench.told == [Self.finished(2, .timedOut)])
        #expect(bench.callbacks.contains { $0.at == ordered + .seconds(10) })

        var broken = RoomClientBench()
        broken.connect()
        broken.run(for: .seconds(1))
        broken.forget()
        broken.cut = [.signalling]
        broken.send(Self.command(2, true))
        broken.send(.socketsFailed(RoomClientBench.wifi))
        #expect(broken.told.first == Self.finished(2, .network))
    }

    @Test("A mute while signalling is down never reaches the server in 2.16 (issue 367)")
    func lostMute() {
        for defects in [SDKDefects.faithful, .ideal] {
            var bench = RoomClientBench.connected(defects: defects)
            bench.cut = [.signalling]
            bench.script.onResume = .refuse(500)
            bench.send(.socketsFailed(RoomClientBench.wifi))
            bench.run(for: .milliseconds(10_100))
            bench.forget()
            bench.send(Self.command(5, false))
            let isLost = defects.losesMutesWhileSignalIsDown
            #expect(bench.told == [Self.finished(5, isLost ? nil : .invalidState)])
            bench.cut = []
            bench.script.onResume = .accept
            bench.run(for: .seconds(20))
            #expect(bench.client.machine.connectionState == .connected)
            let isTold = bench.script.requests.contains(.mute(track: 901, isMuted: true))
            #expect(!isTold)
            #expect((bench.client.machine.mediaRoute == nil) == isLost)
        }
    }

    @Test("A mute while an attempt connects is sent once it has (RS-11)")
    func queuedMute() {
        var bench = RoomClientBench.connected()
        bench.hangUp()
        bench.run(for: .milliseconds(60))
        bench.send(Self.command(5, false))
        bench.run(for: .seconds(2))
        #expect(bench.script.requests.contains(.mute(track: 901, isMuted: true)))
    }

    @Test("A full reconnect publishes the track anew, unless it was muted (RS-11)")
    func republish() {
        for isMuted in [false, true] {
            var bench = RoomClientBench.connected(options: RoomClientReconnectTests.three)
            if isMuted { bench.send(Self.command(3, false)) }
            bench.run(for: .seconds(1))
            bench.script.onResume = .leave(LeaveRequest(.reconnect, .stateMismatch))
            bench.hangUp()
            bench.run(for: .seconds(5))
            #expect(bench.told.last == .remoteAudioSubscribed)
            #expect(bench.client.machine.mediaRoute?.track == (isMuted ? nil : 902))
            bench.send(Self.command(4, true))
            bench.run(for: .seconds(1))
            #expect(bench.client.machine.mediaRoute?.track == 902)
        }
    }

    @Test("Who comes and goes is told once the room is connected (RS-08)")
    func participants() {
        var bench = RoomClientBench.connected()
        let other = RemoteParticipant(participant: 78, identity: "other", tracks: [])
        var gone = RoomClientBench.agent
        gone.hasLeft = true
        bench.say(.participants([other]))
        bench.say(.participants([gone]))
        bench.run(for: .seconds(1))
        #expect(
            bench.told == [
                .remoteParticipantConnected, .remoteAudioUnsubscribed,
                .remoteParticipantDisconnected,
            ]
        )
        #expect(bench.client.machine.audibleRoute == nil)
    }
}
