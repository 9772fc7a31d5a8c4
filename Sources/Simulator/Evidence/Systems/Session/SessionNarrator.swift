import Models
import RealtimeVoice
import SansIO

/// Says how sessions lose their voice and get it back, and what that took.
struct SessionNarrator: SystemNarrator {
    private var sessions: [UInt32: NarratedSession] = [:]
    private var faults: [FaultKey: Instant] = [:]
    /// By app the number that the server gave its latest session.
    private var participants: [UInt32: Int64] = [:]

    private struct FaultKey: Hashable {
        var component: UInt32
        var fault: Int64
    }

    init(_ directory: TraceDirectory) {}

    mutating func follow(_ record: TraceRecord, in narration: inout Narration) {
        switch record.kind {
        case FaultBegan.kind, FaultEnded.kind:
            follow(fault: record, in: &narration)
        case ParticipantJoined.kind:
            participants[record.subject.index] = ParticipantJoined(record).participant
        case ParticipantLeft.kind, AgentJoined.kind, AgentClosed.kind, JoinRefused.kind:
            follow(server: record, in: &narration)
        case UserActed.kind:
            guard let act = UserActed(record).action.value?.resumption else { return }
            let phone = narration.name(of: record.component)
            let cause = Sentence.Cause(at: record.instant, act)
            for app in sessions.keys where narration.name(of: ComponentIndex(app)) == phone {
                sessions[app]?.resume(cause)
            }
        case RunEnded.kind:
            for app in sessions.keys.sorted() {
                sessions[app]?.end(of: ComponentIndex(app), at: record.instant, in: &narration)
            }
        default:
            guard NarratedSession.kinds.contains(record.kind) else { return }
            let app = record.component.index
            sessions[app, default: NarratedSession()].follow(record, in: &narration)
        }
    }

    private mutating func follow(fault record: TraceRecord, in narration: inout Narration) {
        if record.kind == FaultBegan.kind {
            let began = FaultBegan(record)
            let key = FaultKey(component: record.component.index, fault: began.fault.number)
            faults[key] = record.instant
            let length = began.parameter > 0 ? ", for \(began.parameter.lengthText)" : ""
            let text =
                began.fault.value?.beginning(isWholePhone: isWhole(record, in: narration))
                ?? "fault \(began.fault.number)"
            narration.say(text + length, of: record.component, at: record.instant)
        } else {
            let ended = FaultEnded(record)
            let key = FaultKey(component: record.component.index, fault: ended.fault.number)
            narration.say(
                ended.fault.value?.ending(isWholePhone: isWhole(record, in: narration))
                    ?? "the fault is over: \(ended.fault.spoken)",
                of: record.component,
                at: record.instant,
                after: faults.removeValue(forKey: key).map { Sentence.Cause(at: $0, "it began") }
            )
        }
    }

    /// Whether a fault is one of a phone, not of one of its radios.
    private func isWhole(_ record: TraceRecord, in narration: Narration) -> Bool {
        !(narration.name(of: record.component)?.contains("/") ?? false)
    }

    private func follow(server record: TraceRecord, in narration: inout Narration) {
        let whose = narration.name(of: record.subject) ?? "somebody"
        let text: String
        switch record.kind {
        case ParticipantLeft.kind:
            let reason = ParticipantLeft(record).reason
            guard reason.value != .clientInitiated else { return }
            let isLatest = participants[record.subject.index] == ParticipantLeft(record).participant
            let which = isLatest ? "the" : "an earlier"
            text = "the room server gives up \(which) connection of \(whose): \(reason.spoken)"
        case AgentJoined.kind:
            let room = record.subject == .none ? "a room" : "the room of \(whose)"
            text = "an agent joins \(room)"
        case AgentClosed.kind:
            let ended = FaultKey(
                component: record.component.index,
                fault: SessionFault.agentLeft.rawValue
            )
            // It has just been said to end its job.
            guard faults[ended] != record.instant else { return }
            let reason = AgentClosed(record).reason
            let why = reason.value == .unknownReason ? "" : ": \(reason.spoken)"
            text = "the agent leaves the room of \(whose)\(why)"
        default:
            text = "the room server refuses \(whose): HTTP \(JoinRefused(record).status)"
        }
        narration.say(text, of: record.component, at: record.instant)
    }
}

extension UserAct {
    /// What a user did who wants to be heard again, after "after"; `nil` for anything else.
    fileprivate var resumption: String? {
        switch self {
        case .openApp, .tapNotification: "the user came back"
        case .phoneCallEnds: "the phone call ended"
        case .closeControlCentre: "Control Centre was put away"
        case .connect: "the user asked for the conversation"
        case .signIn: "the user signed in"
        default: nil
        }
    }
}
