public import ReplicaChanges
public import SansIO

/// A fact for a replica's synchronizer.
public enum ReplicaEvent: Sendable, Equatable {
    /// The file is open; its rows can be read and written from now on, whatever the network does (D-12).
    case opened(ReplicaStanding)
    /// The user has signed in.
    case signedIn(session: String)
    /// The user has signed out.
    case signedOut
    /// There is a network, or there is none.
    case pathChanged(isSatisfied: Bool)
    /// The user has the app in front.
    case cameToFront
    /// The app is no longer seen; it may be suspended soon.
    case wentToBackground
    /// The system suspends the app at once, whatever it has asked for.
    case timeExpired
    /// Rows were written here.
    case wrote
    /// The app or its user wants to have what the primary has (RP-02).
    case syncRequested
    /// Secure storage answered a read.
    case secretRead(OperationID, SecretAnswer)
    /// The changes that the file keeps for the primary, from the oldest on.
    case unsentLoaded(OperationID, UnsentBatch)
    /// The file has taken what it was given, or refused it; or it cannot be loaded from.
    case stored(OperationID, StoreOutcome)
    /// The server answered.
    case serverAnswered(OperationID, ReplicaAnswer)
}

/// What secure storage says to a read.
public enum SecretAnswer: Sendable, Equatable {
    /// The text that was written.
    case found(String)
    /// There is nothing under this key.
    case missing
    /// Not now: the phone was not unlocked since it started.
    case unavailable
}

/// A secret that a replica keeps in secure storage.
public enum ReplicaSecret: Sendable, Equatable {
    /// The login's session token, which the login keeps there.
    case session
    /// What opens the database (RP-06).
    case credential
}

/// Some of the changes that a file keeps for the primary.
public struct UnsentBatch: Sendable, Equatable {
    /// The changes, the oldest first.
    public var changes: [UnsentChange]
    /// Whether there are others behind them.
    public var hasMore: Bool

    /// Makes a batch.
    public init(changes: [UnsentChange], hasMore: Bool) {
        self.changes = changes
        self.hasMore = hasMore
    }
}

/// What became of an order to the file.
public enum StoreOutcome: Sendable, Equatable {
    /// It is done, all of it, and the file stands so.
    case done(ReplicaStanding)
    /// It does not follow on what the file has; nothing was changed.
    case outOfOrder
    /// The disk is full; nothing was changed.
    case noRoom
    /// The file refused, as when it is damaged; nothing was changed.
    case failed
}

/// An order from a replica's synchronizer.
public enum ReplicaEffect: Sendable, Equatable {
    /// Reads a secret from secure storage.
    case readSecret(OperationID, ReplicaSecret)
    /// Keeps what opens the database in secure storage, or deletes it.
    case keepCredential(String?)
    /// Loads the changes that the primary does not have, the oldest first: at most `countMax`, and `bytesMax` as JSON
    /// in all, and at least one.
    case loadUnsent(OperationID, countMax: Int, bytesMax: Int)
    /// Makes a request.
    case callServer(OperationID, ReplicaRequest)
    /// Cancels a call; its answer is no longer needed.
    case cancelCall(OperationID)
    /// Takes a piece of the primary's log, whole or not at all.
    case take(OperationID, ReplicaPage)
    /// Puts a page of a database's snapshot aside; with the last one the rows are replaced, all at
    /// once. The first page of a snapshot throws away what an earlier one left.
    case stage(OperationID, SnapshotPage, of: String, isFirst: Bool)
    /// Sets changes aside that the primary refuses for ever; the app tells its user which, and why.
    case setAside(OperationID, [ChangeRefusal])
    /// Notes in the file that it follows this database; it followed none.
    case follow(String)
    /// Notes in the file, which is nobody's, that it is this user's until their database is known.
    case claim(String)
    /// Asks not to be suspended before what the file takes is in it (`beginBackgroundTask`): a process that
    /// is suspended in the middle of a transaction, with the file locked, is ended.
    case beginBackgroundTask
    /// The app may be suspended.
    case endBackgroundTask
    /// Shows how the replica stands, which is new.
    case show(ReplicaStatus)
    /// The session is not valid: the user must sign in.
    case signInRequired
}

/// How a replica stands, as an app shows it.
public enum ReplicaStatus: String, Sendable, Equatable, CaseIterable {
    /// There is no network; rows are read and written here.
    case offline
    /// An exchange is under way.
    case syncing
    /// All that was known at the last exchange is on both sides.
    case synced
    /// The last try failed; another follows.
    case backingOff
    /// The phone has no room for what the primary has; another try follows.
    case noRoom
    /// The primary's schema is a later version's: the app must be updated (RP-05).
    case outdated
    /// No user is signed in.
    case signedOut
    /// The file follows the database of another user than is signed in: nothing is exchanged.
    ///
    /// What is written to it goes to its owner; an app opens another file for this user.
    case foreign
}
