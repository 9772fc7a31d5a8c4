import RealtimeVoice
import SansIO
import Simulation

extension RoomClient {
    /// Begins a reconnect if the room can (client-sdk-swift, `Core/Room+Engine.swift`,
    /// `startReconnect`): it is connected, has transports, and is not at it already.
    mutating func startReconnect(
        _ cause: DetectionCause,
        at now: Instant,
        into effects: inout EffectBuffer<RoomClientEffect>
    ) {
        guard state.connection == .connected, activity == .idle, publisher != nil,
            subscriber != nil
        else { return }
        effects.append(.note(.lossDetected(cause)))
        reconnectBegan = now
        if configuration.curve == .swift, configuration.defects.losesFullMark { wantsFull = false }
        change(into: &effects) { $0.mode = .quick }
        wait(afterFailedAttempt: 0, at: now, into: &effects)
    }

    /// Waits as the policy says, or goes on at once.
    private mutating func wait(
        afterFailedAttempt number: Int,
        at now: Instant,
        into effects: inout EffectBuffer<RoomClientEffect>
    ) {
        let jitter = UInt32(truncatingIfNeeded: random.next())
        let delay = configuration.curve.delay(
            afterFailedAttempt: number,
            options: options,
            jitter: configuration.jittersDelays ? jitter : 0
        )
        guard delay > .zero else { return beginAttempt(number + 1, at: now, into: &effects) }
        activity = .waiting(failed: number, until: now.advanced(by: delay))
        effects.append(.note(.waiting(delay)))
    }

    /// Begins the next attempt, quick or full.
    mutating func beginAttempt(
        _ number: Int,
        at now: Instant,
        into effects: inout EffectBuffer<RoomClientEffect>
    ) {
        let curve = configuration.curve
        // A full attempt failed before: the SDK leaves its loop as if it had succeeded.
        let isTakenForSuccess =
            curve == .swift && configuration.defects.takesEarlyFullFailureForSuccess
        if isTakenForSuccess, state.mode == .full {
            return settleAsConnected(at: now, into: &effects)
        }
        let isLast = curve.demandsFull(attempt: number, of: curve.attemptsMax(options))
        let isFull = isLast || wantsFull || state.mode == .full
        wantsFull = false
        let kind = isFull ? AttemptKind.full : .quick
        activity = .reconnecting(Attempt(number: number, kind: kind))
        effects.append(.note(.attemptBegan(number: number, kind)))
        change(into: &effects) { $0.mode = isFull ? .full : .quick }
        if isFull {
            restart(at: now, into: &effects)
        } else {
            failPublication(.network, into: &effects)
            startSignal(resuming: session.participant, at: now)
        }
    }

    /// Throws everything away and joins anew.
    private mutating func restart(
        at now: Instant,
        into effects: inout EffectBuffer<RoomClientEffect>
    ) {
        if configuration.curve.leavesBeforeFull, signal.isConnected {
            signal.handle(.send(.leave(.clientInitiated)), at: now, into: &signalEffects)
        }
        change(into: &effects) { $0.connection = .reconnecting }
        tearDown(at: now, into: &effects)
        microphone.becomeStale()
        startSignal(resuming: nil, at: now)
    }

    /// Goes on after a failed attempt, or gives up.
    mutating func retry(
        after attempt: Attempt,
        _ failure: AttemptFailure,
        at now: Instant,
        into effects: inout EffectBuffer<RoomClientEffect>
    ) {
        let curve = configuration.curve
        if curve.demandsFull(after: failure) { wantsFull = true }
        let isTooLate = curve.totalTimeMax.map { now >= reconnectBegan.advanced(by: $0) } ?? false
        if isTooLate || attempt.number >= curve.attemptsMax(options) {
            cleanUp(.network, at: now, into: &effects)
        } else {
            wait(afterFailedAttempt: attempt.number, at: now, into: &effects)
        }
    }
}
