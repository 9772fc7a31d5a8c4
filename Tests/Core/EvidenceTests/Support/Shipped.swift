@testable import KodamaEvidence
import KodamaLanguage
import KodamaShipped

extension Systems {
    /// The core and the systems that the product ships.
    static let shipped = SystemRegistry.shipped.evidence
}

extension EvidenceSystem {
    /// What the core and the systems that the product ships record and measure.
    static let shipped = core + [KodamaSystem].shipped.compactMap(\.evidence)
}
