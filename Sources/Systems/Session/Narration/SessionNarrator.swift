import KodamaEvidence
import KodamaNetwork
import KodamaPhone
import SansIO

/// Says how sessions lose their voice and get it back, and what that took.
struct SessionNarrator: SystemNarrator {
    /// The sessions, by what `keys` says of their apps.
    private var sessions: [UInt32: NarratedSession] = [:]
    private let faults: DeclaredWords<WorldFault>
    /// When an agent was last told to end its job, by component.
    private var jobsEnded: [ComponentIndex: Instant] = [:]
    /// By app the number that the server gave its latest session.
    private var participants: [UInt32: Int64] = [:]
    /// By app how many of its sessions the server has.
    private var presence: [UInt32: Int] = [:]
    /// When the last record came, and whether the run was over with it.
    private var latest = Instant.zero
    private var hasEnded = false

    /// By component what its records are kept under: a session's under its phone.
    private let keys: [UInt32]
    private let isForeign: [Bool]

    /// How the names of its apps end.
    private static let appSuffix = ".session"

    init(_ directory: TraceDirectory) {
        faults = directory.systems.faults
        let owners = directory.owners
        let isSession = directory.names.map { $0.hasSuffix(Self.appSuffix) }
        keys = owners.indices.map { isSession[$0] ? owners[$0].index : UInt32($0) }
        isForeign = owners.indices.map { !isSession[$0] && Int(owners[$0].index) != $0 }
    }

    mutating func follow(_ record: TraceRecord, in narration: inout Narration) {
        latest = record.instant
        switch record.kind {
        case FaultBegan.kind:
            follow(began: record, in: &narration)
            if record.subject != .none { file(record, of: record.subject, narration) }
        case ParticipantJoined.kind:
            participants[record.subject.index] = ParticipantJoined(record).participant
            presence[record.subject.index, default: 0] += 1
        case ParticipantLeft.kind, AgentJoined.kind, AgentClosed.kind, JoinRefused.kind:
            follow(server: record, in: &narration)
        case VoiceHeard.kind, AudioFlowing.kind, AudioStopped.kind:
            let key = keys[Int(record.component.index)]
            sessions[key, default: NarratedSession()].hear(record, narration.position)
        case RunEnded.kind:
            hasEnded = true
        case UserActed.kind:
            // What a user does to another app of the phone is not the session's.
            guard record.subject == .none || isOfOneSession(record.component, record.subject)
            else { return }
            file(record, of: record.component, narration)
        default:
            guard NarratedSession.kinds.contains(record.kind) else { return }
            file(record, of: record.component, narration)
        }
    }

    mutating func finish(in narration: inout Narration) {
        for key in sessions.keys.sorted() {
            sessions[key]?.tell(
                of: ComponentIndex(key),
                until: latest,
                isWhole: hasEnded && !isForeign[Int(key)],
                in: &narration
            )
        }
    }

    private func isOfOneSession(_ one: ComponentIndex, _ other: ComponentIndex) -> Bool {
        keys[Int(one.index)] == keys[Int(other.index)]
    }

    private mutating func file(
        _ record: TraceRecord,
        of component: ComponentIndex,
        _ narration: Narration
    ) {
        guard component != .none else { return }
        let key = keys[Int(component.index)]
        sessions[key, default: NarratedSession()].file(record, narration.position)
    }

    /// The world's narrator has just said what was done; only a session knows whether it has any effect.
    private mutating func follow(began record: TraceRecord, in narration: inout Narration) {
        let began = FaultBegan(record)
        if began.endsJob { jobsEnded[record.component] = record.instant }
        guard began.expels, record.subject != .none,
            presence[record.subject.index, default: 0] == 0
        else { return }
        let text = narration.beginning(record, of: faults[began.fault])
        _ = narration.amend(
            text + ", to no effect: it is in no room",
            insteadOf: text,
            of: record.component,
            at: record.instant
        )
    }

    // MARK: The servers

    private mutating func follow(server record: TraceRecord, in narration: inout Narration) {
        let whose = narration.name(of: record.subject) ?? "somebody"
        let text: String
        switch record.kind {
        case ParticipantLeft.kind:
            presence[record.subject.index, default: 0] -= 1
            let reason = ParticipantLeft(record).reason
            guard reason.value != .clientInitiated else { return }
            let isLatest = participants[record.subject.index] == ParticipantLeft(record).participant
            let which = isLatest ? "the" : "an earlier"
            text = "the room server gives up \(which) connection of \(whose)\(reason.clause)"
        case AgentJoined.kind:
            let room = record.subject == .none ? "a room" : "the room of \(whose)"
            text = "an agent joins \(room)"
        case AgentClosed.kind:
            // It has just been said to end its job.
            guard jobsEnded[record.component] != record.instant else { return }
            text = "the agent leaves the room of \(whose)\(AgentClosed(record).reason.clause)"
        default:
            text = "the room server refuses a join: HTTP \(JoinRefused(record).status)"
        }
        narration.say(text, of: record.component, at: record.instant)
    }
}
