import Evidence
import Simulation

extension DropReason {
    /// The trace's word for why a link dropped a packet.
    init(_ reason: LinkDropReason) {
        switch reason {
        case .loss: self = .loss
        case .queueFull: self = .queueFull
        case .queueManaged: self = .queueManaged
        case .down: self = .down
        case .tooLarge: self = .tooLarge
        }
    }
}
