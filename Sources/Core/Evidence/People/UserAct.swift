/// Something that a user does with a phone: declared once, by the core or by the system in whose app it is done.
///
/// A system registers its acts with its evidence (`EvidenceSystem.acts`).
public struct UserAct: DeclaredWord {
    /// What such words are called.
    public static let noun = "act"

    /// The word in a trace, such as `open-app`.
    public let name: String
    /// The number in a record.
    public let number: Int64
    /// Whether it may take the sound from the app that talks: for a call, another app or a headset.
    public let takesSound: Bool
    /// Where it is declared, for messages.
    public let origin: String
    private let text: String

    /// Declares an act.
    ///
    /// - Parameters:
    ///   - name: Its word in a trace.
    ///   - number: Its number in a record.
    ///   - text: What the user does, after "the user"; `{app}` stands for the app that it is done to.
    ///   - takesSound: Whether it may take the sound from the app that talks.
    ///   - file: Where it is declared, for messages.
    ///   - line: The line there.
    public init(
        _ name: String,
        number: Int64,
        _ text: String,
        takesSound: Bool = true,
        file: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.name = name
        self.number = number
        self.text = text
        self.takesSound = takesSound
        origin = "\(file):\(line)"
    }

    /// What the user does, after "the user", to an app if it is done to one.
    package func sentence(_ app: String) -> String { text.replacing("{app}", with: app) }

    /// The acts that a system brings.
    public static func words(of system: EvidenceSystem) -> [UserAct] { system.acts }
}
