import KodamaEvidence
import SansIO

/// What users are told who call or answer while their app is without the microphone (AN-06).
struct CallMicrophones {
    /// How long it may take until they know why nobody hears them: the app may have to come to the front.
    private static let patience: Int64 = 5_000_000_000
    /// How the names of the calling apps end.
    private static let appSuffix = ".calls"

    /// A call that a user placed or answered without the microphone.
    struct Attempt {
        let app: ComponentIndex
        let since: Int64
        /// Whether the app said why, or the system asked for the microphone.
        var isExplained: Bool
    }

    private var attempts: [Attempt] = []
    /// How each calling app stands; those are left out that have had the microphone since their launch.
    private var states: [ComponentIndex: MicrophoneState] = [:]
    private let isOfCalls: [Bool]

    init(_ directory: TraceDirectory) {
        isOfCalls = directory.names.map { $0.hasSuffix(Self.appSuffix) }
    }

    /// Takes a record of an app's microphone, or of the end of its process.
    mutating func take(_ record: TraceRecord) {
        guard isOfCalls[Int(record.component.index)] else { return }
        guard record.kind == MicrophoneChanged.kind else {
            states[record.component] = nil
            return
        }
        let state = MicrophoneChanged(record).state.value
        states[record.component] = state
        if state == .asked { explain(record.component, at: record.instant.nanoseconds) }
    }

    /// The user of an app calls somebody, or answers.
    mutating func begin(_ app: ComponentIndex, at now: Int64) {
        guard let state = states[app], state != .allowed else { return }
        attempts.append(Attempt(app: app, since: now, isExplained: state == .asked))
    }

    /// The user of an app reads that a call needs the microphone, or is asked for it.
    mutating func explain(_ app: ComponentIndex, at now: Int64) {
        for index in attempts.indices.reversed() {
            guard now - attempts[index].since <= Self.patience else { return }
            if attempts[index].app == app { attempts[index].isExplained = true }
        }
    }

    /// What came of the attempts that had their time before a run ended.
    func judged(at end: Int64) -> [Attempt] {
        attempts.filter { $0.isExplained || end - $0.since > Self.patience }
    }
}
