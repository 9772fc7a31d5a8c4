extension Problem {
    /// Words for what makes no sense of phones, their apps and servers.
    var castWording: Wording? {
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
                .init("the run ends before \(text) of the next day")
            )
        case .otherApp(let name, let needed):
            Wording("other-app", "'\(name)' has no \(needed) app")
        case .noAppForAct(let word, let name, let needed, let instead):
            Wording(
                "other-app",
                "'\(name)' has no \(needed) app",
                Diagnostic.Note(
                    instead.map { "write '\($0)' for the call that is going on" }
                        ?? "leave '\(word)' out, or give '\(name)' such an app"
                )
            )
        case .faultOfOtherApp(let fault, let system, let phone):
            Wording(
                "fault-of-other-app",
                "'\(fault)' is a fault of the \(system) app, which '\(phone)' does not have",
                .init("leave '\(fault)' out, or give '\(phone)' that app")
            )
        case .whichApp(let name, let apps):
            Wording(
                "which-app",
                apps.isEmpty ? "'\(name)' has no app" : "'\(name)' has several apps",
                apps.isEmpty ? nil : .init("add 'app': \(apps.joined(separator: " or "))")
            )
        case .appForNothing(let word):
            Wording("app-for-nothing", "'\(word)' is done to the phone, not to an app of it")
        case .actOfOtherApp(let word, let system, let instead):
            Wording(
                "act-of-other-app",
                "'\(word)' is done in the \(system) app",
                instead.map { .init("did you mean '\($0)'?") }
            )
        case .noRadio(let name, let need):
            Wording("no-radio", "'\(name)' has no \(need)")
        case .radioIsDown(let name, let time):
            Wording(
                "radio-is-down",
                "'\(name)' \(name.contains("' and '") ? "are" : "is") down already at \(time)",
                .init("order it for when a radio is up, or leave it out")
            )
        case .handoverToItself(let name):
            Wording("handover-to-itself", "'\(name)' is the only way of the phone at that time")
        case .turnTooLong(let lasting, let period):
            Wording("turn-too-long", "a turn of \(lasting) every \(period) leaves no pause")
        case .faultsOverlap(let target, let first):
            Wording(
                "faults-overlap",
                "'\(target)' is still under an earlier fault: the end of one would end both",
                Self.first(first)
            )
        case .orderInVain(let reason, let location):
            Wording(
                "order-in-vain",
                "nothing comes of this: \(reason)",
                location.map { .init("it goes away here", at: $0) }
            )
        case .voiceUnsealed(let mode):
            Wording(
                "voice-unsealed",
                "'voice: \(mode.rawValue)' seals no voice frame, so that none is refused that is "
                    + "copied or forged",
                .init("write 'voice: real'; otherwise at most control packets are sealed")
            )
        case .walksTwice(let phone):
            Wording("walks-twice", "'\(phone)' already walks another route")
        case .emptyGap:
            Wording("empty-gap", "the gap ends where it begins or before")
        case .emptyRidge:
            Wording("empty-ridge", "the ridge ends where it begins: give its crest two points")
        case .beyondWay(let length):
            Wording("beyond-way", "the route is \(length) long and ends before the gap begins")
        case .parameterOutOfPlace(let name, .app(let system)):
            Wording(
                "parameter-out-of-place",
                "'\(name)' is a figure of the \(system) app, which this phone does not have"
            )
        case .parameterOutOfPlace(let name, .phones), .parameterOutOfPlace(let name, .servers):
            Wording(
                "parameter-out-of-place",
                "'\(name)' is a figure of the servers, not of a phone",
                .init("put it under the scenario's own 'parameters'")
            )
        case .parameterOfNobody(let name, .app(let system)),
            .parameterOfNobody(let name, .servers(of: let system)):
            Wording(
                "parameter-of-nobody",
                "'\(name)' does nothing: no phone has the \(system) app"
            )
        case .parameterOfNobody(let name, .phones):
            Wording("parameter-of-nobody", "'\(name)' does nothing: there is no phone")
        case .ofSystem(let code, let message, let hint):
            Wording(code, message, hint.map { .init($0) })
        case .parameterOfSound(let name):
            Wording(
                "parameter-of-sound",
                "'\(name)' does nothing: 'voice: sized' has neither detector nor encoder",
                .init("write 'voice: real'")
            )
        case .parameterForNothing(let name, let reason):
            Wording("parameter-for-nothing", "'\(name)' does nothing: \(reason)")
        default:
            nil
        }
    }
}
