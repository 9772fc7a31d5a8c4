import KodamaNetwork
import KodamaPhone
import KodamaSimulation
import RealtimeVoice
import SansIO

extension RoomClient {
    /// Begins a reconnect if the room can (client-sdk-swift, `Core/Room+Engine.swift`,
    /// `startReconnect`): it is connected, has transports, and is not at it already.
    mutating func startReconnect(_ cause: DetectionCause, in turn: inout Turn<RoomClientEffect>) {
        guard state.connection == .connected, activity == .idle, publisher != nil,
            subscriber != nil
        else {
            if configuration.curve.escalates, activity.isReconnect { wantsFull = true }
            return
        }
        turn.order(.note(.lossDetected(cause)))
        reconnectBegan = turn.now
        hasBroken = !areTransportsConnected
        if configuration.curve == .swift, configuration.defects.losesFullMark { wantsFull = false }
        change(in: &turn) { $0.mode = .quick }
        wait(afterFailedAttempt: 0, in: &turn)
    }

    /// Whether every transport that counts is connected.
    private var areTransportsConnected: Bool {
        subscriber?.state == .connected
            && (!session.hasPublished || publisher?.state == .connected)
    }

    /// Waits as the policy says, or goes on at once.
    private mutating func wait(
        afterFailedAttempt number: Int,
        in turn: inout Turn<RoomClientEffect>
    ) {
        let jitter = UInt32(truncatingIfNeeded: random.next())
        let delay = configuration.curve.delay(
            afterFailedAttempt: number,
            options: options,
            jitter: configuration.jittersDelays ? jitter : 0
        )
        guard delay > .zero else { return beginAttempt(number + 1, in: &turn) }
        activity = .waiting(failed: number, until: turn.now.advanced(by: delay))
        turn.order(.note(.waiting(delay)))
    }

    /// Begins the next attempt, quick or full.
    mutating func beginAttempt(_ number: Int, in turn: inout Turn<RoomClientEffect>) {
        let curve = configuration.curve
        // A full attempt failed before: the SDK leaves its loop as if it had succeeded.
        let isTakenForSuccess =
            curve == .swift && configuration.defects.takesEarlyFullFailureForSuccess
        if isTakenForSuccess, state.mode == .full {
            return settleAsConnected(in: &turn)
        }
        let isLast = curve.demandsFull(attempt: number, of: curve.attemptsMax(options))
        let isFull = isLast || wantsFull || state.mode == .full
        if !curve.escalates { wantsFull = false }
        let kind = isFull ? AttemptKind.full : .quick
        activity = .reconnecting(Attempt(number: number, kind: kind))
        turn.order(.note(.attemptBegan(number: number, kind)))
        change(in: &turn) { $0.mode = isFull ? .full : .quick }
        if isFull {
            restart(in: &turn)
        } else {
            failPublication(.network, in: &turn)
            startSignal(resuming: session.participant, at: turn.now)
        }
    }

    /// Throws everything away and joins anew.
    private mutating func restart(in turn: inout Turn<RoomClientEffect>) {
        if configuration.curve.leavesBeforeFull, signal.isConnected {
            signalEffects += signal.drive(.send(.leave(.clientInitiated)), at: turn.now)
        }
        change(in: &turn) { $0.connection = .reconnecting }
        tearDown(in: &turn)
        microphone.becomeStale()
        startSignal(resuming: nil, at: turn.now)
    }

    /// Goes on after a failed attempt, or gives up.
    mutating func retry(
        after attempt: Attempt,
        _ failure: AttemptFailure,
        in turn: inout Turn<RoomClientEffect>
    ) {
        let curve = configuration.curve
        if curve.demandsFull(after: failure) { wantsFull = true }
        let isTooLate =
            curve.totalTimeMax.map { turn.now >= reconnectBegan.advanced(by: $0) } ?? false
        if isTooLate || attempt.number >= curve.attemptsMax(options) {
            cleanUp(.network, in: &turn)
        } else {
            wait(afterFailedAttempt: attempt.number, in: &turn)
        }
    }
}
