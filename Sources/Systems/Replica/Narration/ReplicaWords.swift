import KodamaEvidence
import ReplicaSync

/// How an app found the file that its rows are in; the raw value is its number in the trace.
enum ReplicaOpening: Int64, Sendable, Hashable, CaseIterable {
    /// There was none: it made one.
    case made
    /// It was as it had been left.
    case opened
    /// It was damaged: it was set aside, and another made.
    case rebuilt
    /// The app left it alone, and works without: a later version of the app wrote it.
    case refused
    /// The app works without: the disk has no room for it.
    case noRoom
    /// The app works without: it cannot use the file, though no later version wrote it.
    case failed
}

/// What a replica asks the app's server for; the raw value is its number in the trace.
enum ReplicaRequestKind: Int64, Sendable, Hashable, CaseIterable {
    /// What opens the user's database.
    case credential
    /// An exchange of changes.
    case sync
    /// A page of the rows themselves.
    case snapshot
    /// That the primary be brought to the app's schema.
    case migrate
}

/// How an app shows that its replica stands; the raw value is its number in the trace.
enum ShownReplicaStatus: Int64, Sendable, Hashable, CaseIterable {
    case offline
    case syncing
    case synced
    case backingOff
    case outdated
    case signedOut
    case foreign
    case noRoom

    /// The status that an app has a word for.
    init(_ status: ReplicaStatus) {
        switch status {
        case .offline: self = .offline
        case .syncing: self = .syncing
        case .synced: self = .synced
        case .backingOff: self = .backingOff
        case .outdated: self = .outdated
        case .signedOut: self = .signedOut
        case .foreign: self = .foreign
        case .noRoom: self = .noRoom
        }
    }
}
