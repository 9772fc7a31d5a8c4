/// Lets every packet of a stream in once, by whichever path it comes first (S-HO-004).
///
/// It is asked twice on the way in. `GroupSecurity` asks for sealed packets, each path by itself: what
/// comes again there is a replay. The app asks for voice frames over all paths: what comes again there
/// is the copy of a frame that was sent on two.
///
/// A window of 256 packets reaches 5.1 s back at 50 packets a second: double sending for 1.5 s, the
/// paths' difference and a stall of the slower one need 2.5 s, which the 64 packets of SRTP (RFC
/// 3711 section 3.3.2) do not cover. What lies before the window might be new or not, so it is
/// refused as stale.
public struct ReplayWindow: Sendable, Equatable, BitwiseCopyable {
    /// What the window says of a packet.
    public enum Verdict: Sendable, Equatable, BitwiseCopyable {
        /// No packet with this number came before.
        case first
        /// A packet with this number came before.
        case duplicate
        /// It lies before the window.
        case stale
    }

    /// How many packets the window covers, the newest included.
    public static let length: UInt32 = 256

    private var greatest: SerialNumber?
    /// One bit per number in the window, at the number's remainder by 256: whether it came.
    private var bits: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// Whether it has let nothing in yet.
    public var isEmpty: Bool { greatest == nil }

    /// Makes a window that has seen nothing.
    public init() {}

    /// Says what a packet would be, without letting it in.
    public func verdict(for sequence: SerialNumber) -> Verdict {
        guard let greatest else { return .first }
        let ahead = sequence.distance(ahead: greatest)
        guard ahead <= 0 else { return .first }
        guard ahead > -Int32(Self.length) else { return .stale }
        return contains(sequence) ? .duplicate : .first
    }

    /// Says what a packet is, and notes it if it is the first with its number.
    public mutating func admit(_ sequence: SerialNumber) -> Verdict {
        let verdict = verdict(for: sequence)
        guard verdict == .first else { return verdict }
        advance(to: sequence)
        withWord(of: sequence) { $0 |= Self.bit(of: sequence) }
        return .first
    }

    /// Moves the window so that it ends with `sequence`, if that lies ahead.
    private mutating func advance(to sequence: SerialNumber) {
        guard let last = greatest else {
            greatest = sequence
            return
        }
        let ahead = sequence.distance(ahead: last)
        guard ahead > 0 else { return }
        greatest = sequence
        guard ahead < Int32(Self.length) else {
            bits = (0, 0, 0, 0)
            return
        }
        for step in 1...UInt32(ahead) {
            let entered = last.advanced(by: step)
            withWord(of: entered) { $0 &= ~Self.bit(of: entered) }
        }
    }

    private static func bit(of sequence: SerialNumber) -> UInt64 {
        1 << UInt64(sequence.rawValue & 63)
    }

    private func contains(_ sequence: SerialNumber) -> Bool {
        var copy = self
        var isSet = false
        copy.withWord(of: sequence) { isSet = $0 & Self.bit(of: sequence) != 0 }
        return isSet
    }

    private mutating func withWord(of sequence: SerialNumber, _ body: (inout UInt64) -> Void) {
        switch (sequence.rawValue >> 6) & 3 {
        case 0: body(&bits.0)
        case 1: body(&bits.1)
        case 2: body(&bits.2)
        default: body(&bits.3)
        }
    }

    /// Windows are equal when they give the same verdicts.
    public static func == (left: ReplayWindow, right: ReplayWindow) -> Bool {
        left.greatest == right.greatest && left.bits == right.bits
    }
}
