import Scenarios

@testable import SimulatedWorld

extension World {
    /// The intercom apps, in the order of their phones.
    var intercoms: [IntercomApp] { cast.phones.compactMap { $0.app(IntercomApp.self) } }
}
