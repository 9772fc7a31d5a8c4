@testable import KodamaNetwork
@testable import KodamaSession
import RealtimeVoice
import SansIO
import Testing

@Suite("The room object's first connect")
struct RoomClientConnectTests {
    static let first = OperationID(number: 1)

    @Test(
        "A first connect tells of connecting, then connected, then who can be heard (RS-04, RS-08)"
    )
    func order() {
        var bench = RoomClientBench()
        bench.connect()
        bench.run(for: .milliseconds(900))
        #expect(
            bench.told == [
                .connectionStateChanged(.connecting, from: .disconnected),
                .connectionStateChanged(.connected, from: .connecting),
                .connected,
                .connectFinished(Self.first, nil),
                .remoteAudioSubscribed,
            ]
        )
        #expect(
            bench.noted == [
                .attemptBegan(number: 1, .connect), .signalConnected, .mediaConnected,
                .attemptEnded(nil),
            ]
        )
    }

    @Test("A cold connect takes seven round trips, one less when the name is known (K-02)")
    func roundTrips() throws {
        var bench = RoomClientBench()
        bench.connect()
        bench.run(for: .seconds(1))
        let cold = try #require(bench.time(of: .attemptEnded(nil)))
        #expect(cold == .milliseconds(7 * 40))
        bench.send(.command(.disconnect(OperationID(number: 2))))
        bench.run(for: .seconds(1))
        bench.forget()
        let again = bench.now
        bench.connect()
        bench.run(for: .seconds(1))
        let warm = try #require(bench.time(of: .attemptEnded(nil)))
        #expect(warm - again == .milliseconds(6 * 40))
    }

    @Test(
        "Without any network a connect fails within 50 ms (RS-09)",
        arguments: 1...20 as ClosedRange<UInt64>
    )
    func offline(seed: UInt64) throws {
        var bench = RoomClientBench(seed: seed) { $0.offlineTimeMax = .milliseconds(50) }
        bench.send(.addressesChanged([]))
        bench.connect()
        bench.run(for: .seconds(1))
        let failed = try #require(bench.callbacks.last)
        #expect(failed.callback == .connectFinished(Self.first, .network))
        #expect(failed.at <= .milliseconds(50))
        #expect(
            bench.told == [
                .connectionStateChanged(.connecting, from: .disconnected),
                .connectionStateChanged(.disconnected, from: .connecting),
                .failedToConnect(.network),
                .connectFinished(Self.first, .network),
            ]
        )
    }

    @Test("Into a black hole a connect takes its 10 s and 5 s more to ask why (RS-09)")
    func blackHole() throws {
        var bench = RoomClientBench()
        bench.cut = [.signalling, .media]
        bench.connect()
        bench.run(for: .seconds(30))
        let last = try #require(bench.callbacks.last)
        #expect(last.callback == .connectFinished(Self.first, .timedOut))
        #expect(last.at == .seconds(15))
        #expect(bench.noted.last == .attemptEnded(.socketTimeout))
    }

    @Test("A server silent after TLS costs the socket's 10 s, and 5 s more to ask why (RS-09)")
    func silentServer() throws {
        var bench = RoomClientBench()
        bench.script.onJoin = .silence
        bench.connect()
        bench.run(for: .seconds(30))
        let last = try #require(bench.callbacks.last)
        #expect(last.callback == .connectFinished(Self.first, .timedOut))
        #expect(last.at == .seconds(15))
        #expect(bench.noted.last == .attemptEnded(.joinTimeout))
    }

    @Test(
        "Refusals become the SDK's errors (RS-09)",
        arguments: [
            (400, RoomError.validation), (401, .validation), (403, .validation),
            (404, .serviceNotFound), (429, .network), (500, .network), (503, .network),
        ]
    )
    func refusals(statusCode: Int, error: RoomError) {
        var bench = RoomClientBench()
        bench.script.onJoin = .refuse(statusCode)
        bench.connect()
        bench.run(for: .seconds(1))
        #expect(
            bench.told.suffix(2) == [.failedToConnect(error), .connectFinished(Self.first, error)]
        )
        #expect(bench.noted.last == .attemptEnded(.refused))
    }

    @Test("A host that resets the socket refuses; one that breaks on the phone does not (K-20)")
    func reset() throws {
        var bench = RoomClientBench()
        bench.cut = [.signalling]
        bench.connect()
        var broken = bench
        let socket = try #require(bench.socket)
        let reset = Packet(
            from: RoomClientScript.signalling,
            to: socket,
            wireBytes: 40,
            .stream(StreamSegment(.reset, sequence: 0, acknowledgement: 0))
        )
        bench.send(.packet(reset))
        #expect(bench.told.last == .connectFinished(Self.first, .refused))
        #expect(bench.noted.last == .attemptEnded(.socketBroken))
        broken.send(.socketsFailed(RoomClientBench.wifi))
        #expect(broken.told.last == .connectFinished(Self.first, .network))
    }

    @Test("A leave as the first word fails the connect with its reason (RS-11)")
    func leaveFirst() {
        var bench = RoomClientBench()
        bench.script.onJoin = .leave(LeaveRequest(.disconnect, .joinFailure))
        bench.connect()
        bench.run(for: .seconds(1))
        #expect(bench.told.last == .connectFinished(Self.first, .joinFailure))
    }

    @Test("Blocked media fails the connect after the transport's 10 s (RS-09)")
    func blockedMedia() throws {
        var bench = RoomClientBench()
        bench.cut = [.media]
        bench.connect()
        bench.run(for: .seconds(30))
        let last = try #require(bench.callbacks.last)
        #expect(last.callback == .connectFinished(Self.first, .timedOut))
        #expect(last.at == .milliseconds(160) + .seconds(10))
        #expect(bench.noted.last == .attemptEnded(.transportTimeout))
    }

    @Test("A second connect is refused while the first one runs or holds (RS-04)")
    func secondConnect() {
        var bench = RoomClientBench()
        bench.connect()
        let second = OperationID(number: 5)
        let command = RoomCommand.connect(second, url: "wss://room", token: "other", .sdk)
        bench.send(.command(command))
        bench.run(for: .seconds(1))
        bench.send(.command(command))
        #expect(bench.told.filter { $0 == .connectFinished(second, .invalidState) }.count == 2)
        #expect(bench.client.machine.connectionState == .connected)
    }

    @Test("A disconnect sends a leave and ends in order, also while connecting (RS-05, RS-07)")
    func disconnect() {
        var bench = RoomClientBench.connected()
        let operation = OperationID(number: 9)
        bench.send(.command(.disconnect(operation)))
        bench.run(for: .seconds(1))
        #expect(
            bench.told == [
                .connectionStateChanged(.disconnecting, from: .connected),
                .remoteAudioUnsubscribed,
                .remoteParticipantDisconnected,
                .connectionStateChanged(.disconnected, from: .disconnecting),
                .disconnected(nil),
                .disconnectFinished(operation),
            ]
        )
        #expect(bench.script.requests.last == .leave(.clientInitiated))

        var early = RoomClientBench()
        early.connect()
        early.run(for: .milliseconds(100))
        early.send(.command(.disconnect(operation)))
        early.run(for: .seconds(20))
        #expect(
            early.told.suffix(3) == [
                .disconnected(nil), .connectFinished(Self.first, .cancelled),
                .disconnectFinished(operation),
            ]
        )
        #expect(early.noted.last == .attemptEnded(.cancelled))
        #expect(early.client.machine.connectionState == .disconnected)
    }

    @Test(
        "A leave reaches the server although its packet is lost and the room is let go of (RS-05)"
    )
    func leaveSurvivesLoss() {
        var bench = RoomClientBench.connected()
        bench.cut = [.signalling]
        bench.send(.command(.disconnect(OperationID(number: 9))))
        bench.send(.command(.release))
        bench.cut = []
        bench.run(for: .seconds(5))
        #expect(bench.script.requests.last == .leave(.clientInitiated))
        #expect(bench.client.machine.isFinished)
    }

    @Test("Letting go says nothing to the server or the app, and closes the socket (RS-11)")
    func release() {
        var bench = RoomClientBench.connected()
        let requests = bench.script.requests.count
        bench.send(.command(.release))
        bench.run(for: .seconds(5))
        #expect(bench.told.isEmpty)
        #expect(bench.script.requests.count == requests)
        #expect(bench.client.machine.isFinished)
        #expect(bench.script.sockets.allSatisfy { $0.stream.isFinished })
    }
}
