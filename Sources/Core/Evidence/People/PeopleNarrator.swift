/// Says what users do with their phones; what they say would be a sentence a second.
package struct PeopleNarrator: SystemNarrator {
    private let acts: DeclaredWords<UserAct>

    package init(_ directory: TraceDirectory) { acts = directory.systems.acts }

    package mutating func follow(_ record: TraceRecord, in narration: inout Narration) {
        guard record.kind == UserActed.kind, let act = acts[UserActed(record).action] else {
            return
        }
        let text = act.sentence(narration.app(record.subject))
        narration.say("the user \(text)", of: record.component, at: record.instant)
    }
}
