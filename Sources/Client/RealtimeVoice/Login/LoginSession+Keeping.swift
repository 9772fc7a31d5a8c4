import SansIO

/// How the session token is kept across relaunch.
extension LoginSession {
    mutating func keep(_ token: String?, in turn: inout Turn<Effect>) {
        let operation = operations.next()
        turn.order(.writeSecureStorage(operation, token))
        keeping = Keeping(token: token, operation: operation)
    }

    /// Writes again what the keychain refused.
    mutating func keepAgain(in turn: inout Turn<Effect>) {
        guard var keeping else { return }
        let operation = operations.next()
        turn.order(.writeSecureStorage(operation, keeping.token))
        keeping.operation = operation
        keeping.again = nil
        self.keeping = keeping
    }

    mutating func written(_ operation: OperationID, _ isKept: Bool, at now: Instant) {
        guard var keeping, keeping.operation == operation else { return }
        guard !isKept else {
            self.keeping = nil
            return
        }
        let delay = keeping.waits.next(first: .seconds(1), longest: .seconds(60), by: &generator)
        keeping.operation = nil
        keeping.again = now.advanced(by: delay)
        self.keeping = keeping
    }
}
