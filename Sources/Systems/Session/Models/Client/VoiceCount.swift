import KodamaNetwork
import KodamaPhone
import SansIO

/// How many packets of voice came or went, counted one by one or, where no frames are made, by the time
/// that voice has been flowing.
struct VoiceCount: Sendable, Equatable {
    /// Opus packets of 20 ms, the SDK's default.
    private static let packet = Duration.milliseconds(20)

    /// The mean payload of libopus at 24 kbit/s, as measured in this project's benchmark.
    static let meanBytes: Int64 = 61

    private var counted: Int64 = 0
    private var flowsSince: Instant?

    /// Whether voice is flowing without frames.
    var isFlowing: Bool { flowsSince != nil }

    /// The packets so far.
    func total(at now: Instant) -> Int64 {
        guard let flowsSince else { return counted }
        let flowed = flowsSince.duration(to: now).wholeNanoseconds
        return counted + max(0, flowed) / Self.packet.wholeNanoseconds
    }

    /// Counts one packet.
    mutating func add() { counted += 1 }

    /// Voice begins or ends to flow, or goes on as it did.
    mutating func set(isFlowing: Bool, at now: Instant) {
        guard isFlowing != self.isFlowing else { return }
        counted = total(at: now)
        flowsSince = isFlowing ? now : nil
    }
}
