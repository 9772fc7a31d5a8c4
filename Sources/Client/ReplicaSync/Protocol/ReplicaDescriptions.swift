import ReplicaChanges

// What can stand in a log or in a failed test's message never holds a session or a token (RP-06).

extension ReplicaRequest: CustomStringConvertible {
    /// The request, without what authorises it.
    public var description: String {
        switch self {
        case .credential: "credential"
        case .sync(let exchange, let credential): "sync(\(exchange), \(credential))"
        case .snapshot(let replica, let after, let credential):
            "snapshot(\(replica), after \(after ?? "nothing"), \(credential))"
        case .migrate(let schema, let credential):
            "migrate(to \(schema.version), \(credential))"
        }
    }
}

extension SecretAnswer: CustomStringConvertible {
    /// The answer, without the secret.
    public var description: String {
        switch self {
        case .found: "found"
        case .missing: "missing"
        case .unavailable: "unavailable"
        }
    }
}

extension ReplicaEvent: CustomStringConvertible {
    /// The event, without the session and what secure storage holds.
    public var description: String {
        switch self {
        case .opened(let standing): "opened(\(standing))"
        case .signedIn: "signedIn"
        case .signedOut: "signedOut"
        case .pathChanged(let isSatisfied): "pathChanged(isSatisfied: \(isSatisfied))"
        case .cameToFront: "cameToFront"
        case .wentToBackground: "wentToBackground"
        case .timeExpired: "timeExpired"
        case .wrote: "wrote"
        case .syncRequested: "syncRequested"
        case .secretRead(let operation, let answer): "secretRead(\(operation), \(answer))"
        case .unsentLoaded(let operation, let batch): "unsentLoaded(\(operation), \(batch))"
        case .stored(let operation, let outcome): "stored(\(operation), \(outcome))"
        case .serverAnswered(let operation, let answer):
            "serverAnswered(\(operation), \(answer))"
        }
    }
}

extension ReplicaEffect: CustomStringConvertible {
    /// The effect, without what secure storage is to hold.
    public var description: String {
        switch self {
        case .readSecret(let operation, let secret): "readSecret(\(operation), \(secret))"
        case .keepCredential(let text): "keepCredential(\(text == nil ? "none" : "one"))"
        case .loadUnsent(let operation, let countMax, let bytesMax):
            "loadUnsent(\(operation), countMax: \(countMax), bytesMax: \(bytesMax))"
        case .callServer(let operation, let request): "callServer(\(operation), \(request))"
        case .cancelCall(let operation): "cancelCall(\(operation))"
        case .take(let operation, let page): "take(\(operation), \(page))"
        case .stage(let operation, let page, let database, let isFirst):
            "stage(\(operation), \(page), of: \(database), isFirst: \(isFirst))"
        case .setAside(let operation, let refusals): "setAside(\(operation), \(refusals))"
        case .follow(let database): "follow(\(database))"
        case .claim(let user): "claim(for \(user))"
        case .beginBackgroundTask: "beginBackgroundTask"
        case .endBackgroundTask: "endBackgroundTask"
        case .show(let status): "show(\(status))"
        case .signInRequired: "signInRequired"
        }
    }
}

extension ReplicaSynchronizer: CustomStringConvertible {
    /// The machine and what it shows, without the session and the token that it holds.
    public var description: String {
        "ReplicaSynchronizer(\(shown.map { "\($0)" } ?? "nothing shown"))"
    }
}
