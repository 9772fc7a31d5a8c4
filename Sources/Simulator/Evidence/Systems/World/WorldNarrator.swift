/// Says that the run is over.
struct WorldNarrator: SystemNarrator {
    init(_ directory: TraceDirectory) {}

    mutating func follow(_ record: TraceRecord, in narration: inout Narration) {
        guard record.kind == RunEnded.kind else { return }
        narration.say("the run ends", of: .none, at: record.instant)
    }
}
