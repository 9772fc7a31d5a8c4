import KodamaEvidence
import KodamaNetwork
import KodamaPhone
import SansIO

/// An attempt of a room object, as sentences speak of it.
struct NarratedAttempt {
    var began: Instant
    var room: Int64
    var number: Int64
    var kind: AttemptKind
    /// Whether it is told; the first connect of a launch is what everybody expects.
    var isTold: Bool

    /// Whether it is the first connect of its room object: every object begins to count anew.
    private var isFirst: Bool { kind == .connect && number == 1 }

    /// What it is called when it begins.
    var newName: String { isFirst ? "an attempt to connect" : name }

    /// What it is called afterwards.
    var name: String {
        switch kind {
        case .connect: isFirst ? "the attempt to connect" : "attempt \(number) to connect"
        case .quick: "attempt \(number) to resume the connection"
        case .full: "attempt \(number) to connect anew"
        }
    }

    /// The same where it is clear what is attempted.
    var shortName: String { isFirst ? "the attempt" : "attempt \(number)" }
}
