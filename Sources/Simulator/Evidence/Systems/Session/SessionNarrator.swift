import Models
import RealtimeVoice
import SansIO

/// Says how sessions lose their voice and get it back, and what that took.
struct SessionNarrator: SystemNarrator {
    private var sessions: [UInt32: NarratedSession] = [:]
    private var faults: [FaultKey: Instant] = [:]

    private struct FaultKey: Hashable {
        var component: UInt32
        var fault: Int64
    }

    init(_ directory: TraceDirectory) {}

    mutating func follow(_ record: TraceRecord, in narration: inout Narration) {
        switch record.kind {
        case FaultBegan.kind, FaultEnded.kind:
            follow(fault: record, in: &narration)
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
            let text = began.fault.value?.sentence ?? "fault \(began.fault.number)"
            narration.say(text + length, of: record.component, at: record.instant)
        } else {
            let ended = FaultEnded(record)
            let key = FaultKey(component: record.component.index, fault: ended.fault.number)
            narration.say(
                "the fault is over: \(ended.fault.spoken)",
                of: record.component,
                at: record.instant,
                after: faults.removeValue(forKey: key).map { Sentence.Cause(at: $0, "it began") }
            )
        }
    }

    private func follow(server record: TraceRecord, in narration: inout Narration) {
        let whose = narration.name(of: record.subject) ?? "somebody"
        let text: String
        switch record.kind {
        case ParticipantLeft.kind:
            let reason = ParticipantLeft(record).reason
            guard reason.value != .clientInitiated else { return }
            text = "the room server gives up the connection of \(whose): \(reason.spoken)"
        case AgentJoined.kind:
            let room = record.subject == .none ? "a room" : "the room of \(whose)"
            text = "an agent joins \(room)"
        case AgentClosed.kind:
            text = "the agent leaves the room of \(whose): \(AgentClosed(record).reason.spoken)"
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

extension SessionFault {
    /// What is done, as a sentence.
    fileprivate var sentence: String {
        switch self {
        case .blackHole: "everything that the radio sends or should receive vanishes"
        case .signallingCut: "signalling vanishes on the radio"
        case .mediaCut: "media vanishes on the radio"
        case .radioDown: "the radio loses its network"
        case .radioUp: "the radio has a network again"
        case .serverDown: "the room server is down"
        case .serverDrained: "the room server takes no new rooms"
        case .serverFull: "the room server refuses joins"
        case .iceBlocked: "datagrams neither reach the room server nor leave it"
        case .silentServer: "the room server says nothing"
        case .serverCleared: "the room server does everything again"
        case .serverLeave: "the room server tells the phone to leave"
        case .joinElsewhere: "another device joins with the phone's identity"
        case .silentAPI: "the app's server says nothing"
        case .secureStorage: "the phone's keychain is locked or fails"
        case .voiceEngine: "the phone's voice engine starts late or not at all"
        case .clock: "the phone's clock is wrong"
        case .focus: "the phone lets nothing ring"
        case .serverDark: "the room server's machine is gone from the network"
        case .darkAPI: "the app's server is gone from the network"
        case .portClosed: "the room server's port for signalling is closed"
        case .agentLeft: "the agent ends its job and leaves the room"
        }
    }
}
