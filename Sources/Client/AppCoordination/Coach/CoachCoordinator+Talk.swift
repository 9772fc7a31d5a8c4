import SansIO
import WakeFlow

/// The conversation that a guide leads.
extension CoachCoordinator {
    /// Lets the guide have a line said; the first one begins a conversation.
    ///
    /// Without a session that is connected by then the phone's own voice begins.
    mutating func say(_ line: ScriptLine, in turn: inout Turn<Effect>) {
        if !isTalking {
            isTalking = true
            turn.order(.voice(.beginConversation))
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
        let hadSession = sessionUses.contains(.wake)
        (isTalking, isHandedOver) = (false, false)
        turn.order(.relay(.guide(.conversationEnded)))
        release(.wake, in: &turn)
        if !hadSession { turn.order(.voice(.stopVoiceEngine)) }
        turn.order(.voice(.endConversation(isDone: isDone)))
    }
}
