extension Problem {
    /// Words for what makes no sense in a story of sessions.
    var sessionWording: Wording? {
        switch self {
        case .reservedName(let name):
            Wording("reserved-name", "'\(name)' is the name of a server")
        case .noClock(let text):
            Wording(
                "no-clock",
                "'\(text)' is a time of day, but the run has no clock",
                .init("add 'clock', the time of day at which the run starts")
            )
        case .beforeClock(let text, let clock):
            Wording(
                "before-clock",
                "'\(text)' lies before the run's start at \(clock)",
                .init("write a time after the start, such as 18h, for the next day")
            )
        case .needsApp(let key, let app):
            Wording("needs-app", "'\(key)' is for the \(app) app, which no device runs")
        case .otherApp(let name, let needed):
            Wording("other-app", "'\(name)' does not run the \(needed) app")
        case .noRadio(let name, let need):
            Wording("no-radio", "'\(name)' has no \(need)")
        case .radioIsDown(let name, let time):
            Wording("radio-is-down", "'\(name)' is down already at \(time)")
        case .handoverToItself(let name):
            Wording("handover-to-itself", "'\(name)' is the only way of the phone at that time")
        case .turnTooLong(let lasting, let period):
            Wording("turn-too-long", "a turn of \(lasting) every \(period) leaves no pause")
        case .serverFaultsOverlap(let first):
            Wording(
                "server-faults-overlap",
                "the server is not itself again: the end of one fault would end both",
                Self.first(first)
            )
        case .parameterOutOfPlace(let name, let scope):
            switch scope {
            case .servers:
                Wording(
                    "parameter-out-of-place",
                    "'\(name)' is a figure of the servers, not of a device",
                    .init("put it under the scenario's own 'parameters'")
                )
            case .intercom, .session:
                Wording(
                    "parameter-out-of-place",
                    "'\(name)' is a figure of the \(scope.rawValue) app, which this device does not run"
                )
            }
        case .parameterOfNobody(let name, let scope):
            Wording(
                "parameter-of-nobody",
                scope == .intercom
                    ? "'\(name)' does nothing: no device runs the intercom app"
                    : "'\(name)' does nothing: no device runs the session app"
            )
        case .parameterOfSound(let name):
            Wording(
                "parameter-of-sound",
                "'\(name)' does nothing: 'audio: sized' has neither detector nor encoder",
                .init("write 'audio: real'")
            )
        default:
            nil
        }
    }
}
