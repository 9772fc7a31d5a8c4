import KodamaEvidence
import SansIO

// Who is heard in which call.

extension CallNarrator {
    /// A side that is heard while the other is not.
    struct OneWay {
        /// The app at which it is heard.
        var at: ComponentIndex
        /// The app that it is heard of.
        var of: ComponentIndex
        /// When its first sample was heard.
        var since: Instant

        /// For so long voices start one after the other, in nanoseconds.
        static let usualMax: Int64 = 1_000_000_000
    }

    /// The app says that its call is connected.
    func connect(_ record: TraceRecord, in narration: inout Narration) {
        let number = CallConnected(record).call
        narration.say(
            "the app says that call \(number) is connected",
            of: record.component,
            at: record.instant,
            after: answer(of: number, at: record.component)
        )
    }

    /// Somebody is heard.
    mutating func flow(_ record: TraceRecord, in narration: inout Narration) {
        let flowing = CallVoiceFlowing(record)
        let number = flowing.call
        calls[number]?.hearing.insert(record.component.index)
        guard let call = calls[number] else { return }
        guard call.hearing.count >= 2 else {
            calls[number]?.oneWay = OneWay(
                at: record.component,
                of: record.subject,
                since: flowing.heard
            )
            return
        }
        tellOneWay(number, until: flowing.heard, in: &narration)
        calls[number]?.hasBeenHeard = true
        narration.say(
            "both hear each other\(call.hasBeenHeard ? " again" : "") in call \(number)",
            of: record.component,
            at: flowing.heard,
            after: call.hasBeenHeard ? nil : answer(of: number)
        )
    }

    /// Somebody is heard no more; both may be at once.
    mutating func stop(_ record: TraceRecord, in narration: inout Narration) {
        let number = CallVoiceStopped(record).call
        tellOneWay(number, until: record.instant, in: &narration)
        let wasHeard = calls[number]?.hearing.remove(record.component.index) != nil
        guard let call = calls[number], wasHeard, call.hasBeenHeard, call.ended == nil else {
            return
        }
        if let silence = call.silence, silence.at == record.instant, call.hearing.isEmpty,
            narration.amend(
                "in call \(number) neither hears the other any more",
                insteadOf: silence.text,
                of: silence.of,
                at: silence.at
            )
        {
            return
        }
        let other = narration.name(of: record.subject) ?? "the other"
        let text =
            "in call \(number) \(other) is heard no more\(call.hearing.isEmpty ? " either" : "")"
        calls[number]?.silence = (of: record.component, at: record.instant, text: text)
        narration.say(text, of: record.component, at: record.instant)
    }

    /// Says, once it is over, that voice went one way only for longer than it usually does.
    mutating func tellOneWay(
        _ number: Int64,
        until end: Instant,
        in narration: inout Narration
    ) {
        guard let call = calls[number], let oneWay = call.oneWay else { return }
        calls[number]?.oneWay = nil
        guard oneWay.since.duration(to: end).wholeNanoseconds >= OneWay.usualMax,
            let here = narration.name(of: oneWay.at), let there = narration.name(of: oneWay.of)
        else { return }
        narration.say(
            "in call \(number) \(there) is heard\(call.hasBeenHeard ? " again" : ""), "
                + "but \(here) is not",
            of: oneWay.at,
            at: oneWay.since
        )
    }
}
