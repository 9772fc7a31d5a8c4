import SansIO

/// What becomes of answers while the user does not let the app have the microphone.
extension CallRegistry {
    /// Whether a call is to be answered as soon as the user allows the microphone.
    public var waitsForMicrophone: Bool { calls.contains { $0.waitsForMicrophone } }

    /// Tells the server of an answer, once the one who answers can be heard.
    ///
    /// A caller who is answered and hears nothing takes the call for broken (element-hq/element-web, issue
    /// 16733). While the user decides it rings on at the server, which is asked about it as before: the
    /// caller may give up, or another device answer.
    mutating func tellAnswer(of uuid: UniqueID, in turn: inout Turn<Effect>) {
        guard let index = index(of: uuid) else { return }
        calls[index].waitsForMicrophone = microphone == .undecided
        switch microphone {
        case .allowed: signal(uuid, .answerRequested, in: &turn)
        case .undecided: return
        case .refused: giveUpAnswer(of: calls[index], in: &turn)
        }
    }

    /// The user has answered the question for the microphone.
    mutating func microphoneDecided(_ isAllowed: Bool, in turn: inout Turn<Effect>) {
        microphone = isAllowed ? .allowed : .refused
        for call in calls where call.waitsForMicrophone {
            guard let index = index(of: call.uuid),
                case .answering(let answering, _) = calls[index].phase
            else { continue }
            // The time that the user took is not the server's.
            let until = answerEnd(of: calls[index], at: turn.now)
            calls[index].phase = .answering(answering, until: until)
            tellAnswer(of: call.uuid, in: &turn)
        }
    }

    /// Ends a call on this device that its user wants to answer and cannot be heard in.
    ///
    /// The server lets the user's other devices ring on, and ends the call if there are none.
    private mutating func giveUpAnswer(of call: Call, in turn: inout Turn<Effect>) {
        turn.order(.microphoneMissing)
        end(call.uuid, .failed, by: .app, in: &turn)
        // If no other device answers it is missed only when its time is over.
        guard let expiry = call.expiry, expiry > turn.now else { return }
        expectMissed(from: expiry, pushedAt: call.pushedAt, in: &turn)
    }
}
