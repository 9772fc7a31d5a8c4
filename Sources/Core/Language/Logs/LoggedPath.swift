package import SansIO

/// Something that the log says was done to the world, as an entry of the timeline.
package struct LoggedAct: Sendable {
    /// When, counted as the log counts.
    package var instant: Instant
    /// What is done: the value of `do`.
    package var act: DocumentNode
    /// From which lines it comes.
    package var remark: String

    package init(at instant: Instant, _ act: DocumentNode, _ remark: String) {
        self.instant = instant
        self.act = act
        self.remark = remark
    }
}

/// What the system said of a phone's network, read as changes of its radios.
///
/// The phone is called `phone`. A change from one interface to another is a handover; a time without any is
/// an outage, told at both ends at the instants of the lines.
package struct LoggedPath {
    /// A time in which what the system said explains that the app lost its connection.
    package struct Told: Sendable {
        package var begin: Instant
        package var end: Instant
        /// Whether another interface carries on behind it.
        package var changesInterface: Bool
    }

    private struct State {
        var instant: Instant
        var interface: NetworkInterface?
        var place: LoggedLine.Place
    }

    /// The changes, the first of which is how the log begins; two in a row differ.
    private var states: [State] = []
    /// Where the strength of the signal fell into another class.
    private var signals: [(instant: Instant, dBm: Int, place: LoggedLine.Place)] = []
    /// Lines that say again what was said before.
    package private(set) var repeats: [LoggedLine.Place] = []
    /// How much longer than the log an outage lasts that has not ended in it: a guess.
    private static let openOutage = Duration.seconds(30)
    /// When the log ends.
    private let end: Instant

    /// Reads what is said of the network among lines in the order of time.
    package init(_ lines: [LoggedLine]) {
        end = lines.last?.instant ?? .zero
        for line in lines {
            switch line.content {
            case .path(let interface):
                if let last = states.last, last.interface == interface {
                    repeats.append(line.place)
                } else {
                    states.append(
                        State(instant: line.instant, interface: interface, place: line.place)
                    )
                }
            case .signal(let dBm):
                let isNew = signals.last.map { Self.profile($0.dBm) != Self.profile(dBm) } ?? true
                if isNew {
                    signals.append((line.instant, dBm, line.place))
                } else {
                    repeats.append(line.place)
                }
            case .message, .event: break
            }
        }
    }

    /// Whether the system said anything.
    package var isEmpty: Bool { states.isEmpty && signals.isEmpty }

    /// When something was said first that a session which runs already notices.
    package var firstChange: Instant? { states.dropFirst().first?.instant }

    /// When the first line was written.
    package var first: Instant? {
        [states.first?.instant, signals.first?.instant].compactMap(\.self).min()
    }

    /// When something was said last that changes anything.
    package var last: (instant: Instant, place: LoggedLine.Place)? {
        let all =
            states.map { ($0.instant, $0.place) } + signals.map { ($0.instant, $0.place) }
        return all.max { $0.0 < $1.0 }.map { (instant: $0.0, place: $0.1) }
    }

    // MARK: The signal

    /// The link that a reference signal received power stands for.
    ///
    /// The bounds are Android's between its levels of LTE (AOSP, `CarrierConfigManager`,
    /// `KEY_LTE_RSRP_THRESHOLDS_INT_ARRAY`: −128, −118, −108 and −98 dBm); which profile is like which level is
    /// an assumption.
    static func profile(_ dBm: Int) -> String {
        switch dBm {
        case (-108)...: "lte-good"
        case (-118)...: "lte-fair"
        case (-128)...: "lte-weak"
        default: "dead-zone"
        }
    }

    // MARK: The radios

    /// By which interface the phone reaches the network at an instant.
    package func interface(at instant: Instant) -> NetworkInterface? {
        (states.last { $0.instant <= instant } ?? states.first)?.interface
    }

    /// The phone's radios at the start, with the lines that speak of them.
    package func radios(at start: Instant) -> LoggedScenario.Line {
        var radios: DocumentNode = [:]
        var remarks: [String] = []
        let begin = interfaces(at: start)
        for interface in NetworkInterface.allCases {
            let line = states.first { $0.interface == interface }?.place
            let isCellular = interface == .cellular
            let signal = isCellular ? signals.last { $0.instant <= start } ?? signals.first : nil
            guard line != nil || signal != nil || isAssumed(interface) else { continue }
            let profile =
                isCellular ? signal.map { Self.profile($0.dBm) } ?? "lte-good" : "wifi-internet"
            let isUp = begin.contains(interface)
            radios[key: interface.word] =
                isUp ? .plain(profile) : ["profile": .plain(profile), "up": "false"]
            if let line { remarks.append("\(interface.word) by \(line)") }
            if let signal { remarks.append("\(signal.dBm) dBm by \(signal.place)") }
            if line == nil, signal == nil { remarks.append("\(interface.word) is assumed") }
        }
        return LoggedScenario.Line(radios, remarks.joined(separator: "; "))
    }

    /// Without any word on the network the phone is on Wi-Fi.
    private func isAssumed(_ interface: NetworkInterface) -> Bool {
        interface == .wifi && signals.isEmpty && !states.contains { $0.interface != nil }
    }

    /// The radios that are up at the start: cellular stands by while the phone is on Wi-Fi, and Wi-Fi that
    /// comes later is not there yet.
    private func interfaces(at start: Instant) -> [NetworkInterface] {
        let known = NetworkInterface.allCases.filter { interface in
            states.contains { $0.interface == interface } || isAssumed(interface)
                || interface == .cellular && !signals.isEmpty
        }
        guard let state = states.last(where: { $0.instant <= start }) ?? states.first else {
            return known
        }
        switch state.interface {
        case .wifi: return known
        case .cellular: return [.cellular]
        // How it was before the log begins without a network, what comes next says.
        case nil:
            let next = states.first { $0.instant > state.instant }?.interface
            return next == .cellular ? [.cellular] : known
        }
    }

    // MARK: The timeline

    /// What was said, as entries of the timeline from `start` on.
    package func acts(from start: Instant) -> [LoggedAct] {
        var acts: [LoggedAct] = []
        var up = interfaces(at: start)
        var last = states.last { $0.instant <= start }
        var index = states.firstIndex { $0.instant > start } ?? states.count
        if last == nil, index < states.count, states[index].interface != nil {
            last = states[index]
            index += 1
        }
        while index < states.count {
            let state = states[index]
            index += 1
            guard let interface = state.interface else {
                let next = index < states.count ? states[index] : nil
                add(outageFrom: state, to: next, comingFrom: last?.interface, &up, &acts)
                if let next {
                    last = next
                    index += 1
                }
                continue
            }
            let act: DocumentNode = ["handover": ["of": "phone", "to": .plain(interface.word)]]
            let before = last?.interface.map { "\($0.word) to " } ?? ""
            acts.append(
                LoggedAct(at: state.instant, act, "\(state.place): \(before)\(interface.word)")
            )
            up = [interface]
            last = state
        }
        return acts + changes(from: start)
    }

    /// A time without a network: an outage where the phone comes back as it went, else each radio on its own.
    private func add(
        outageFrom state: State,
        to next: State?,
        comingFrom before: NetworkInterface?,
        _ up: inout [NetworkInterface],
        _ acts: inout [LoggedAct]
    ) {
        let back = next?.interface
        if before == nil || back == nil || back == before {
            let end = next?.instant ?? max(end, state.instant).advanced(by: Self.openOutage)
            let length = max(state.instant.duration(to: end), .milliseconds(1))
            let act: DocumentNode = [
                "outage": ["of": "phone", "for": .plain(LoggedTime.text(length))]
            ]
            let how =
                next.map { "\($0.place): back on \(back?.word ?? "")" }
                ?? "the log ends in it, its end is a guess"
            acts.append(LoggedAct(at: state.instant, act, "\(state.place): no network; \(how)"))
            return
        }
        for interface in up {
            let act: DocumentNode = [
                "radio": ["of": .plain("phone/\(interface.word)"), "is": "down"]
            ]
            acts.append(LoggedAct(at: state.instant, act, "\(state.place): no network"))
        }
        guard let next, let back else { return }
        let act: DocumentNode = ["radio": ["of": .plain("phone/\(back.word)"), "is": "up"]]
        acts.append(LoggedAct(at: next.instant, act, "\(next.place): back on \(back.word)"))
        up = [back]
    }

    /// Where the signal fell into another class, the cellular link becomes another.
    private func changes(from start: Instant) -> [LoggedAct] {
        let first = signals.last { $0.instant <= start }?.instant ?? signals.first?.instant ?? start
        return signals.filter { $0.instant > max(start, first) }.map { signal in
            let act: DocumentNode = [
                "change": [
                    "link": "phone/cellular", "profile": .plain(Self.profile(signal.dBm)),
                ]
            ]
            return LoggedAct(at: signal.instant, act, "\(signal.place): \(signal.dBm) dBm")
        }
    }

    /// The times that explain a lost connection: outages from their beginning to their end, and handovers.
    package func told(from start: Instant) -> [Told] {
        states.indices.dropFirst(states.first?.interface == nil ? 0 : 1)
            .filter { states[$0].instant > start }
            .map { index in
                let state = states[index]
                guard state.interface == nil else {
                    let isBack = index > 0 && states[index - 1].interface == nil
                    return Told(
                        begin: state.instant,
                        end: state.instant,
                        changesInterface: !isBack
                    )
                }
                let next = index + 1 < states.count ? states[index + 1] : nil
                return Told(
                    begin: state.instant,
                    end: next?.instant ?? end.advanced(by: Self.openOutage),
                    changesInterface: false
                )
            }
    }
}

extension NetworkInterface {
    /// The interface as scenarios name it.
    fileprivate var word: String { self == .wifi ? "wifi" : "cellular" }
}
