public import SansIO

/// What keeps a world from being built or run to its end.
public enum WorldError: Error, CustomStringConvertible {
    /// Real audio was asked for without voices.
    case noVoices
    /// No voice has this name.
    case noVoice(named: String, known: [String])
    /// The codec could not be made.
    case codec(String)
    /// More than `count` deliveries came at one instant.
    case livelock(at: Instant, component: String, count: Int)
    /// More than `count` deliveries came within a stretch of time that ends at an instant.
    case rush(until: Instant, within: Duration, component: String, count: Int)
    /// A program beside the simulator does not keep to its protocol; says which, how, and its last lines.
    case program(String)

    /// The error in one sentence.
    public var description: String {
        switch self {
        case .noVoices:
            "real audio needs recorded voices; install them, or choose voice: sized"
        case .noVoice(let name, let known):
            "there is no voice '\(name)'; there are \(known.joined(separator: ", "))"
        case .codec(let reason), .program(let reason):
            reason
        case .livelock(let instant, let component, let count):
            "more than \(count) deliveries at \(instant.nanoseconds) ns, "
                + "the last one for \(component): something answers itself without end"
        case .rush(let instant, let stretch, let component, let count):
            "more than \(count) deliveries in \(stretch.wholeNanoseconds) ns, up to \(instant.nanoseconds) ns, "
                + "the last one for \(component): something is due again and again"
        }
    }
}
