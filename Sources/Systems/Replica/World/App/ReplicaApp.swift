import AppCoordination
import KodamaEvidence
import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import KodamaSession
import KodamaSimulation
import KodamaWorld
import RealtimeVoice
import ReplicaChanges
import ReplicaStore
import ReplicaSync
import SansIO

/// An app on a phone whose tables replicate the user's own database: its process, its file, and what its
/// user does.
final class ReplicaApp: PathWitness, Reviewed {
    /// What the app schedules.
    enum Word: UInt8 {
        /// The process wants to be woken.
        case wake
        /// A request, by number, wants to be woken.
        case requestWake
        /// The transaction that the file is locked by is over.
        case transactionEnds
        /// The file, for which the disk had no room, is tried again.
        case opensAgain
    }

    let installation: Installation
    let plan: ReplicaAppPlan
    unowned(unsafe) let system: ReplicaSystem

    /// The app's process; `nil` while there is none.
    @exclusivity(unchecked) var process: ReplicaProcess?
    /// Its file.
    @exclusivity(unchecked) var disk = ReplicaDisk()
    @exclusivity(unchecked) var calls: [APICall] = []
    var callCount: UInt32 = 0
    /// The version of the app that is installed, by that of its schema.
    private(set) var version: Int
    /// Whether the next migration of the file is cut short.
    var interruptsMigration = false
    /// What the user does as soon as the app runs.
    private var touches: [ReplicaAppAct] = []
    /// The rows that the user wrote.
    var written = WrittenRows()
    /// What the user wrote and the primary does not have.
    var pending = PendingWrites()
    /// Whether the file's rows and the primary's are the same, as the trace has it.
    private var sidesAreEqual: Bool?
    /// Whether no packets pass, as the trace has it.
    var hasLostPath = false
    @exclusivity(unchecked) var isTouched = false

    init(_ plan: ReplicaAppPlan, _ installation: Installation, of system: ReplicaSystem) {
        self.plan = plan
        self.installation = installation
        self.system = system
        version = plan.schemaVersion
    }

    var api: APIService { system.session.api }

    func receive(_ word: Word, _ argument: UInt32, on stage: inout Stage) {
        switch word {
        case .wake: process?.awaken(on: &stage)
        case .requestWake: calls.first { $0.number == argument }?.awaken(on: &stage)
        case .transactionEnds:
            if argument == launchCount { process?.endTransaction(on: &stage) }
        case .opensAgain:
            guard argument == launchCount, let process else { return }
            process.opensAgain = false
            openIfShut(on: &stage)
        }
    }

    /// A packet reaches one of the app's sockets.
    func receive(_ packet: Packet, on stage: inout Stage) {
        guard phase != .suspended else { return }
        deliverToCall(packet, on: &stage)
    }

    func scheduleWake(of call: APICall, at instant: Instant, on stage: inout Stage) {
        scheduleWake(.requestWake, call.number, at: instant, on: &stage)
    }

    func heard(_ response: HTTPResponseOrLoss, to call: APICall, on stage: inout Stage) {
        guard let request = call.request as? ReplicaRequest else { return }
        let answer = ReplicaAnswer(response, to: request)
        if case .credential(let credential) = answer { disk.learn(credential.token) }
        process?.tell(.serverAnswered(call.operation, answer), on: &stage)
    }

    // MARK: What is looked at from outside

    func touchPath(on stage: inout Stage) { stage.touch(self) }

    func review(on stage: inout Stage) {
        reviewPath(on: &stage)
        reviewSides(on: &stage)
    }

    /// The file's rows may have changed.
    func fileChanged(on stage: inout Stage) {
        disk.rowsAreStale = true
        stage.touch(self)
    }

    /// Whether the file has the rows that the primary has.
    private func reviewSides(on stage: inout Stage) {
        guard let isEqual = compareSides(), isEqual != sidesAreEqual else { return }
        sidesAreEqual = isEqual
        note(ReplicaSides(isEqual: TraceFlag(isEqual)), on: &stage)
    }

    /// Whether the rows are the same now; `nil` before the file is made.
    private func compareSides() -> Bool? {
        let primary = system.desk.rows(of: plan.user)
        if disk.rowsAreStale, let process {
            // A count is enough while they differ in number, as when many are written offline; to
            // read all rows after each write would take the square of their number.
            let count = process.stored { try $0.rowCount() }
            if let count, count != primary.writtenCount { return false }
            if let rows = process.stored({ try $0.rows() }) {
                disk.rows = rows
                disk.rowsAreStale = false
            }
        }
        return disk.rows.map { $0 == primary.all }
    }
}

// MARK: What the system does with the app

extension ReplicaApp {
    func launch(on stage: inout Stage) {
        var configuration = plan.configuration
        configuration.schema = ReplicaAppPlan.schema(version: version)
        let machine = ReplicaSynchronizer(
            configuration: configuration,
            seed: phone.seed("replica", launchCount, on: stage)
        )
        process = ReplicaProcess(machine, of: self, at: stage.now)
        note(AppLaunched(), on: &stage)
    }

    func willEnd(_ reason: KillReason, on stage: inout Stage) {
        if reason == .fileLockHeld { note(ReplicaEndedLocked(), on: &stage) }
    }

    func terminate(on stage: inout Stage) {
        note(AppTerminated(), on: &stage)
        touches = []
        endCalls()
        closeFile(on: &stage)
        process = nil
    }

    func resume(on stage: inout Stage) {
        process?.armWake(on: &stage)
        armCalls(on: &stage)
    }

    func socketsFailed(_ address: NetworkAddress, on stage: inout Stage) {
        failCalls(from: address, on: &stage)
    }

    func inform(_ news: SystemNews, on stage: inout Stage) {
        guard let process else { return }
        switch news {
        case .launched: openFile(on: &stage)
        case .scene(let phase):
            note(SceneChanged(phase: phase), on: &stage)
            if phase == .active { openIfShut(on: &stage) }
        case .path(.unsatisfied): note(PathNoticed(interface: nil), on: &stage)
        case .path(.satisfied(let interface)):
            note(PathNoticed(interface: interface), on: &stage)
        default: break
        }
        if let event = ReplicaEvent(news) { process.tell(event, on: &stage) }
        if case .backgroundTimeExpired(let duty) = news {
            phone.tell(.handlerReturned(id, duty), on: &stage)
        }
    }

    func systemSettled(on stage: inout Stage) {
        while phase == .running, let process, process.isReady, !touches.isEmpty {
            carryOut(touches.removeFirst(), in: process, on: &stage)
        }
    }

    /// Keeps a secret in the keychain, or deletes it; nobody waits for the answer.
    func keep(_ secret: String?, under key: String, on stage: inout Stage) {
        let nobody = OperationID(number: .max)
        order(.writeSecureStorage(nobody, key: key, value: secret), on: &stage)
    }
}

// MARK: What is done in the app, and to it

extension ReplicaApp {
    /// What the user does in the app opens it; what befalls its file does not.
    func undergo(_ act: any SystemAct, on stage: inout Stage) {
        guard let act = act as? ReplicaAppAct else {
            preconditionFailure("the plan does \(act) to \(name)")
        }
        switch act {
        case .damage(let damage): self.damage(damage, on: &stage)
        case .interruptMigration: interruptsMigration = true
        case .update(let version):
            // The App Store ends the process; whoever opens the app next has the new one.
            noteActed(.updateReplicaApp, on: &stage)
            self.version = version
            phone.hear(.user(.killApp(id)), on: &stage)
        case .write, .read, .sync, .signOut, .signIn, .signInAsGuest:
            touches.append(act)
            if phone.seat.ask({ $0.front }) != id {
                phone.undergo(PhoneAct.openApp(ReplicaAppPlan.system), on: &stage)
            }
            systemSettled(on: &stage)
        }
    }

    private func carryOut(
        _ act: ReplicaAppAct,
        in process: ReplicaProcess,
        on stage: inout Stage
    ) {
        switch act {
        case .write, .read, .sync: openIfShut(on: &stage)
        default: break
        }
        // A migration may have ended the process.
        guard self.process === process else { return }
        switch act {
        case .write(let write): self.write(write, in: process, on: &stage)
        case .read: read(in: process, on: &stage)
        case .sync:
            noteActed(.syncReplica, on: &stage)
            process.tell(.syncRequested, on: &stage)
        case .signIn: signIn(plan.user, .signInToReplica, in: process, on: &stage)
        case .signInAsGuest:
            signIn("\(plan.user)-guest", .signInToReplicaAsGuest, in: process, on: &stage)
        case .signOut:
            noteActed(.signOutOfReplica, on: &stage)
            keep(nil, under: ReplicaSecret.session.account, on: &stage)
            process.tell(.signedOut, on: &stage)
        case .update, .damage, .interruptMigration:
            preconditionFailure("\(act) is nothing that is done in the app")
        }
    }

    /// A user signs in; the requests take no time, and need a server that answers.
    private func signIn(
        _ user: String,
        _ act: UserAct,
        in process: ReplicaProcess,
        on stage: inout Stage
    ) {
        guard api.isServing, isReachable(on: stage),
            let session = api.signIn(user, at: stage.now)
        else { return }
        noteActed(act, on: &stage)
        keep(session, under: ReplicaSecret.session.account, on: &stage)
        process.tell(.signedIn(session: session), on: &stage)
    }

    /// Writes down what the user does; where the phone has several apps, also in which.
    private func noteActed(_ act: UserAct, on stage: inout Stage) {
        let subject: ComponentIndex = phone.apps.count > 1 ? index : .none
        stage.note(UserActed(action: act), of: phone.index, about: subject)
    }
}
