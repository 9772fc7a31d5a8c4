import AppCoordination
import SansIOTesting

// For tests: what one phone's intercom was told and what it ordered, to run it again alone.

extension World {
    /// Lets the calls of one phone's intercom be recorded, for replay.
    mutating func recordIntercom(of phone: String) {
        let phone = cast.phones.first { $0.name == phone }
        guard let app = phone?.app(IntercomApp.self) else { return }
        app.seat.recording = MachineRecording(of: app.seat.machine)
    }

    /// What the recorded app was told and what it ordered so far; `nil` if none is recorded.
    var intercomRecording: MachineRecording<IntercomCoordinator>? {
        cast.phones.lazy.compactMap { $0.app(IntercomApp.self)?.seat.recording }.first
    }
}
