import RealtimeVoice
import SansIO
import SansIOTesting

/// Draws what users, phones, services and room objects may say to a session, answers to what it
/// ordered among them, in and out of place.
struct SessionWeather {
    private var operation: UInt32 = 1
    private var room: UInt32 = 1
    private var probe: UInt32 = 0
    private var counts = RoomStatistics()
    /// Whether stale answers are chosen by their distance from the latest, and not among all numbers.
    var isRelative = false
    /// Whether the binding counts packets that come in.
    private var countsReceived = true

    /// Learns the numbers of what was ordered, so that some answers are to the point.
    mutating func note(_ effect: RealtimeSession.Effect) {
        switch effect {
        case .callAPI(let operation, _):
            self.operation = operation.number
        case .probe(let operation, _):
            probe = operation.number
        case .room(let id, let command):
            room = id.number
            switch command {
            case .connect(let operation, _, _, _), .setMicrophone(let operation, _),
                .disconnect(let operation):
                self.operation = operation.number
            case .create, .startRenderer, .stopRenderer, .resume, .release:
                return
            }
        default:
            return
        }
    }

    mutating func next(_ random: inout LawRandom) -> RealtimeSession.Event {
        switch random.below(100) {
        case 0..<6: .connectRequested(SessionStory.identity)
        case 6..<8: .becameReady(SessionIdentity(deviceID: "device", bearer: "login"))
        case 8..<11: .disconnectRequested
        case 11..<19: .scenePhaseChanged(pick(ScenePhase.allCases, &random))
        case 19..<27: .pathChanged(path(&random))
        case 27..<31: .muteChanged(isMuted: random.chance(percent: 50))
        case 31..<34: .audioAccessChanged(pick(AudioAccess.allCases, &random))
        case 34:
            .clockChanged(
                WallTime(nanosecondsSince1970: Int64(random.below(10_000)) * 1_000_000_000)
            )
        case 35..<50: .apiAnswered(anOperation(&random), answer(&random))
        case 96..<100:
            .probeAnswered(OperationID(number: probe &- UInt32(random.below(4))))
        default: .room(aRoom(&random), callback(&random))
        }
    }

    private func pick<Value>(_ values: [Value], _ random: inout LawRandom) -> Value {
        values[random.below(values.count)]
    }

    private func path(_ random: inout LawRandom) -> NetworkPath {
        pick([.unsatisfied, .satisfied(.wifi), .satisfied(.cellular)], &random)
    }

    private func anOperation(_ random: inout LawRandom) -> OperationID {
        let isLatest = random.chance(percent: 85)
        if isRelative, !isLatest {
            return OperationID(number: operation &- UInt32(random.below(4)))
        }
        return OperationID(number: isLatest ? operation : UInt32(random.below(Int(operation) + 3)))
    }

    private func aRoom(_ random: inout LawRandom) -> RoomID {
        let isLatest = random.chance(percent: 90)
        if isRelative, !isLatest { return RoomID(number: room &- UInt32(random.below(3))) }
        return RoomID(number: isLatest ? room : UInt32(random.below(Int(room) + 2)))
    }

    private func answer(_ random: inout LawRandom) -> APIAnswer {
        switch random.below(12) {
        case 0 where random.chance(percent: 5): .foreignDevice
        case 0: .refused(statusCode: pick([400, 401, 500, 503], &random))
        case 1: .failed(pick(APIFailure.allCases, &random))
        case 2: .malformed
        case 3: .challenge("challenge")
        case 4: .session(token: "token", timeToLive: .seconds(60))
        case 5: SessionStory.credentials(timeToLive: .seconds(Int64.max / 2))
        case 6: SessionStory.credentials(timeToLive: .seconds(-9))
        default: SessionStory.credentials(room: pick(["room-1", "room-2"], &random))
        }
    }

    private mutating func callback(_ random: inout LawRandom) -> RoomCallback {
        switch random.below(30) {
        case 0..<9: .connectFinished(anOperation(&random), error(&random, percent: 25))
        case 9..<13: .microphoneFinished(anOperation(&random), error(&random, percent: 25))
        case 13: .disconnectFinished(anOperation(&random))
        case 14: .connectionStateChanged(pick(ConnectionState.allCases, &random), from: .connected)
        case 15: .connected
        case 16: .failedToConnect(.network)
        case 17: .disconnected(error(&random, percent: 80))
        case 18: .reconnecting
        case 19: .reconnected
        case 20, 21: .reconnectStarted(.quick)
        case 22: .reconnectModeChanged(pick(ReconnectMode.allCases, &random))
        case 23, 24: .reconnectCompleted(pick(ReconnectMode.allCases, &random))
        case 25: .remoteAudioSubscribed
        case 26: .remoteAudioUnsubscribed
        case 27: .remoteParticipantConnected
        default: .statistics(statistics(&random))
        }
    }

    private func error(_ random: inout LawRandom, percent: Int) -> RoomError? {
        random.chance(percent: percent) ? pick(RoomError.allCases, &random) : nil
    }

    private mutating func statistics(_ random: inout LawRandom) -> RoomStatistics {
        counts.consentResponses += Int64(random.below(3))
        // Now and then a few of the server's, so that it is cut off in some stories.
        counts.serverChecks = counts.consentResponses / 8
        let received = Int64(random.below(2) * 50)
        counts.packetsReceived = countsReceived ? (counts.packetsReceived ?? 0) + received : nil
        counts.packetsSent += Int64(random.below(2) * 50)
        if random.chance(percent: 2) {
            counts = RoomStatistics()
            countsReceived.toggle()
        }
        return counts
    }
}
