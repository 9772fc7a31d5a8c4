import Foundation
import KodamaHarness

/// What the page asks for.
struct StudioRequest: Decodable, Sendable {
    enum Kind: String, Decodable, Sendable {
        /// The page has opened.
        case hello
        /// Both settings, of which one may have moved.
        case show
        /// A seed of both, one above the other.
        case lanes
        /// A seed of one in sentences.
        case explain
        /// A setting as a file.
        case save
    }

    /// A value as it was typed, or the amount at which a slider stands.
    enum Value: Decodable, Sendable {
        case text(String)
        case amount(Int64)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let amount = try? container.decode(Int64.self) {
                self = .amount(amount)
            } else {
                self = .text(try container.decode(String.self))
            }
        }
    }

    var kind: Kind
    /// The page's number of the request, which its answers carry.
    var id: Int?
    var left: [String: Value]?
    var right: [String: Value]?
    /// The metrics to draw besides those of gates.
    var metrics: [String]?
    var seed: UInt64?
    var side: StudioSide?
    var file: String?
    var form: SavedSetting.Form?
    var replaces: Bool?
}

/// One of the two settings.
enum StudioSide: String, Codable, Sendable, CaseIterable {
    case left, right
}

/// What the page is told; one case is one message with its name as `kind`.
enum StudioReply: Sendable {
    case hello(StudioHello)
    case settings(StudioSettings)
    case picture(StudioPicture)
    case lanes(id: Int?, seed: UInt64, html: String)
    case explanation(id: Int?, side: StudioSide, text: String)
    case saved(file: String)
    /// What cannot be done, and whether to ask before it is.
    case refused(id: Int?, sentences: String, asks: Bool)
    /// What is wrong with the scenario's file; `nil` once it is right again.
    case broken(String?)

    /// The message's text.
    var text: String {
        let encoder = JSONEncoder.repeatable
        func written(_ kind: String, _ value: some Encodable) -> String {
            let data = try? encoder.encode(["kind": Piece(kind), "value": Piece(value)])
            return String(decoding: data ?? Data("{}".utf8), as: UTF8.self)
        }
        struct Words: Encodable {
            var id: Int?
            var side: StudioSide?
            var seed: UInt64?
            var file: String?
            var html: String?
            var text: String?
            var asks: Bool?
        }
        return switch self {
        case .hello(let hello): written("hello", hello)
        case .settings(let settings): written("settings", settings)
        case .picture(let picture): written("picture", picture)
        case .lanes(let id, let seed, let html):
            written("lanes", Words(id: id, seed: seed, html: html))
        case .explanation(let id, let side, let text):
            written("explanation", Words(id: id, side: side, text: text))
        case .saved(let file): written("saved", Words(file: file))
        case .refused(let id, let sentences, let asks):
            written("refused", Words(id: id, text: sentences, asks: asks))
        case .broken(let text): written("broken", Words(text: text))
        }
    }
}

/// Anything that is written.
private struct Piece: Encodable {
    let value: any Encodable

    init(_ value: any Encodable) { self.value = value }

    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

/// The scenario, and what can be moved in it.
struct StudioHello: Encodable, Sendable {
    struct Parameter: Encodable, Sendable {
        var name: String
        /// What its values are: `duration`, `share` and other kinds of quantity, `integer`, `boolean`, `choice`.
        var form: String
        var least: Int64
        var most: Int64
        var step: Int64
        var words: [String]?
        /// The value in the file, or its default.
        var own: String
        var ownAmount: Int64
        /// Whether the file, a preset or the command line sets it.
        var isSet: Bool
        /// Whether it belongs to an app, and not to servers or every phone.
        var isOfApp: Bool
        var standard: String
        var range: String
        var meaning: String
        var source: String
    }

    var scenario: String
    var summary: String?
    var file: String
    /// A digest of every value of the file's own setting.
    var digest: String
    var build: String
    /// The options that the studio was started with, as a shell takes them.
    var options: String
    /// The values that both sides share, by their parameters.
    var shared: [String: String]
    var seeds: Int
    var parameters: [Parameter]
    var objectives: [String]
    var broken: String?
}

/// Both settings as they were understood.
struct StudioSettings: Encodable, Sendable {
    struct Value: Encodable, Sendable {
        var text: String
        var amount: Int64
    }

    var id: Int?
    var left: [String: Value]
    var right: [String: Value]
}

/// What the runs so far show.
struct StudioPicture: Encodable, Sendable {
    var id: Int?
    var seeds: Int
    var of: Int
    var summary: String
    var gates: String
    var curves: String
    var changes: String
    var parts: String
    var worst: [SettingPair.WorstSeed]
    /// The metrics that can be drawn.
    var drawable: [String]
    /// What `kodama evaluate` prints for each side, to the byte.
    var evaluations: [String]
    /// The commands that print it.
    var commands: [String]
}
