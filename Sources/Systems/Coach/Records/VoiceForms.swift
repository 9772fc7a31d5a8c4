import KodamaEvidence

struct VoiceWish: TraceForm {
    static let kind = TraceKind(.coach, 60)
    static let text = TraceFormText(
        "clone.wish",
        .milestone,
        "The user wants a clone of their voice, or wants it deleted.",
        "account",
        "wanted"
    )
    var account: Int64
    var isWanted: TraceFlag
}

struct VoiceStep: TraceForm {
    static let kind = TraceKind(.coach, 61)
    static let text = TraceFormText(
        "clone.step",
        .milestone,
        "The app's code for cloned voices orders something of storage or the server.",
        "account",
        .words("step", Step.self)
    )
    var account: Int64
    var step: TraceWord<Step>

    /// What it orders.
    enum Step: Int64, Sendable, CaseIterable {
        case keepsKeys, keepsRecording, keepsProgress, readsRecording, destroysRecording
        case destroysKey, asksServer
    }
}

struct VoiceKept: TraceForm {
    static let kind = TraceKind(.coach, 62)
    static let text = TraceFormText(
        "clone.kept",
        .milestone,
        "The phone's store keeps how far a cloned voice has come.",
        "account",
        .words("state", VoiceState.self)
    )
    var account: Int64
    var state: TraceWord<VoiceState>
}

/// What could still open the user's recording or voice on the phone; the truth.
struct VaultHeld: TraceForm, Equatable {
    static let kind = TraceKind(.coach, 63)
    static let text = TraceFormText(
        "clone.vault",
        .milestone,
        "The phone has a recording or its key, and the key of the voice, or no more.",
        "account",
        "recording",
        "voice_key"
    )
    var account: Int64
    var hasRecording: TraceFlag
    var hasVoiceKey: TraceFlag
}

/// What the server has; the truth, whatever the phone learns of it.
struct VoiceAtServer: TraceForm, Equatable {
    static let kind = TraceKind(.coach, 64)
    static let text = TraceFormText(
        "clone.at-server",
        .milestone,
        "The app's own server now has so many voices of an account, and parts of a recording or none.",
        "account",
        "voices",
        "recording"
    )
    var account: Int64
    var voices: Int64
    var hasRecording: TraceFlag
}

struct AudioFetched: TraceForm {
    static let kind = TraceKind(.coach, 65)
    static let text = TraceFormText(
        "coach.preload",
        .milestone,
        "The preload has fetched the next morning's audio in the user's voice, or could not.",
        "there"
    )
    var isThere: TraceFlag
}

/// How far a cloned voice has come.
enum VoiceState: Int64, Sendable, CaseIterable {
    case none, sealed, registered, deleting
}
