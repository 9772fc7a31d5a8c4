import SansIO

/// Whether the user has the microphone on.
///
/// While it is off the engine runs on, since the speaker needs it, and frames come as before: they
/// are thrown away before anything else sees them. A new process begins with the microphone on.
struct Microphone: Sendable, Equatable {
    /// Whether it is off.
    private(set) var isMuted = false
    /// Frames that come before this were captured while it was off, at least in part.
    private var opensAt = Instant(nanoseconds: .min)

    /// The length of a frame: what comes sooner after an unmute began before it.
    private static let frame = Duration.milliseconds(20)

    /// Turns it off or on; says whether it was the other.
    mutating func mute(_ isMuted: Bool, at now: Instant) -> Bool {
        guard self.isMuted != isMuted else { return false }
        self.isMuted = isMuted
        if !isMuted { opensAt = now.advanced(by: Self.frame) }
        return true
    }

    /// Whether a frame that comes now may be heard by others.
    func isOpen(to now: Instant) -> Bool { !isMuted && now >= opensAt }
}

extension IntercomCoordinator {
    /// The user turns the microphone off or on: what is being said ends where it is turned off.
    mutating func mute(_ isMuted: Bool, in turn: inout Turn<Effect>) {
        guard microphone.mute(isMuted, at: turn.now), isMuted else { return }
        stopTalking(in: &turn)
    }
}
