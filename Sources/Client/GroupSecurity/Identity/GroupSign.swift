import Crypto
public import SansIO

/// A quarter of an hour, by a phone's clock, in which a group shows one sign.
///
/// As long as a Bluetooth device keeps a private address (Core 5.4, vol 3 part C appendix A,
/// `T_GAP(private_addr_int)`).
public struct SignPeriod: Sendable, Hashable {
    private static let seconds: Int64 = 900
    /// How long a period is.
    public static let length = Duration.seconds(seconds)

    /// How many periods since the beginning of 1970 were before it.
    public var number: Int64

    /// Names period `number`.
    package init(number: Int64) {
        self.number = number
    }

    /// The period in which a time lies.
    public init(of time: WallTime) {
        let (nanoseconds, length) = (time.nanosecondsSince1970, Self.length.wholeNanoseconds)
        number = nanoseconds / length - (nanoseconds % length < 0 ? 1 : 0)
    }

    /// When the next one begins.
    public var end: WallTime {
        let (seconds, isTooFar) = (number &+ 1).multipliedReportingOverflow(by: Self.seconds)
        return WallTime(secondsSince1970: isTooFar ? .max : seconds)
    }

    /// How a sign of this period stands to the clock of a phone that hears it.
    ///
    /// - Parameter present: The period in which it is heard.
    /// - Returns: Whether the sign can be one that is shown just now.
    public func age(in present: SignPeriod) -> SignAge {
        // Two clocks that differ by less than a period may be two apart in the moment in which one goes on.
        if (-1...1).contains(number &- present.number) { return .present }
        return number > present.number ? .later : .earlier
    }

    fileprivate var bytes: [UInt8] { number.bigEndianBytes }
}

/// How a sign that is heard stands to the listener's clock, and what that says of the sign.
///
/// Clocks that were set by hand, or began anew where no network set them, differ by hours or years. Signs that were
/// recorded are old, and shown again by others who want to know who answers. One rule serves both: the phone whose
/// clock is behind invites, which does not happen by a recording of it while its clock is right, and the one whose
/// clock is ahead accepts what answers to the sign that it shows just now.
public enum SignAge: Sendable, Hashable {
    /// Shown in the listener's period or one beside it: either may invite the other.
    case present
    /// By a clock that is ahead of the listener's: it is the listener who invites.
    case later
    /// By a clock that is behind, or from a recording: the listener invites nobody for it.
    case earlier
}

/// A group shows no hash by radio, which would tell where its members are to all who hear it again, but a sign
/// that only members resolve, as Bluetooth's resolvable addresses (Core 5.4, vol 6 part B 1.3.2.2).
///
/// A sign is 8 bytes that are drawn anew for each, the period in which it is shown, which only members can read, and
/// 16 bytes that prove both: the code of a synthetic nonce (RFC 5297 2.6, with HMAC-SHA256 in the place of its
/// functions).
extension GroupHash {
    private static let saltByteCount = 8
    private static let offerSaltByteCount = 16
    private static let signByteCount = 32

    // MARK: Discovery

    /// Makes what a phone shows in discovery (S-GRP-011).
    public func sign(in period: SignPeriod, drawing entropy: inout Entropy) -> [UInt8] {
        let salt = entropy.draw().withUnsafeBytes { Array($0.prefix(Self.saltByteCount)) }
        return sign(in: period, of: salt)
    }

    /// Makes the sign of a period of the drawn bytes of another group's sign.
    package func sign(in period: SignPeriod, of other: [UInt8]) -> [UInt8] {
        sealed(period, with: Array(other.prefix(Self.saltByteCount)), as: .sign)
    }

    /// The period in which a sign was shown, by the clock of the phone that showed it; `nil` if it is none of this
    /// group's.
    public func period(of sign: [UInt8]) -> SignPeriod? { opened(sign, as: .sign) }

    /// Makes what a phone shows to one whose sign it hears, when it invites it.
    ///
    /// It proves that a member has heard that sign. So whoever shows it needs no clock to tell it from a recording.
    public func answer(to sign: [UInt8], in period: SignPeriod) -> [UInt8] {
        sealed(period, with: Array(sign.prefix(Self.saltByteCount)), as: .answer)
    }

    /// The period in which a sign was answered, by the clock of the phone that did; `nil` if no member answered it.
    public func period(of answer: [UInt8], to sign: [UInt8]) -> SignPeriod? {
        let isItsAnswer = answer.prefix(Self.saltByteCount) == sign.prefix(Self.saltByteCount)
        return isItsAnswer ? opened(answer, as: .answer) : nil
    }

    private enum Use: String {
        case sign, answer
    }

    private func sealed(_ period: SignPeriod, with salt: [UInt8], as use: Use) -> [UInt8] {
        let proof = code("kodama shown \(use) 2", salt + period.bytes)
        return salt + hidden(period.bytes, salt + proof, as: use) + proof
    }

    private func opened(_ shown: [UInt8], as use: Use) -> SignPeriod? {
        guard shown.count == Self.signByteCount else { return nil }
        let (salt, proof) = (Array(shown.prefix(Self.saltByteCount)), Array(shown.suffix(16)))
        let bytes = hidden(Array(shown[8..<16]), salt + proof, as: use)
        let period = SignPeriod(number: Int64(bitPattern: UInt64(bigEndianBytes: bytes)))
        return shown == sealed(period, with: salt, as: use) ? period : nil
    }

    /// Hides eight bytes from all but members, or shows them again.
    private func hidden(_ bytes: [UInt8], _ nonce: [UInt8], as use: Use) -> [UInt8] {
        zip(bytes, code("kodama hidden \(use) 2", nonce)).map { $0 ^ $1 }
    }

    /// The number by which a phone goes in a period, who went by another one before.
    ///
    /// Members know the phone again, and nobody else can tell that it is the same.
    package func number(following former: UInt64, in period: SignPeriod) -> UInt64 {
        let code = code("kodama phone number 1", former.bigEndianBytes + period.bytes)
        return UInt64(bigEndianBytes: code.prefix(8))
    }

    // MARK: Handshakes

    /// Makes the sign of an offer's ephemeral key, which is drawn anew for each.
    package func sign(of ephemeral: [UInt8]) -> [UInt8] {
        let salt = Array(ephemeral.prefix(Self.offerSaltByteCount))
        return salt + code("kodama group sign 1", salt)
    }

    /// Whether an offer's sign is one of this group's.
    package func recognizes(_ sign: [UInt8]) -> Bool {
        sign.count == Self.signByteCount && sign == self.sign(of: sign)
    }

    /// 16 bytes that only members can make of what is told apart by a label.
    private func code(_ label: String, _ content: [UInt8]) -> [UInt8] {
        var code = HMAC<SHA256>(key: SymmetricKey(data: bytes))
        code.update(data: Array(label.utf8))
        code.update(data: content)
        return Array(code.finalize().prefix(16))
    }
}
