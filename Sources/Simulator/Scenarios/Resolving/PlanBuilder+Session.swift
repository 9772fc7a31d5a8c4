import Evidence
import Models
import RealtimeVoice
import SansIO
import Simulation

// MARK: - Phones

extension PlanBuilder {
    /// A phone with the voice session.
    mutating func phone(
        _ name: String,
        _ value: CheckedValue,
        _ tuning: Tuning,
        path: String,
        plan: WorldPlan
    ) -> PhonePlan {
        var phone = PhonePlan(name: name)
        var app = SessionAppPlan()
        app.configuration = tuning.voice
        app.sdk = tuning.sdk
        phone.apps = [AppPlan(app, start: start(value["opens"], plan: plan))]
        phone.system = tuning.phone
        if let condition = value["phone"] { phone.condition = PhoneCondition(condition) }
        phone.condition.clockOffset = value["clock"]?.duration ?? .zero
        for interface in NetworkInterface.allCases {
            let key = "\(interface)"
            guard let radio = value["links"]?[key], radio.text != "none" else { continue }
            guard defineLink(name, key, at: radio.place) else { continue }
            radios["\(name)/\(key)"] = (name, interface)
            if let plan = self.radio(interface, radio, path: "\(path).links.\(key)") {
                phone.radios.append(plan)
            }
        }
        return phone
    }

    private mutating func start(_ value: CheckedValue?, plan: WorldPlan) -> AppStart {
        guard let value, value.text != "never", let time = instant(value),
            within(plan.duration, time, "the app opens", value)
        else { return .closed }
        return .opened(at: time)
    }

    private mutating func radio(
        _ interface: NetworkInterface,
        _ value: CheckedValue,
        path: String
    ) -> RadioPlan? {
        // A bare name is a profile without changes.
        let isBare = value.text != nil
        let shaping =
            isBare
            ? CheckedValue(
                content: .mapping([
                    CheckedField(key: "profile", keyPlace: value.place, value: value)
                ]),
                place: value.place
            ) : value
        guard let shaped = shapedProfile(shaping) else { return nil }
        var radio = RadioPlan(interface, profile: shaped.profile)
        radio.isUp = value["up"]?.boolean ?? true
        radio.outages = value["outages"].flatMap(OutageProcess.init)
        let up = value["up"].map { ResolvedNode.value($0.written, $0.origin) }
        var entries = shaped.entries + [.init("up", up ?? .value("true", .standard))]
        if let outages = value["outages"] { entries.append(.init("outages", outages.asWritten)) }
        expansions[path] = .mapping(entries)
        return radio
    }
}

extension OutageProcess {
    /// What a checked value of `outages` says.
    init?(_ value: CheckedValue) {
        if value.text == "driving" {
            self = .driving
            return
        }
        guard let perHour = value["per_hour"]?.number, let median = value["median"]?.duration,
            let spread = value["spread"]?.number, let shortest = value["shortest"]?.duration,
            let longest = value["longest"]?.duration
        else { return nil }
        self.init(
            perHour: perHour,
            medianLength: median,
            sigmaThousandths: spread / 1_000,
            shortest: shortest,
            longest: longest
        )
    }
}

extension CheckedValue {
    /// Where it comes from.
    var origin: ValueOrigin { isDefault ? .standard : .file(place.location) }

    /// A value or a mapping of values, as it was written.
    fileprivate var asWritten: ResolvedNode {
        guard !fields.isEmpty else { return .value(written, origin) }
        return .mapping(
            fields.compactMap { field in field.value.map { .init(field.key, $0.asWritten) } }
        )
    }
}

// MARK: - What is done to them

extension PlanBuilder {
    /// What the timeline orders of phones and servers.
    mutating func sessionAct(
        _ verb: String,
        _ body: CheckedValue,
        lasting: Duration?,
        plan: WorldPlan
    ) -> Act? {
        switch verb {
        case "outage": outage(body, lasting: lasting)
        case "block": block(body, lasting: lasting)
        case "handover": handover(body)
        case "radio": radioSwitch(body)
        case "user": user(body)
        case "phone", "set-clock": phoneChange(body)
        case "server": server(body, lasting: lasting)
        default: lasting.map { .single(.silenceAPI(lasting: $0)) }
        }
    }

    private mutating func outage(_ body: CheckedValue, lasting: Duration?) -> Act? {
        let target = refer(body["of"], to: .phoneOrRadio)
        guard let target, let lasting, let notice = notice(body) else { return nil }
        // Where nobody says anything, packets merely vanish.
        guard notice != .never else {
            let (phone, interface) = parts(of: target)
            return .single(.block(phone: phone, interface, nil, lasting: lasting))
        }
        let names = radios[target] == nil ? names(ofRadiosOf: target) : [target]
        guard !names.isEmpty else {
            report(.noRadio(target, needs: "radio"), at: body["of"]?.place ?? body.place)
            return nil
        }
        return .outage(names, lasting: lasting, notice)
    }

    private mutating func block(_ body: CheckedValue, lasting: Duration?) -> Act? {
        let target = refer(body["of"], to: .phoneOrRadio)
        guard let target, let lasting, let traffic = body["traffic"]?.text else { return nil }
        let (phone, interface) = parts(of: target)
        return .single(
            .block(
                phone: phone,
                interface,
                CaseWords(of: TrafficClass.self)[traffic],
                lasting: lasting
            )
        )
    }

    private mutating func handover(_ body: CheckedValue) -> Act? {
        let phone = refer(body["of"], to: .phone)
        guard let phone, let word = body["to"]?.text, let notice = notice(body) else { return nil }
        let radio = "\(phone)/\(word)"
        guard radios[radio] != nil else {
            report(.noRadio(phone, needs: word), at: body["to"]?.place ?? body.place)
            return nil
        }
        return .handover(radio, among: names(ofRadiosOf: phone), notice)
    }

    private mutating func radioSwitch(_ body: CheckedValue) -> Act? {
        let name = refer(body["of"], to: .radio)
        guard let name, let radio = radios[name], let state = body["is"]?.text,
            let notice = notice(body)
        else { return nil }
        return .single(
            .radio(phone: radio.phone, radio.interface, isUp: state == "up", notice)
        )
    }

    private mutating func user(_ body: CheckedValue) -> Act? {
        let phone = refer(body["of"], to: .phone)
        let action = body["does"]?.text.flatMap { CaseWords(of: UserAct.self)[$0] }
        guard let phone, let action else { return nil }
        return .single(.user(phone: phone, action))
    }

    private mutating func phoneChange(_ body: CheckedValue) -> Act? {
        let phone = refer(body["of"], to: .phone)
        guard let phone, let change = PhoneChange(body) else { return nil }
        return .single(.phone(phone, change))
    }

    private mutating func server(_ body: CheckedValue, lasting: Duration?) -> Act? {
        let phone = refer(body["of"], to: .phone)
        switch (body["does"]?.text, lasting, phone) {
        case ("crash", let lasting?, _): return .single(.rooms(.crash(downtime: lasting)))
        case ("restart", let lasting?, _): return .single(.rooms(.restart(downtime: lasting)))
        case ("drain", let lasting?, _):
            return .pair(.rooms(.drain), .rooms(.clear), after: lasting)
        case ("full", let lasting?, _): return .pair(.rooms(.full), .rooms(.clear), after: lasting)
        case ("block-ice", let lasting?, _):
            return .pair(.rooms(.blockIce), .rooms(.clear), after: lasting)
        case ("silent", let lasting?, _):
            return .pair(.rooms(.goSilent), .rooms(.clear), after: lasting)
        case ("leave", _, let phone?):
            let action = body["action"]?.text.flatMap {
                CaseWords(of: LeaveRequest.Action.self)[$0]
            }
            let reason = body["reason"]?.text.flatMap { CaseWords(of: DisconnectReason.self)[$0] }
            guard let action, let reason else { return nil }
            return .single(.rooms(.leave(identity: phone, LeaveRequest(action, reason))))
        case ("join-elsewhere", _, let phone?):
            return .single(.rooms(.joinElsewhere(identity: phone)))
        default:
            return nil
        }
    }

    /// When and how the phone's system speaks of it.
    private func notice(_ body: CheckedValue) -> PathNotice? {
        guard let value = body["notice"] else { return nil }
        let breaks = body["sockets"]?.text.map { $0 == "break" }
        switch value.text {
        case "immediate": return PathNotice(delay: .zero, breaksSockets: breaks ?? true)
        case "never": return PathNotice(delay: nil, breaksSockets: breaks ?? false)
        default: return PathNotice(delay: value.duration, breaksSockets: breaks ?? false)
        }
    }

    private func parts(of name: String) -> (phone: String, interface: NetworkInterface?) {
        guard let radio = radios[name] else { return (name, nil) }
        return (radio.phone, radio.interface)
    }

    private func names(ofRadiosOf phone: String) -> [String] {
        NetworkInterface.allCases.map { "\(phone)/\($0)" }.filter { radios[$0] != nil }
    }
}

// MARK: - What goes wrong by chance

extension PlanBuilder {
    /// The mixes of faults that are drawn for each seed.
    mutating func faults(_ root: CheckedValue, plan: WorldPlan) -> [FaultMixPlan] {
        var faults: [FaultMixPlan] = []
        for value in root["faults"]?.entries ?? [] {
            let phone = refer(value["of"], to: .phone)
            let span = span(value, plan: plan, "the faults end")
            let shares = (value["kinds"]?.fields ?? []).compactMap { field in
                RandomFault(rawValue: field.key).flatMap { kind in
                    field.value?.number.map { FaultMixPlan.Share(kind, weight: Int($0)) }
                }
            }
            if value["kinds"]?.fields.isEmpty ?? false, let kinds = value["kinds"] {
                let words = RandomFault.allCases.map(\.rawValue)
                report(.chooseOne(of: words, inside: "'kinds'"), at: kinds.place)
            }
            guard let phone, let span, !shares.isEmpty, let period = value["every"]?.duration else {
                continue
            }
            let isAlone = names(ofRadiosOf: phone).count < 2
            if isAlone, let field = value["kinds"]?.field(RandomFault.handover.rawValue) {
                report(.noRadio(phone, needs: "second radio"), at: field.keyPlace)
                continue
            }
            faults.append(
                FaultMixPlan(
                    device: phone,
                    shares: shares,
                    meanGap: period,
                    from: span.lowerBound,
                    until: span.upperBound
                )
            )
        }
        return faults
    }
}
