import AppCoordination
import GroupSecurity
import GroupStore
import KodamaEvidence
import KodamaNetwork
import KodamaPhone
import KodamaWorld
import SansIO
import TextFormats

/// The app's memory of its groups: rows on the phone's disk, secrets in its keychain.
final class LibraryHost: Host {
    @exclusivity(unchecked) var seat = Seat(GroupLibrary())
    private unowned(unsafe) let app: GroupApp
    private let disk = GroupDisk()
    /// The running process's connection.
    private var database: GroupDatabase?

    init(of app: GroupApp) {
        self.app = app
    }

    /// What the phone has kept since before the story begins: a group, its secret, and its members.
    func remember(_ credential: GroupCredential, of members: [MemberRecord], since time: WallTime) {
        let group = GroupRecord(id: credential.id, created: time, lastUsed: time)
        let database = disk.connect()
        GroupDisk.trying {
            try database.save(group)
            for member in members { try database.save(member, in: group.id) }
        }
        app.phone.seat.ask {
            $0.keep(
                Base64URL.encode(credential.secret.bytes),
                under: credential.id.text,
                for: app.id
            )
        }
    }

    /// Begins anew with the app's process.
    func restart(at now: Instant) {
        seat.restart(GroupLibrary(), at: now)
        database = disk.connect()
    }

    /// The process is gone, and its connection with it.
    func end() { database = nil }

    var isAwake: Bool { app.isAwake }

    func scheduleWake(at instant: Instant, on stage: inout Stage) {
        preconditionFailure("nothing that is stored is waited for by time")
    }

    /// The keychain answered.
    func hear(_ answer: SystemAnswer, to operation: OperationID, on stage: inout Stage) {
        switch answer {
        case .secureStorageRead(.value(let text)):
            let bytes = text.flatMap { Base64URL.decode($0[...]) }
            tell(.secretRead(operation, bytes.map { .found($0) } ?? .missing), on: &stage)
        case .secureStorageRead(.failed):
            tell(.secretRead(operation, .unavailable), on: &stage)
        case .secureStorageWritten(let isKept):
            tell(.secretWritten(operation, isKept: isKept), on: &stage)
        case .microphonePermission, .voiceEngine: break
        }
    }

    /// The binding of the library's effects.
    func perform(_ effect: GroupLibrary.Effect, on stage: inout Stage) {
        switch effect {
        case .loadGroups(let operation):
            let groups = stored { try $0.recentGroups() } ?? []
            tell(.groupsLoaded(operation, groups), on: &stage)
        case .readSecret(let operation, let group):
            app.order(.readSecureStorage(operation, key: group.text), on: &stage)
        case .writeSecret(let operation, let group, let bytes):
            let text = Base64URL.encode(bytes)
            app.order(.writeSecureStorage(operation, key: group.text, value: text), on: &stage)
        case .deleteSecret(let group):
            let nobody = OperationID(number: .max)
            app.order(.writeSecureStorage(nobody, key: group.text, value: nil), on: &stage)
        case .saveGroup(let record): stored { try $0.save(record) }
        case .useGroup(let group, let time): stored { try $0.use(group, at: time) }
        case .deleteGroup(let group): stored { try $0.delete(group) }
        case .saveMember(let member, let group): stored { try $0.save(member, in: group) }
        case .saveInvite(let invite, let group): stored { try $0.save(invite, to: group) }
        case .deleteInvite(let group): stored { try $0.deleteInvite(to: group) }
        case .showGroups(let groups): app.choose(among: groups, on: &stage)
        case .opened(let credential):
            let members = stored { try $0.members(of: credential.id) } ?? []
            let invites = stored { try $0.invites(to: credential.id) } ?? []
            let known = members.map { KnownMember(id: $0.id, name: $0.name) }
            app.enter(credential, known: known, awaiting: invites, on: &stage)
        case .failed(_, let failure):
            app.note(GroupUnopened(trouble: TraceWord(GroupTrouble(failure))), on: &stage)
        }
    }

    /// Does something with the process's connection.
    @discardableResult
    private func stored<Result>(
        _ body: (GroupDatabase) throws -> Result
    ) -> Result? {
        guard let database else { return nil }
        return GroupDisk.trying { try body(database) }
    }
}

extension GroupTrouble {
    /// What the trace calls it.
    fileprivate init(_ failure: GroupLibrary.Failure) {
        self =
            switch failure {
            case .secretNotKept: .secretNotKept
            case .secretMissing: .secretMissing
            case .secretUnavailable: .secretUnavailable
            }
    }
}
