import SansIO

/// A call's signalling inside the registry, with the registry's numbers for its requests in flight.
///
/// Calls come and go, so that their signalling has no lane of numbers of its own; since each has
/// two requests in flight at most, two pairs of numbers tell whose an answer is.
struct SignallingLine: Sendable, Equatable {
    private struct Request: Sendable, Equatable {
        let outer: OperationID
        let inner: OperationID
    }

    private(set) var machine: CallSignalling
    /// Who tells the server, if they have logged out and somebody else may be signed in.
    private(set) var former: CallCredentials?
    /// The user whose call it is, if that is known.
    var user: String?
    /// What has been neither answered nor given up, the oldest first.
    private var requests: [Request] = []

    init(_ machine: CallSignalling, of user: String? = nil) {
        self.machine = machine
        self.user = user
    }

    /// Tells in the present name from now on, whoever signs in; another user's word is refused.
    mutating func keepName() { former = former ?? machine.credentials }

    /// The name that was kept is worth nothing: another login of the same user's is waited for.
    mutating func loseName() { former = nil }

    /// Whether it is another user's than the one who has signed in, as far as is known.
    func isAnothers(than latest: CallCredentials) -> Bool { latest.areAnothers(than: user) }

    /// Whether whoever has signed in tells the server from now on.
    ///
    /// That is the same user, or anybody if it is not known whose call it is.
    mutating func goesOver(to latest: CallCredentials) -> Bool {
        if isAnothers(than: latest) {
            keepName()
            return false
        }
        guard user != nil, latest.user != nil else { return former == nil }
        loseName()
        return true
    }

    /// Whether there is something to tell, and somebody to tell it as.
    var isTelling: Bool { machine.deadline != nil }

    /// Whether the signalling waits to be woken.
    func isDue(at now: Instant) -> Bool { machine.deadline.map { $0.instant <= now } ?? false }

    /// The signalling's own number of a request that is answered now; `nil` if it is none of its.
    mutating func takeRequest(_ outer: OperationID) -> OperationID? {
        guard let index = requests.firstIndex(where: { $0.outer == outer }) else { return nil }
        return requests.remove(at: index).inner
    }

    /// Gives the signalling a fact, or wakes it.
    ///
    /// - Returns: What it found out; its requests have been ordered.
    mutating func drive(
        _ event: CallSignalling.Event?,
        numbers: inout OperationCounter,
        in turn: inout Turn<CallRegistry.Effect>
    ) -> [CallSignalling.Effect] {
        var found: [CallSignalling.Effect] = []
        for effect in machine.drive(event, at: turn.now) {
            switch effect {
            case .callAPI(let operation, let call):
                let outer = numbers.next()
                requests.append(Request(outer: outer, inner: operation))
                if let former {
                    turn.order(.callAPIAsFormer(outer, call, former))
                } else {
                    turn.order(.callAPI(outer, call))
                }
            case .cancelAPI(let operation):
                guard let index = requests.firstIndex(where: { $0.inner == operation }) else {
                    continue
                }
                turn.order(.cancelAPI(requests.remove(at: index).outer))
            case .placed, .learned, .answered, .refused, .signInRequired:
                found.append(effect)
            }
        }
        return found
    }
}
