@testable import KodamaEvidence
@testable import KodamaReplica
@testable import KodamaSession

/// Replicas of Ada, who has a phone and a pad, and of Ren, told by hand; times in milliseconds.
struct ReplicaScene {
    enum App: String {
        case phone = "ada-phone.replica"
        case pad = "ada-pad.replica"
        case ren = "ren-phone.replica"
    }

    static let names = [
        "ada-phone", "ada-pad", "ren-phone", App.phone.rawValue, App.pad.rawValue,
        App.ren.rawValue, "api", "database",
    ]

    private var builder = TraceBuilder(names)

    /// An app that has opened its file at 0 ms, where both sides were equal.
    static func opened(_ apps: App...) -> ReplicaScene {
        var scene = ReplicaScene()
        for app in apps.isEmpty ? [.phone] : apps {
            scene.add(AppLaunched(), of: app, at: 0)
            scene.open(.made, of: app, at: 0)
            scene.compare(true, of: app, at: 0)
        }
        return scene
    }

    /// Something that an app does, or that befalls it.
    mutating func add(_ form: some TraceForm, of app: App = .phone, at milliseconds: Int64) {
        builder.add(form, at: milliseconds, app.rawValue)
    }

    /// Something that befalls a primary, because of an app if one is named.
    mutating func add(
        primary form: some TraceForm,
        about app: App? = .phone,
        at milliseconds: Int64
    ) {
        builder.add(form, at: milliseconds, "database", app?.rawValue)
    }

    /// The user of an app's phone does something to the app.
    mutating func act(_ act: UserAct, of app: App = .phone, at milliseconds: Int64) {
        let phone = String(app.rawValue.dropLast(8))
        builder.add(UserActed(action: act), at: milliseconds, phone, app.rawValue)
    }

    mutating func open(
        _ opening: ReplicaOpening,
        unsent: Int64 = 0,
        database: Int64 = 0,
        of app: App = .phone,
        at milliseconds: Int64
    ) {
        let opened = ReplicaOpened(opening: TraceWord(opening), unsent: unsent, database: database)
        add(opened, of: app, at: milliseconds)
    }

    /// Both sides are equal from then on, or are not.
    mutating func compare(_ isEqual: Bool, of app: App = .phone, at milliseconds: Int64) {
        add(ReplicaSides(isEqual: TraceFlag(isEqual)), of: app, at: milliseconds)
    }

    /// Both sides differ for a while.
    mutating func differ(of app: App = .phone, _ milliseconds: Range<Int64>) {
        compare(false, of: app, at: milliseconds.lowerBound)
        compare(true, of: app, at: milliseconds.upperBound)
    }

    /// No packet passes for a while.
    mutating func outage(of app: App = .phone, _ milliseconds: Range<Int64>) {
        add(PathLost(cause: .link), of: app, at: milliseconds.lowerBound)
        add(PathUsable(), of: app, at: milliseconds.upperBound)
    }

    /// Something is wrong for a while, with the app's server if nothing else is named.
    mutating func fault(
        _ fault: WorldFault,
        of component: String = "api",
        _ milliseconds: Range<Int64>
    ) {
        let began = FaultBegan(fault: fault, parameter: 0)
        builder.add(began, at: milliseconds.lowerBound, component)
        builder.add(FaultEnded(fault: fault), at: milliseconds.upperBound, component)
    }

    /// The keychain of Ada's phone, which has failed from the beginning on, works.
    mutating func unlock(isByUser: Bool, at milliseconds: Int64) {
        if isByUser {
            builder.add(UserActed(action: .unlock), at: milliseconds, "ada-phone")
        } else {
            builder.add(FaultEnded(fault: .secureStorage), at: milliseconds, "ada-phone")
        }
    }

    /// The app's process does not run for a while.
    mutating func absence(of app: App = .phone, _ milliseconds: Range<Int64>) {
        add(AppTerminated(), of: app, at: milliseconds.lowerBound)
        add(AppLaunched(), of: app, at: milliseconds.upperBound)
        open(.opened, of: app, at: milliseconds.upperBound)
    }

    mutating func write(_ write: Int64, of app: App = .phone, at milliseconds: Int64) {
        add(ReplicaWritten(write: write), of: app, at: milliseconds)
    }

    /// A primary takes a write of an app, or of the web if none is named.
    mutating func take(
        _ write: Int64,
        of app: App? = .phone,
        position: Int64? = nil,
        database: Int64 = 0,
        at milliseconds: Int64
    ) {
        let took = PrimaryTook(write: write, position: position ?? write, database: database)
        add(primary: took, about: app, at: milliseconds)
    }

    /// A primary fails and has its log to a position.
    mutating func fail(through position: Int64, database: Int64 = 0, at milliseconds: Int64) {
        let failure = PrimaryRolledBack(through: position, database: database)
        add(primary: failure, at: milliseconds)
    }

    func trace(until milliseconds: Int64 = 100_000) -> RecordedTrace {
        builder.trace(until: milliseconds)
    }

    func findings(until milliseconds: Int64 = 100_000) -> Findings {
        Findings(trace(until: milliseconds))
    }

    /// How often an invariant was checked, and how often it was broken.
    func checks(of invariant: String) -> [Int]? {
        RunMeter.of(trace()).invariants.first { $0.name == invariant }
            .map { [$0.checkedCount, $0.violationCount] }
    }
}
