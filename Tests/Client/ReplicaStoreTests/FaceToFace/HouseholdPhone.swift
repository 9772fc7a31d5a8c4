import ReplicaChanges
import ReplicaStore
import ReplicaSync
import SansIO
import SansIOTesting

/// A phone of the household: what outlives the app's process, and the process.
struct HouseholdPhone {
    let name: String
    /// The login's session, as secure storage has it.
    let session: String
    /// The app's version, which is its schema's.
    var version = 1
    var driver: MachineDriver<ReplicaSynchronizer>?
    var database: ReplicaDatabase?
    /// The file while no process has it open.
    var disk: [UInt8]?
    /// What the file kept when its process ended.
    var keptAtRest: [UnsentChange] = []
    /// The replica's name then.
    var replicaAtRest = ""
    /// Whether the file was damaged since.
    var isDamaged = false
    /// How many processes there were before; what was meant for them is not heard.
    var process = 0
    var isOnline = true
    /// Whether secure storage says nothing.
    var isLocked = false
    var credential: String?
    /// All that must not lie in the file.
    var secrets: [String] = []
    var status: ReplicaStatus?
    /// How many requests were made.
    var requests = 0
    /// The log as far as the file has it.
    var fold: HouseholdFold?
    /// Until where the log must be followed before a snapshot of several pages is one state.
    var hazyUntil: Int64 = 0

    init(name: String, session: String) {
        self.name = name
        self.session = session
        secrets = [session]
    }

    /// What secure storage says.
    func answer(to secret: ReplicaSecret) -> SecretAnswer {
        guard !isLocked else { return .unavailable }
        return switch secret {
        case .session: .found(session)
        case .credential: credential.map(SecretAnswer.found) ?? .missing
        }
    }
}

/// The rows that a log makes up to a position, and how far it has a replica's own changes.
struct HouseholdFold {
    var generation: String?
    var replica: String
    var version: Int
    var tables: PlainTables
    var position: Int64 = 0
    var applied: Int64 = 0
}

/// What a file says of itself.
struct HouseholdFacts {
    var standing: ReplicaStanding
    var kept: [UnsentChange]
    var rows: [ReplicaChange]
}

extension Household {
    // MARK: Processes

    /// The app is launched, if it does not run.
    ///
    /// - Parameters:
    ///   - index: The phone.
    ///   - isInterrupted: Whether the process ends in the middle of a migration, if there is one.
    func launch(_ index: Int, isInterrupted: Bool = false) {
        guard phones[index].driver == nil, faults.isEmpty else { return }
        let phone = phones[index]
        let schema = Diary.schema(phone.version)
        let name = "\(phone.name)-\(phone.process)"
        let opening: ReplicaDatabase.Opening
        do {
            if isInterrupted {
                opening = try ReplicaDatabase.open(
                    .image(phone.disk),
                    form: Diary.form(phone.version),
                    newReplica: name,
                    beforeMigrationCommits: { _ in throw Abandoned() },
                    leave: { phones[index].disk = $0 }
                )
            } else {
                opening = try ReplicaDatabase.open(
                    .image(phone.disk),
                    form: Diary.form(phone.version),
                    newReplica: name
                )
            }
        } catch {
            expect(isInterrupted, "\(phone.name)'s file is not opened: \(error)")
            note(phone.name, "was interrupted while migrating")
            tally.interruptions += 1
            phones[index].process += 1
            schedule(.launch(phone: index, isInterrupted: false), after: .seconds(2))
            return
        }
        start(index, opening, schema)
    }

    private func start(
        _ index: Int,
        _ opening: ReplicaDatabase.Opening,
        _ schema: ReplicaSchema
    ) {
        let isFirst = phones[index].disk == nil
        phones[index].database = opening.database
        note(phones[index].name, "opened version \(schema.version), \(opening.rescue as Any)")
        say("\(phones[index].name) opens the app")
        let machine = ReplicaSynchronizer(
            configuration: ReplicaConfiguration(schema: schema),
            seed: random.next()
        )
        phones[index].driver = MachineDriver(machine, at: now)
        expect(!isFirst || opening.isNew, "a file that was not there is not new")
        judgeRescue(index, opening)
        guard let facts = checkRows(index) else { return }
        expect(facts.standing.schema == schema.version, "opened \(facts.standing)")
        phones[index].isDamaged = false
        tell(index, .opened(facts.standing))
        tell(index, .pathChanged(isSatisfied: phones[index].isOnline))
        if isFirst { tell(index, .signedIn(session: phones[index].session)) }
    }

    /// The process ends; what the file has stays.
    func crash(_ index: Int) {
        guard let database = phones[index].database else { return }
        note(phones[index].name, "the process ends")
        tally.crashes += 1
        phones[index].disk = attempt("the file") { try database.image() }
        phones[index].keptAtRest = attempt("what is kept") { try database.kept() } ?? []
        let standing = attempt("standing") { try database.standing() }
        phones[index].replicaAtRest = standing?.replica ?? ""
        checkSecrets(index)
        phones[index].database = nil
        phones[index].driver = nil
        phones[index].fold = nil
        phones[index].hazyUntil = 0
        phones[index].status = nil
        phones[index].process += 1
    }

    func crashForAWhile(_ index: Int) {
        crash(index)
        let wait = Duration.milliseconds(500 + random.below(15_000))
        schedule(.launch(phone: index, isInterrupted: false), after: wait)
    }

    func setPath(_ index: Int, _ isOnline: Bool) {
        guard phones[index].isOnline != isOnline else { return }
        note(phones[index].name, isOnline ? "the network returns" : "the network goes away")
        phones[index].isOnline = isOnline
        tell(index, .pathChanged(isSatisfied: isOnline))
    }

    // MARK: The machine

    /// Gives a phone's machine an event, or wakes it, and does what it orders.
    func drive(_ index: Int, _ event: ReplicaEvent?) {
        guard phones[index].driver != nil else { return }
        let name = phones[index].name
        if let event { note(name, event) } else { note(name, "wakes") }
        for effect in phones[index].driver?.effects(of: event, at: now) ?? []
        where faults.isEmpty {
            note(name, effect)
            perform(effect, index)
        }
    }

    private func perform(_ effect: ReplicaEffect, _ index: Int) {
        guard let database = phones[index].database else { return }
        switch effect {
        case .readSecret(let operation, let secret):
            tell(index, .secretRead(operation, phones[index].answer(to: secret)))
        case .keepCredential(let text):
            if !phones[index].isLocked { phones[index].credential = text }
        case .loadUnsent(let operation, let countMax, let bytesMax):
            let batch = attempt("what is unsent") {
                try database.unsent(countMax: countMax, bytesMax: bytesMax)
            }
            guard let batch else { return }
            tell(index, .unsentLoaded(operation, batch))
        case .callServer(let operation, let request):
            send(request, operation, index)
        case .cancelCall:
            // An answer that nobody waits for may come all the same.
            break
        case .take(let operation, let page):
            guard let outcome = attempt("taking", { try database.take(page) }) else { return }
            guard !page.changes.isEmpty else {
                return tell(index, .stored(operation, outcome))
            }
            lastNews = now
            stored(outcome, operation, index)
        case .stage(let operation, let page, let owner, let isFirst):
            let outcome = attempt("staging") {
                try database.stage(page, of: owner, isFirst: isFirst)
            }
            if let outcome { staged(page, outcome, operation, index) }
        case .setAside(_, let refusals):
            fault("\(phones[index].name) sets \(refusals) aside, which the primary takes")
        case .follow(let owner):
            _ = attempt("following") { try database.follow(owner) }
        case .claim(let user):
            _ = attempt("claiming") { try database.claim(for: user) }
        case .show(let status):
            expect(status != phones[index].status, "\(status) is shown again")
            phones[index].status = status
            if status == .outdated { tally.outdated += 1 }
            say("\(phones[index].name) shows \(status)")
        case .beginBackgroundTask, .endBackgroundTask:
            // What the file takes takes no time here.
            break
        case .signInRequired:
            fault("\(phones[index].name) must sign in, whose session is good")
        }
    }

    private func staged(
        _ page: SnapshotPage,
        _ outcome: StoreOutcome,
        _ operation: OperationID,
        _ index: Int
    ) {
        lastNews = now
        if case .done = outcome, page.next == nil {
            tally.snapshots += 1
            // The first page's position is where the file stands now; the last page knows more.
            phones[index].hazyUntil = page.position
        }
        stored(outcome, operation, index)
    }

    private func stored(_ outcome: StoreOutcome, _ operation: OperationID, _ index: Int) {
        expect(outcome != .failed, "\(phones[index].name)'s file refuses")
        guard let facts = checkRows(index) else { return }
        if case .done(let standing) = outcome {
            expect(standing == facts.standing, "\(standing) is said of \(facts.standing)")
        }
        tell(index, .stored(operation, outcome))
    }
}

/// What ends a transaction in the middle.
struct Abandoned: Error {}
