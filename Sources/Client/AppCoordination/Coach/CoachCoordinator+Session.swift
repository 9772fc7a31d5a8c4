import RealtimeVoice
import SansIO
import WakeFlow

/// What the session with the agent is wanted for.
struct SessionUses: OptionSet, Sendable, Equatable {
    let rawValue: UInt8

    /// A wake connects, or its guide goes on.
    static let wake = SessionUses(rawValue: 1)
    /// A nudge connects, or its intervention goes on.
    static let nudge = SessionUses(rawValue: 2)
    /// The user talks with the agent outside of both.
    static let talk = SessionUses(rawValue: 4)
}

/// The session that wakes, nudges and the user share: it ends with the last of them (AN-20).
extension CoachCoordinator {
    /// Connects the session, or joins it (RS-13).
    mutating func connect(for use: SessionUses, in turn: inout Turn<Effect>) {
        guard session != nil else {
            if use == .wake { turn.order(.relay(.wake(.conversationFailed))) }
            if use == .nudge { turn.order(.relay(.nudge(.conversationFailed))) }
            return
        }
        if use != .talk {
            // What the user has begun goes on as the wake's or the nudge's conversation.
            sessionUses.remove(.talk)
            talkEnds = nil
        }
        sessionUses.insert(use)
        turn.order(.voice(.beginSession))
        turn.order(.relay(.session(.notificationTapped)))
        guard sessionStage == .connected || sessionStage == .reconnected else { return }
        if use == .wake { turn.order(.relay(.wake(.conversationStarted))) }
        if use == .nudge { turn.order(.relay(.nudge(.conversationStarted))) }
    }

    /// One of those that wanted the session wants it no longer.
    mutating func release(_ use: SessionUses, in turn: inout Turn<Effect>) {
        guard sessionUses.contains(use) else { return }
        sessionUses.remove(use)
        guard sessionUses.isEmpty else { return }
        (isConnected, isHandedOver, sessionStage) = (false, false, nil)
        departures += 1
        turn.order(.relay(.session(.disconnectTapped)))
        turn.order(.voice(.endSession))
    }

    /// The user wants to talk, for no morning and no nudge: until they hang up, a call comes, or it has lasted
    /// long enough.
    mutating func beginTalk(in turn: inout Turn<Effect>) {
        guard session != nil, sessionUses.isEmpty else { return }
        talkEnds = turn.now.advanced(by: configuration.talkMax)
        connect(for: .talk, in: &turn)
    }

    mutating func endTalk(in turn: inout Turn<Effect>) {
        talkEnds = nil
        release(.talk, in: &turn)
    }

    /// Gives the session what the coach has for it.
    mutating func relaySession(_ event: VoiceAppEvent, in turn: inout Turn<Effect>) {
        tellSession(event, in: &turn)
        // What the session shows about its end goes round before this.
        if event == .disconnectTapped { turn.order(.relay(.sessionLeft)) }
    }

    /// A session that was left has said its last word: what it shows now is about the next one.
    mutating func sessionLeft() { departures = max(0, departures - 1) }

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
        guard wantsSession, departures == 0 else { return }
        sessionStage = stage
        switch stage {
        case .connected, .reconnected:
            let isFirst = !isConnected
            isConnected = true
            tellGuide(.voiceConfirmed, in: &turn)
            // The guide had begun without it.
            if isFirst, isTalking { takeBack(in: &turn) }
            tellWakes(.conversationStarted, in: &turn)
            tellNudges(.conversationStarted, in: &turn)
        case .deviceIdentityFailed, .microphoneRefused, .engineFailed, .tokenFailed,
            .couldNotConnect, .takenOver, .disconnected, .signedOut:
            if isTalking { handOver(in: &turn) }
            tellWakes(.conversationFailed, in: &turn)
            tellNudges(.conversationFailed, in: &turn)
            // Without the agent there is nothing to talk with.
            endTalk(in: &turn)
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

extension CoachEvent {
    /// Whether it ends a conversation outside of mornings and nudges.
    var endsTalk: Bool { self == .hungUp || self == .audioInterrupted }
}
