import RealtimeVoice
import SansIO
import WakeFlow

/// The conversation, and the session that wakes and nudges share.
extension CoachCoordinator {
    /// Lets the guide have a line said; the first one begins a conversation.
    ///
    /// Without a session that is connected by then the phone's own voice begins.
    mutating func say(_ line: ScriptLine, in turn: inout Turn<Effect>) {
        if !isTalking {
            isTalking = true
            turn.order(.beginConversation)
            let low = UInt64(bitPattern: turn.now.nanoseconds)
            let id = UniqueID(high: seeds.conversations, low: low)
            turn.order(.relay(.guide(.conversationBegan(id))))
            isHandedOver = !isConnected
            if isHandedOver { turn.order(.relay(.guide(.handedOver))) }
        }
        turn.order(.relay(.guide(.lineOrdered(line))))
    }

    /// Ends the conversation and its session (AN-20); without a session the phone's own voice has an engine.
    mutating func endConversation(isDone: Bool, in turn: inout Turn<Effect>) {
        let hadSession = wantsSession
        (isTalking, isHandedOver) = (false, false)
        turn.order(.relay(.guide(.conversationEnded)))
        disconnect(in: &turn)
        if !hadSession { turn.order(.stopVoiceEngine) }
        turn.order(.endConversation(isDone: isDone))
    }

    /// The wake, or a nudge, wants the session now (RS-13).
    mutating func connect(in turn: inout Turn<Effect>) {
        guard session != nil else {
            turn.order(.relay(.wake(.conversationFailed)))
            turn.order(.relay(.nudge(.conversationFailed)))
            return
        }
        wantsSession = true
        turn.order(.beginSession)
        turn.order(.relay(.session(.notificationTapped)))
    }

    mutating func disconnect(in turn: inout Turn<Effect>) {
        guard wantsSession else { return }
        (wantsSession, isConnected, isHandedOver) = (false, false, false)
        turn.order(.relay(.session(.disconnectTapped)))
        turn.order(.endSession)
    }

    /// Tells the session what the system does, and the guide what makes voice doubtful.
    mutating func informSession(_ event: VoiceAppEvent, in turn: inout Turn<Effect>) {
        switch event {
        case .launched, .notificationTapped: return
        case .pathChanged(.unsatisfied), .room(_, .reconnectStarted):
            if wantsSession { tellGuide(.voiceDoubted, in: &turn) }
        default: break
        }
        tellSession(event, in: &turn)
    }

    /// Follows the session's status: whoever has asked for it begins, or goes on without.
    mutating func sessionShown(_ stage: SessionStage, in turn: inout Turn<Effect>) {
        guard wantsSession else { return }
        switch stage {
        case .connected, .reconnected:
            let isFirst = !isConnected
            isConnected = true
            tellGuide(.voiceConfirmed, in: &turn)
            guard isFirst else { return }
            // The guide had begun without it.
            if isTalking { return takeBack(in: &turn) }
            tellWakes(.conversationStarted, in: &turn)
            tellNudges(.conversationStarted, in: &turn)
        case .deviceIdentityFailed, .microphoneRefused, .engineFailed, .tokenFailed,
            .couldNotConnect, .takenOver, .disconnected, .signedOut:
            if isTalking { return handOver(in: &turn) }
            tellWakes(.conversationFailed, in: &turn)
            tellNudges(.conversationFailed, in: &turn)
        // A call that has the audio ends the conversation, by the system's news.
        case .preparingDevice, .askingForMicrophone, .startingEngine, .fetchingToken, .connecting,
            .reconnecting, .audioTaken:
            return
        }
    }

    /// The phone's own voice has the word; without a session it has it anyway.
    mutating func handOver(in turn: inout Turn<Effect>) {
        isHandedOver = wantsSession
        tellGuide(.handedOver, in: &turn)
    }

    /// The agent has the word.
    mutating func takeBack(in turn: inout Turn<Effect>) {
        isHandedOver = false
        tellGuide(.takenBack, in: &turn)
    }
}
