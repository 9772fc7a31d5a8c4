import IncomingCalls
import SansIO
import SansIOTesting

/// Draws what systems, servers and users may say to a registry; mostly answers to what it ordered.
struct CallWeather {
    private var orders: [CallRegistry.Effect] = []
    private var uuids: [UniqueID] = []
    private var nextNumber: UInt32 = 0
    /// How many media were joined.
    var joins = 0

    /// Begins with calls of this number.
    init(from number: UInt32 = 0) {
        nextNumber = number
    }

    mutating func note(_ effect: CallRegistry.Effect) {
        switch effect {
        case .system(.reportIncoming(_, let uuid, _)), .system(.request(_, .start(let uuid, _, _))):
            uuids.append(uuid)
            if uuids.count > 3 { uuids.removeFirst() }
        case .media(_, .join): joins += 1
        default: break
        }
        switch effect {
        case .system(.reportIncoming), .system(.request), .callAPI, .media(_, .join):
            orders.append(effect)
            if orders.count > 4 { orders.removeFirst() }
        default: return
        }
    }

    mutating func next(_ random: inout LawRandom) -> CallRegistry.Event {
        nextNumber += 1
        if !orders.isEmpty, random.chance(percent: 55),
            let answer = answer(to: orders[random.below(orders.count)], &random)
        {
            return answer
        }
        let callId = "c-\(Int(nextNumber) - random.below(6))"
        let payload = CallStory.payload(callId, expiresAt: expiry(&random))
        let flag = random.chance(percent: 50)
        switch random.below(20) {
        case 0, 1: return .pushReceived(PushID(number: nextNumber), payload)
        case 2: return .pushReceived(PushID(number: nextNumber), .string("junk"))
        case 3:
            return .endSignalReceived(CallStory.endSignal(callId, "cancelled"))
        case 4: return .callRequested(contactId: "u-9", name: "次郎", hasVideo: flag)
        case 5:
            let isReady = random.chance(percent: 90)
            return .credentialsChanged(isReady ? CallStory.credentials : nil)
        case 6: return .pathRestored
        case 7: return .clockChanged(CallStory.launch.advanced(by: .seconds(random.below(90) - 45)))
        case 8: return random.chance(percent: 20) ? .providerReset : .audioActivated
        case 9: return random.chance(percent: 20) ? .signedOut : .audioDeactivated
        case 10:
            guard random.chance(percent: 40) else {
                return .actionTimedOut(ActionID(number: UInt32(random.below(300))))
            }
            return .microphoneDecided(isAllowed: random.chance(percent: 90))
        default: return userAction(&random)
        }
    }

    private func expiry(_ random: inout LawRandom) -> Int64? {
        guard random.chance(percent: 40) else { return nil }
        return CallStory.launch.secondsSince1970 + Int64(random.below(60)) - 10
    }

    private func userAction(_ random: inout LawRandom) -> CallRegistry.Event {
        guard !uuids.isEmpty else { return .pathRestored }
        let isLatest = random.chance(percent: 60)
        let uuid = uuids[isLatest ? uuids.count - 1 : random.below(uuids.count)]
        let flag = random.chance(percent: 50)
        let action: SystemCallAction =
            switch random.below(7) {
            case 0, 1, 2: .answer(uuid)
            case 3: .end(uuid)
            case 4: .setMuted(uuid, isMuted: flag)
            case 5: .setHeld(uuid, isHeld: flag)
            default: .start(uuid, handle: "u-9", hasVideo: flag)
            }
        if random.chance(percent: 20) { return .actionChosen(action) }
        if random.chance(percent: 10) { return mediaNews(of: uuid, flag, &random) }
        return .actionRequested(ActionID(number: nextNumber), action)
    }

    private func mediaNews(
        of uuid: UniqueID,
        _ flag: Bool,
        _ random: inout LawRandom
    ) -> CallRegistry.Event {
        switch random.below(4) {
        case 0: .launched
        case 1: .mediaPeerHeard(uuid)
        case 2: .mediaInterrupted(uuid, isInterrupted: flag)
        default: .mediaPeerSeen(uuid, isPresent: flag)
        }
    }

    private func answer(
        to effect: CallRegistry.Effect,
        _ random: inout LawRandom
    ) -> CallRegistry.Event? {
        let isGood = random.chance(percent: 85)
        switch effect {
        case .system(.reportIncoming(let operation, _, _)):
            return .reportFinished(operation, isGood ? nil : .filteredByBlockList)
        case .system(.request(let operation, let action)):
            guard isGood, random.chance(percent: 80) else {
                return .requestFinished(operation, isAccepted: isGood)
            }
            return .actionRequested(ActionID(number: nextNumber), action)
        case .callAPI(let operation, let request),
            .callAPIAsFormer(let operation, let request, _):
            return .apiAnswered(operation, answer(to: request, isGood, &random))
        case .media(let uuid, .join):
            return isGood ? .mediaConnected(uuid) : .mediaLost(uuid)
        case .system, .completePush, .configureAudio, .media, .cancelAPI, .writeStorage,
            .announce, .missedCallExpected, .microphoneMissing, .signInRequired, .writeLog:
            return nil
        }
    }

    private func answer(
        to request: CallRequest,
        _ isGood: Bool,
        _ random: inout LawRandom
    ) -> CallAnswer {
        guard isGood else {
            let answers: [CallAnswer] = [
                .failed, .malformed, .refused(statusCode: 401), .refused(statusCode: 404),
                .refused(statusCode: 503), .ended(.answeredElsewhere),
            ]
            return answers[random.below(answers.count)]
        }
        return switch request {
        case .registerDevice, .unregisterDevice, .withdrawToken, .end: .accepted
        case .place: .placed(room: "room")
        case .status: .status(random.chance(percent: 70) ? .answered : .ringing())
        case .offer: .offer(CallOffer(room: "room", hasVideo: false))
        case .answer: .answered(room: "room")
        case .missed: .missed([])
        }
    }
}
