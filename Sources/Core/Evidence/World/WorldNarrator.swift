import SansIO

/// Says what is done to radios, servers and phones, and that the run is over.
package struct WorldNarrator: SystemNarrator {
    private let faults: DeclaredWords<WorldFault>
    /// When each fault that lasts began, by component and by the fault's number.
    private var began: [ComponentIndex: [Int64: Instant]] = [:]

    package init(_ directory: TraceDirectory) {
        faults = directory.systems.faults
    }

    package mutating func follow(_ record: TraceRecord, in narration: inout Narration) {
        switch record.kind {
        case FaultBegan.kind:
            let fault = FaultBegan(record).fault
            began[record.component, default: [:]][fault.number] = record.instant
            let text = narration.beginning(record, of: faults[fault])
            narration.say(text, of: record.component, at: record.instant)
        case FaultEnded.kind:
            guard let fault = faults[FaultEnded(record).fault] else { return }
            for ended in fault.ended {
                end(ended, isRepaired: fault.isRepair, record, in: &narration)
            }
        case RunEnded.kind: narration.say("the run ends", of: .none, at: record.instant)
        default: break
        }
    }

    private mutating func end(
        _ fault: WorldFault,
        isRepaired: Bool,
        _ record: TraceRecord,
        in narration: inout Narration
    ) {
        let began = began[record.component]?.removeValue(forKey: fault.number)
        // A repair ends those faults that there are.
        guard began != nil || !isRepaired, let text = fault.ends else { return }
        narration.say(
            text.sentence(about: "", isWholePhone: narration.isWhole(record)),
            of: record.component,
            at: record.instant,
            after: began.map { Sentence.Cause(at: $0, "it began") }
        )
    }
}

extension Narration {
    /// What the record of a fault that began says.
    package func beginning(_ record: TraceRecord, of fault: WorldFault?) -> String {
        let began = FaultBegan(record)
        let phone = name(of: record.subject) ?? "the phone"
        let text = fault?.begins.sentence(about: phone, isWholePhone: isWhole(record))
        let length = began.parameter > 0 ? ", for \(began.parameter.lengthText)" : ""
        return (text ?? "fault \(began.fault.number)") + length
    }

    /// Whether a fault is one of a phone, not of one of its radios.
    fileprivate func isWhole(_ record: TraceRecord) -> Bool {
        !(name(of: record.component)?.contains("/") ?? false)
    }
}
