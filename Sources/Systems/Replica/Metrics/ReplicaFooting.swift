import KodamaEvidence
import RealtimeVoice
import SansIO

/// Since when each app could exchange rows with its primary, as the records around it say.
///
/// It can while its path carries packets, the app's server answers, its process runs and is not in
/// the background, its phone's keychain works and its disk has room, its user has not signed out, it
/// has not left its file alone, and its schema is not older than the primary's. What the app itself says of this is
/// not asked.
struct ReplicaFooting {
    private struct App {
        var isRunning = false
        var isAway = false
        var isSignedOut = false
        /// Whether the process that runs works without its file.
        var isShut = false
        /// Whether that is so since a later version of the app wrote it.
        var isBehindFile = false
        /// Whether the disk had no room for the file when it was opened last.
        var lackedRoom = false
        /// The schema that was last seen in its file; none once the app has been updated, which may raise it.
        var version: Int64?
        var database: Int64 = 0
        var since: Int64?
        /// Since when nothing but its schema, which is too old, keeps it from exchanging rows.
        var outdatedSince: Int64?
    }

    private let owners: Owners
    private var apps: [ComponentIndex: App] = [:]
    /// The apps whose files replicate each primary, in the order in which they came to it.
    private var followers: [Int64: [ComponentIndex]] = [:]
    /// The apps with a replica on each phone.
    private var homes: [ComponentIndex: [ComponentIndex]] = [:]
    private var conditions: Conditions
    /// The phones that were unlocked since their keychain began to fail; no record says that it works then.
    private var unlocked: [ComponentIndex] = []
    /// The version of each primary's schema.
    private var versions: [Int64: Int64] = [:]

    init(_ directory: TraceDirectory) {
        owners = Owners(directory)
        conditions = Conditions(directory)
        for (index, name) in directory.names.enumerated() where name.hasSuffix(".replica") {
            let app = ComponentIndex(index)
            homes[owners.phone(of: app), default: []].append(app)
        }
    }

    /// The apps with a replica on a phone that a component is or belongs to.
    private func neighbours(of component: ComponentIndex) -> [ComponentIndex] {
        homes[owners.phone(of: component)] ?? []
    }

    /// Since when an app has been able to, without a break; `nil` if it is not.
    func since(_ app: ComponentIndex) -> Int64? { apps[app]?.since }

    /// Since when nothing but a schema that is too old keeps an app from it; `nil` if it does not.
    func outdatedSince(_ app: ComponentIndex) -> Int64? { apps[app]?.outdatedSince }

    /// Which primary the file of an app follows.
    func database(of app: ComponentIndex) -> Int64? { apps[app]?.database }

    /// Whether an app leaves its file alone, since a later version of it wrote the file.
    func isBehindFile(_ app: ComponentIndex) -> Bool { apps[app]?.isBehindFile ?? false }

    /// Whether a phone's disk has no room, and had none for the file of an app of its when that was opened.
    func lacksRoom(_ app: ComponentIndex) -> Bool {
        apps[app]?.lackedRoom ?? false && conditions.isWithout(.disk, of: owners.phone(of: app))
    }

    /// Whether an app's schema is older than its primary's.
    func isOutdated(_ app: ComponentIndex) -> Bool { apps[app].map { isOutdated($0) } ?? false }

    /// Whether an app runs, and not in the background: what it shows can be seen.
    func isSeen(_ app: ComponentIndex) -> Bool {
        apps[app].map { $0.isRunning && !$0.isAway } ?? false
    }

    /// Takes a record of another system.
    ///
    /// - Returns: The apps of which it may change what they are able to.
    mutating func take(_ record: TraceRecord) -> [ComponentIndex] {
        var isForAll = false
        switch record.kind {
        case PathLost.kind, PathUsable.kind: _ = conditions.take(record)
        case AppLaunched.kind:
            change(record.component) {
                $0.isRunning = true
                $0.isAway = false
                $0.isShut = false
                $0.isBehindFile = false
                $0.lackedRoom = false
            }
        case AppTerminated.kind: change(record.component) { $0.isRunning = false }
        case SceneChanged.kind:
            let isAway = SceneChanged(record).phase.value == .background
            change(record.component) { $0.isAway = isAway }
        case FaultBegan.kind, FaultEnded.kind:
            let changed = conditions.take(record)
            let needed: [Resource] = [.keychain, .disk, .server("api")]
            guard changed.contains(where: needed.contains) else { return [] }
            if changed.contains(.keychain) {
                unlocked.removeAll { $0 == record.component }
                // One that fails from the beginning on is no fault that began.
                if record.kind == FaultEnded.kind { beginAnew(on: record.component) }
            }
            isForAll = neighbours(of: record.component).isEmpty
        case UserActed.kind:
            guard act(UserActed(record).action, record) else { return [] }
        default: return []
        }
        // A fault of a server is everybody's.
        let changed =
            isForAll
            ? apps.keys.sorted { $0.index < $1.index } : neighbours(of: record.component)
        review(changed, at: record.instant.nanoseconds)
        return changed
    }

    /// An app has opened the file that replicates a primary, or has left it alone.
    mutating func open(_ app: ComponentIndex, _ opened: ReplicaOpened, at now: Int64) {
        follow(opened.database, app)
        change(app) {
            // Only a later version's file is left alone for good. Without room it is shut for as long as the disk
            // has none: then it has to try again, as with any other file that it could not use.
            $0.isShut = opened.opening.value == .refused
            $0.isBehindFile = opened.opening.value == .refused
            $0.lackedRoom = opened.opening.value == .noRoom
        }
        review([app], at: now)
    }

    /// An app's file has a schema of this version.
    mutating func see(_ version: Int64, in app: ComponentIndex, at now: Int64) {
        change(app) { $0.version = version }
        review([app], at: now)
    }

    /// A primary has a schema of this version.
    ///
    /// - Returns: The apps that replicate it.
    mutating func migrate(
        _ database: Int64,
        to version: Int64,
        at now: Int64
    ) -> [ComponentIndex] {
        versions[database] = version
        let changed = followers[database] ?? []
        review(changed, at: now)
        return changed
    }

    private mutating func follow(_ database: Int64, _ app: ComponentIndex) {
        let before = apps[app]?.database
        change(app) { $0.database = database }
        let isKnown = followers[database]?.contains(app) ?? false
        guard apps[app] != nil, !isKnown else { return }
        if let before { followers[before]?.removeAll { $0 == app } }
        followers[database, default: []].append(app)
    }

    private mutating func change(_ app: ComponentIndex, _ change: (inout App) -> Void) {
        guard neighbours(of: app).contains(app) else { return }
        change(&apps[app, default: App()])
    }

    /// A user updates an app, signs in or out, or unlocks a phone for the first time since it was started.
    ///
    /// - Returns: Whether that is what the user does.
    private mutating func act(_ act: TraceWord<UserAct>, _ record: TraceRecord) -> Bool {
        if act == .unlock {
            unlocked.append(record.component)
            beginAnew(on: record.component)
            return true
        }
        let affected = record.subject == .none ? neighbours(of: record.component) : [record.subject]
        if act == .updateReplicaApp {
            // Its process is ended for that; what the next one makes of the file is seen when it opens it.
            for app in affected {
                change(app) {
                    $0.isRunning = false
                    $0.version = nil
                }
            }
            return true
        }
        let acts: [UserAct] = [.signOutOfReplica, .signInToReplica, .signInToReplicaAsGuest]
        guard acts.contains(where: { act == $0 }) else { return false }
        let isOwners = act == .signInToReplica
        for app in affected {
            change(app) {
                // Whoever signs in was not signed in before, though no record said so.
                if isOwners {
                    $0.since = nil
                    $0.outdatedSince = nil
                }
                // While another user is signed in, the file's owner is not.
                $0.isSignedOut = !isOwners
            }
        }
        return true
    }

    /// What a phone's apps need is there from now on, though no record said that it was not.
    private mutating func beginAnew(on phone: ComponentIndex) {
        for app in neighbours(of: phone) {
            change(app) {
                $0.since = nil
                $0.outdatedSince = nil
            }
        }
    }

    private mutating func review(_ changed: [ComponentIndex], at now: Int64) {
        for app in changed where apps[app] != nil {
            let isConnected = isConnected(app)
            let isOutdated = isOutdated(app)
            change(app) {
                $0.since = isConnected && !isOutdated ? $0.since ?? now : nil
                $0.outdatedSince = isConnected && isOutdated ? $0.outdatedSince ?? now : nil
            }
        }
    }

    private func isOutdated(_ app: App) -> Bool {
        app.version.map { $0 < versions[app.database] ?? 0 } ?? false
    }

    /// Whether nothing keeps an app from exchanging rows, unless its schema does.
    private func isConnected(_ component: ComponentIndex) -> Bool {
        guard let app = apps[component], !conditions.isWithout(.server("api")),
            !conditions.isWithout(.path, of: component)
        else { return false }
        let phone = owners.phone(of: component)
        guard !conditions.isWithout(.disk, of: phone) else { return false }
        let isLocked = conditions.isWithout(.keychain, of: phone) && !unlocked.contains(phone)
        return app.isRunning && !app.isAway && !app.isShut && !app.isSignedOut && !isLocked
    }
}
