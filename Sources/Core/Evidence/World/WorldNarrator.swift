/// Says that the run is over.
package struct WorldNarrator: SystemNarrator {
    package init(_ directory: TraceDirectory) {}

    package mutating func follow(_ record: TraceRecord, in narration: inout Narration) {
        guard record.kind == RunEnded.kind else { return }
        narration.say("the run ends", of: .none, at: record.instant)
    }
}
