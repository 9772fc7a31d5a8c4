/// Something that is done to a radio, a server or a phone: declared once, where what it befalls lives.
///
/// A system registers its faults with its evidence (`EvidenceSystem.faults`). Traces, narrators, pictures and
/// meters read what is declared here, so that a new fault needs no other file than its own and its verb's.
public struct WorldFault: DeclaredWord {
    /// What becomes of a fault once it has begun.
    public enum Course: Sendable {
        /// It lasts until a record of the same fault says that it ended.
        case lasting
        /// As `lasting`, and as often as it began it has to end: each beginning has an end of its own.
        case stacking
        /// It is over as soon as it has happened.
        case instant
        /// It is no fault itself: it ends these others of its component, as far as there are any.
        case repairs([WorldFault])
    }

    /// What such words are called.
    public static let noun = "fault"

    /// The word in a trace, such as `black-hole`.
    public let name: String
    /// The number in a record.
    public let number: Int64
    /// What its component goes without while it lasts.
    public let withholds: [Resource]
    /// How long it lasts, and what ends it.
    public let course: Course
    /// Faults of the same component whose effect is over as soon as this one begins.
    public let replaces: [WorldFault]
    /// Whether it throws a participant out of its room.
    public let expels: Bool
    /// What is done, as a sentence without a capital and a full stop.
    public let begins: FaultText
    /// That it is over, likewise; `nil` if no sentence says so.
    public let ends: FaultText?
    /// Where it is declared, for messages.
    public let origin: String

    /// Declares a fault.
    ///
    /// - Parameters:
    ///   - name: Its word in a trace.
    ///   - number: Its number in a record.
    ///   - withholds: What its component goes without while it lasts.
    ///   - course: How long it lasts.
    ///   - replaces: Faults of the component whose effect is over when it begins.
    ///   - expels: Whether it throws a participant out of its room.
    ///   - begins: What is done, in words.
    ///   - ends: That it is over, in words.
    ///   - file: Where it is declared, for messages.
    ///   - line: The line there.
    public init(
        _ name: String,
        number: Int64,
        withholds: [Resource] = [],
        _ course: Course = .lasting,
        replaces: [WorldFault] = [],
        expels: Bool = false,
        begins: FaultText,
        ends: FaultText? = nil,
        file: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.name = name
        self.number = number
        self.withholds = withholds
        self.course = course
        self.replaces = replaces
        self.expels = expels
        self.begins = begins
        self.ends = ends
        origin = "\(file):\(line)"
    }

    /// The faults that its record ends: itself, or those that it repairs.
    package var ended: [WorldFault] {
        if case .repairs(let faults) = course { faults } else { [self] }
    }

    /// Whether it ends others and is no fault itself.
    package var isRepair: Bool { if case .repairs = course { true } else { false } }

    /// Whether it is over as soon as it has happened.
    package var isInstant: Bool { if case .instant = course { true } else { false } }

    /// The faults that a system brings.
    public static func words(of system: EvidenceSystem) -> [WorldFault] { system.faults }
}

/// Something that components need and that the world may take away.
public struct Resource: Sendable, Hashable {
    /// What it is called.
    public let name: String

    /// Names a resource; a system may bring its own.
    public init(_ name: String) { self.name = name }

    /// An app's path on which packets come through to the servers.
    public static let path = Resource("path")
    /// A radio's network.
    public static let network = Resource("network")
    /// A radio, or all of a phone's, letting signalling pass.
    public static let signalling = Resource("signalling")
    /// A radio, or all of a phone's, letting media pass.
    public static let media = Resource("media")
    /// A phone's keychain.
    public static let keychain = Resource("keychain")
    /// Room on a phone's disk.
    public static let disk = Resource("disk")
    /// A phone's voice engine.
    public static let voice = Resource("voice")
    /// A phone's clock that is right.
    public static let clock = Resource("clock")
    /// A phone that rings.
    public static let ringing = Resource("ringing")
    /// A phone's sound, while no call in one of its apps has it.
    public static let sound = Resource("sound")

    /// A server that answers, by the server's name.
    public static func server(_ name: String) -> Resource { Resource("server \(name)") }
}

/// A sentence about a fault, without its capital and full stop.
///
/// In it `{phone}` stands for the name of the phone that the fault concerns.
public struct FaultText: Sendable, ExpressibleByStringLiteral {
    private let text: String
    private let wholePhone: String

    /// Says the same wherever the fault is.
    public init(stringLiteral text: String) { self.init(text, wholePhone: text) }

    /// Says one thing of a component, such as a radio, and another of a whole phone.
    public init(_ text: String, wholePhone: String) {
        self.text = text
        self.wholePhone = wholePhone
    }

    /// The sentence.
    package func sentence(about phone: String, isWholePhone: Bool) -> String {
        (isWholePhone ? wholePhone : text).split(
            separator: "{phone}",
            omittingEmptySubsequences: false
        )
        .joined(separator: phone)
    }
}
