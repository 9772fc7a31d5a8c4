import KodamaEvidence
import KodamaNetwork
import KodamaPhone
import KodamaSession
import KodamaWorld
import RealtimeVoice
import ReplicaStore
import ReplicaSync
import SansIO

/// A process of the app with a replica, from its launch to its end.
final class ReplicaProcess: Host {
    @exclusivity(unchecked) var seat: Seat<ReplicaSynchronizer>
    unowned(unsafe) let app: ReplicaApp
    /// The file; `nil` until it is open, and where it cannot be opened.
    var database: ReplicaDatabase?
    /// What the file is taking, with its lock held.
    private var transaction: ReplicaEffect?
    private static let task = OperationID(number: 1)
    /// Whether the disk had no room for the file when it was to be opened.
    var lacksRoom = false
    /// Whether another try is planned.
    var opensAgain = false
    /// Whether the file may not grow.
    var isLimited = false
    /// Whether the app has tried to open its file, and lives on.
    var isReady = false

    init(_ machine: ReplicaSynchronizer, of app: ReplicaApp, at now: Instant) {
        seat = Seat(machine, at: now)
        self.app = app
    }

    /// Nothing reaches a process that is launched, held or has ended.
    var isAwake: Bool { app.process === self && app.phase == .running }

    func scheduleWake(at instant: Instant, on stage: inout Stage) {
        app.scheduleWake(.wake, at: instant, on: &stage)
    }

    /// The binding of the replica's effects.
    func perform(_ effect: ReplicaEffect, on stage: inout Stage) {
        switch effect {
        case .readSecret(let operation, let secret):
            app.order(.readSecureStorage(operation, key: secret.account), on: &stage)
        case .keepCredential(let text):
            app.keep(text, under: ReplicaSecret.credential.account, on: &stage)
        case .loadUnsent(let operation, let countMax, let bytesMax):
            let batch = stored { try $0.unsent(countMax: countMax, bytesMax: bytesMax) }
            let event = batch.map { ReplicaEvent.unsentLoaded(operation, $0) }
            tell(event ?? .stored(operation, .failed), on: &stage)
        case .callServer(let operation, let request):
            app.note(ReplicaAsked(request: TraceWord(request.kind)), on: &stage)
            app.call(request, operation, on: &stage)
        case .cancelCall(let operation):
            app.endCall(operation)
        case .take, .stage, .setAside:
            let time = app.plan.disk.transactionTime
            guard time > .zero else { return transact(effect, on: &stage) }
            transaction = effect
            app.order(.changeFileLock(isHeld: true), on: &stage)
            app.schedule(.transactionEnds, app.launchCount, after: time, on: &stage)
        case .follow(let database):
            _ = stored { try $0.follow(database) }
        case .claim(let user):
            _ = stored { try $0.claim(for: user) }
        case .beginBackgroundTask: app.order(.beginBackgroundTask(Self.task), on: &stage)
        case .endBackgroundTask: app.order(.endBackgroundTask(Self.task), on: &stage)
        case .show(let status):
            app.note(ReplicaStatusShown(status: status), on: &stage)
        case .signInRequired:
            // The status says so; whether the user signs in is the plan's affair.
            break
        }
    }

    /// A transaction that took its time is committed; one whose process was ended never is.
    func endTransaction(on stage: inout Stage) {
        guard isAwake, let effect = transaction else { return }
        transaction = nil
        app.order(.changeFileLock(isHeld: false), on: &stage)
        transact(effect, on: &stage)
    }

    private func transact(_ effect: ReplicaEffect, on stage: inout Stage) {
        switch effect {
        case .take(let operation, let page):
            tell(.stored(operation, store { try $0.take(page) }), on: &stage)
        case .stage(let operation, let page, let database, let isFirst):
            let outcome = store { try $0.stage(page, of: database, isFirst: isFirst) }
            tell(.stored(operation, outcome), on: &stage)
        case .setAside(let operation, let refusals):
            let outcome = store { try $0.setAside(refusals) }
            app.tellRefused(in: self, on: &stage)
            tell(.stored(operation, outcome), on: &stage)
        default: return
        }
        app.fileChanged(on: &stage)
    }

    /// Does something with the file; `nil` if it refuses.
    func stored<Result>(_ body: (ReplicaDatabase) throws -> Result) -> Result? {
        guard let database else { return nil }
        do {
            try limitGrowth(of: database)
            return try body(database)
        } catch {
            return nil
        }
    }

    private func store(_ body: (ReplicaDatabase) throws -> StoreOutcome) -> StoreOutcome {
        stored(body) ?? .failed
    }

    /// Lets the file grow only where the disk has room.
    private func limitGrowth(of database: ReplicaDatabase) throws {
        let isFull = app.phone.diskIsFull
        guard isFull != isLimited else { return }
        try database.limitGrowth(isFull)
        isLimited = isFull
    }
}
