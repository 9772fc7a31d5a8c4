import KodamaCalls
import KodamaCoach
import KodamaGuest
import KodamaIntercom
public import KodamaLanguage
import KodamaReplica
import KodamaSession

extension [KodamaSystem] {
    /// The systems that the product ships.
    public static var shipped: [KodamaSystem] {
        [.calls, .coach, .guest, .intercom, .replica, .session]
    }
}

extension SystemRegistry {
    /// The core and the systems that the product ships.
    public static let shipped = SystemRegistry(.shipped)
}
