@testable import KodamaEvidence
@testable import KodamaLanguage
import KodamaShipped

extension Systems {
    /// The core and the systems that the product ships.
    static let shipped = SystemRegistry.shipped.evidence
}

extension Vocabularies {
    /// The language of the core and of the systems that the product ships.
    static let shipped = SystemRegistry.shipped.language
}
