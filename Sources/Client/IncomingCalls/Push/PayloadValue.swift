/// A value of a push's payload, as the app hands it over: what Foundation read from APNs' JSON.
///
/// A binding makes the tree from `PKPushPayload.dictionaryPayload`. Booleans and numbers are told apart
/// (`CFBooleanGetTypeID`), and what has no JSON type becomes `null`.
public indirect enum PayloadValue: Sendable, Equatable {
    /// A text.
    case string(String)
    /// A number without fraction or exponent.
    case integer(Int64)
    /// Any other number.
    case double(Double)
    /// `true` or `false`.
    case bool(Bool)
    /// A list.
    case array([PayloadValue])
    /// An object; the order of its members means nothing.
    case dictionary([PayloadMember])
    /// Nothing, or something that JSON does not know.
    case null

    /// An object of such members.
    public static func object(_ members: KeyValuePairs<String, PayloadValue>) -> PayloadValue {
        .dictionary(members.map { PayloadMember($0.key, $0.value) })
    }
}

/// One member of an object in a payload.
public struct PayloadMember: Sendable, Equatable {
    /// Its name.
    public var name: String
    /// Its value.
    public var value: PayloadValue

    /// Makes a member.
    public init(_ name: String, _ value: PayloadValue) {
        self.name = name
        self.value = value
    }
}

/// What a payload may amount to at most, whatever it holds.
struct PayloadBudget {
    /// The bytes of all names and texts: a VoIP push has at most 5,120 (Apple, "Generating a remote
    /// notification").
    static let bytesMax = 5_120
    /// How many values there may be.
    static let valuesMax = 512
    /// How deep they may lie in one another; the payload itself lies at depth 1.
    static let depthMax = 8

    private var bytes = 0
    private var values = 0

    /// Weighs a payload; stops at the first limit that is passed.
    static func check(_ payload: PayloadValue) throws(PayloadRefusal) {
        var budget = PayloadBudget()
        try budget.spend(on: payload, depth: 1)
    }

    private mutating func spend(on value: PayloadValue, depth: Int) throws(PayloadRefusal) {
        guard depth <= Self.depthMax else { throw .tooDeep }
        values += 1
        guard values <= Self.valuesMax else { throw .tooManyValues }
        switch value {
        case .string(let text):
            try spend(text)
        case .integer, .double, .bool, .null:
            return
        case .array(let elements):
            for element in elements { try spend(on: element, depth: depth + 1) }
        case .dictionary(let members):
            for member in members {
                try spend(member.name)
                try spend(on: member.value, depth: depth + 1)
            }
        }
    }

    private mutating func spend(_ text: String) throws(PayloadRefusal) {
        bytes += text.utf8.count
        guard bytes <= Self.bytesMax else { throw .tooLarge }
    }
}
