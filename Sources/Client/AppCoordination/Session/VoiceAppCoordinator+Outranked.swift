import SansIO

/// A call that had the audio before the app was there to be interrupted (RS-15).
///
/// The system tells the end of an interruption to whoever it has interrupted. An app that was
/// opened during a call of another app learns of that call from a start that is refused, and of
/// its end from one that is not.
extension VoiceAppCoordinator {
    /// Says that another has the audio, and tries again until the call is over.
    ///
    /// Who was told of the call is told of its end, too.
    mutating func engineOutranked(_ operation: OperationID, in turn: inout Turn<Effect>) {
        guard engine == .starting(operation) else { return }
        guard isOutranked || !isAudioElsewhere else {
            return engineFailed(in: &turn)
        }
        isAudioElsewhere = true
        isOutranked = true
        engineFailures = 0
        engine = .failed(retryAt: turn.now.advanced(by: Self.outrankedRetryDelay))
    }

    /// Drops what a refused start said: nobody tries any more, or a start failed otherwise.
    mutating func forgetOutranking() {
        guard isOutranked else { return }
        isAudioElsewhere = false
        isOutranked = false
    }
}
