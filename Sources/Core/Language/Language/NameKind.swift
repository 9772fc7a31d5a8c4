/// What a name can name.
public enum NameKind: Sendable, Equatable {
    /// A phone.
    case phone
    /// A phone with an app of a system.
    case phoneRunning(String)
    /// A phone with an app whose people talk over links between phones.
    case peer
    /// A phone with an app whose people talk in rooms of the room server.
    case roomGuest
    /// A radio, as phone/radio.
    case radio
    /// A phone with all its radios, or one radio.
    case phoneOrRadio
    /// A person.
    case person
    /// A link between phones, or a radio's.
    case link
    /// Anything that has a name in the trace.
    case component
    /// A link profile.
    case profile
    /// A metric.
    case metric
    /// An invariant.
    case invariant
    /// A kind of records.
    case event
    /// A requirement.
    case requirement
    /// A recorded voice.
    case voice
    /// A parameter.
    case parameter
    /// Something that is swept.
    case sweptValue

    /// Whether its names are defined elsewhere than in a scenario.
    var isOfCatalog: Bool {
        switch self {
        case .profile, .metric, .invariant, .event, .requirement, .voice, .parameter: true
        default: false
        }
    }

    /// What a message calls it.
    var noun: String {
        switch self {
        case .phone, .phoneRunning, .peer, .roomGuest: "phone"
        case .radio: "radio"
        case .phoneOrRadio: "phone or radio"
        case .person: "person"
        case .link: "link"
        case .component: "phone, app, person, link or server"
        case .profile: "link profile"
        case .metric: "metric"
        case .invariant: "invariant"
        case .event: "event kind"
        case .requirement: "requirement"
        case .voice: "voice"
        case .parameter: "parameter"
        case .sweptValue: "swept value"
        }
    }

    /// The short stable name for codes of mistakes and definitions of the schema.
    var code: String {
        switch self {
        case .phone, .phoneRunning, .peer, .roomGuest: "phone"
        case .radio: "radio"
        case .phoneOrRadio: "phoneOrRadio"
        case .person: "person"
        case .link: "link"
        case .component: "component"
        case .profile: "profile"
        case .metric: "metric"
        case .invariant: "invariant"
        case .event: "event"
        case .requirement: "requirement"
        case .voice: "voice"
        case .parameter: "parameter"
        case .sweptValue: "sweptValue"
        }
    }

    /// What 'kodama list' calls all that can be named, if it lists it.
    var listed: String? {
        switch self {
        case .profile: "profiles"
        case .metric: "metrics"
        case .invariant: "invariants"
        case .event: "records"
        case .requirement: "requirements"
        case .parameter: "parameters"
        case .phone, .phoneRunning, .peer, .roomGuest, .radio, .phoneOrRadio, .person, .link,
            .component, .voice, .sweptValue:
            nil
        }
    }

    /// Whether a reference of this kind may have meant something that is defined as `other`.
    func mayName(_ other: NameKind) -> Bool {
        switch self {
        case .phone, .phoneRunning, .peer, .roomGuest: other == .phone
        case .radio: other == .phone || other == .radio
        case .phoneOrRadio: other == .phone || other == .radio
        case .link: other == .phone || other == .radio || other == .link
        case .component: [.phone, .radio, .person, .link].contains(other)
        default: other == self
        }
    }
}
