@testable import KodamaIntercom
@testable import KodamaWorld

extension World {
    /// The intercom apps, in the order of their phones.
    var intercoms: [IntercomApp] { cast.phones.compactMap { $0.app(IntercomApp.self) } }
}
