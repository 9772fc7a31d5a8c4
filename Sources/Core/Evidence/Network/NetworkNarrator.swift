import SansIO

/// Says what befalls links, and when phones lose their way to the servers and have it again.
package struct NetworkNarrator: SystemNarrator {
    private var lost: [UInt32: Instant] = [:]
    private var disrupted: [UInt32: Sentence.Cause] = [:]

    package init(_ directory: TraceDirectory) {}

    package mutating func follow(_ record: TraceRecord, in narration: inout Narration) {
        switch record.kind {
        case LinkChanged.kind:
            change(record, in: &narration)
        case PathLost.kind:
            lost[record.component.index] = record.instant
            narration.say(
                "the path to the servers is lost: \(Self.reason(PathLost(record).cause.value))",
                of: record.component,
                at: record.instant
            )
        case PathUsable.kind:
            let cause = lost.removeValue(forKey: record.component.index).map {
                Sentence.Cause(at: $0, "the path was lost")
            }
            narration.say(
                "the path is back",
                of: record.component,
                at: record.instant,
                after: cause
            )
        default:
            break
        }
    }

    private mutating func change(_ record: TraceRecord, in narration: inout Narration) {
        let changed = LinkChanged(record)
        let link = record.component.index
        let length =
            changed.parameter > 0 ? " for \(changed.parameter.lengthText)" : ""
        var text: String
        switch changed.disruption.value {
        case .stopped: text = "nothing passes over the link any more\(length)"
        case .slowed: text = "the link takes longer\(length)"
        case .jammed: text = "the link holds everything back\(length), to hand it on all at once"
        case .changed: text = "the link behaves differently from now on"
        case .restored:
            return narration.say(
                "the link is as before",
                of: record.component,
                at: record.instant,
                after: disrupted.removeValue(forKey: link)
            )
        case nil: text = "the link changes"
        }
        if changed.disruption.value != .changed {
            let verb =
                switch changed.disruption.value {
                case .stopped: "stopped"
                case .slowed: "became slow"
                default: "was held up"
                }
            disrupted[link] = Sentence.Cause(at: record.instant, "it \(verb)")
        }
        narration.say(text, of: record.component, at: record.instant)
    }

    private static func reason(_ cause: PathLossCause?) -> String {
        switch cause {
        case .interface: "the phone has no network"
        case .link: "its network carries nothing in at least one direction"
        case .signalling: "signalling is blocked"
        case .media: "media is blocked"
        case .server: "the room server is away"
        case nil: "nobody knows why"
        }
    }
}
