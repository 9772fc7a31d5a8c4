package import Foundation

extension JSONEncoder {
    /// The encoder of everything that is compared by its bytes: equal values give equal bytes.
    package static var repeatable: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}
