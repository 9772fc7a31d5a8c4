import Evidence
import Models
import RealtimeVoice
import SansIO
import Scenarios
import Simulation

// The truth about paths, whatever anybody noticed: can packets of a phone pass both ways?

extension World {
    /// Looks at every phone's paths again.
    mutating func reviewPaths(at now: Instant) {
        for phone in phones { reviewPath(of: phone, at: now) }
    }

    /// Looks at a phone's paths again and notes what changed.
    mutating func reviewPath(of phone: SessionPhone, at now: Instant) {
        let cause = lossCause(of: phone, at: now)
        defer { reviewFlows(of: phone, at: now) }
        guard (cause == nil) != (phone.pathLossCause == nil) else { return }
        phone.pathLossCause = cause
        if let cause {
            write(.pathLost, phone, SIMD4(cause.rawValue, 0, 0, 0), at: now)
        } else {
            write(.pathUsable, phone, at: now)
        }
    }

    /// Why no path of the phone carries all packets both ways; `nil` if one does.
    private func lossCause(of phone: SessionPhone, at now: Instant) -> PathLossCause? {
        guard !phone.addresses.isEmpty else { return .interface }
        if site?.roomsAreAway == true { return .server }
        var mildest: PathLossCause?
        for address in phone.addresses {
            guard let radio = phone.radio(address.interface) else { continue }
            let isStopped =
                directions[radio.forward].isStopped(at: now)
                || directions[radio.backward].isStopped(at: now)
            let signalling = phone.isBlocked(radio.interface, .signalling, at: now)
            let media = phone.isBlocked(radio.interface, .media, at: now)
            switch (isStopped || (signalling && media), signalling, media) {
            case (true, _, _): mildest = mildest ?? .link
            case (_, true, _): mildest = .signalling
            case (_, _, true): mildest = .media
            case (false, false, false): return nil
            }
        }
        return mildest
    }
}
