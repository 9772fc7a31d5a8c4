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

    /// The period itself and those beside it, the likeliest first: two clocks may differ by a whole one.
    private var recognized: [SignPeriod] {
        [0, -1, 1].map { SignPeriod(number: number &+ $0) }
    }

    fileprivate var bytes: [UInt8] { number.bigEndianBytes }

    /// The first of the recognized periods of which something is so.
    fileprivate func first(where isSo: (SignPeriod) -> Bool) -> SignPeriod? {
        recognized.first(where: isSo)
    }
}

/// A group shows no hash by radio, which would tell where its members are to all who hear it again, but a sign
/// that only members resolve, as Bluetooth's resolvable addresses (Core 5.4, vol 6 part B 1.3.2.2).
extension GroupHash {
    private static let saltByteCount = 16

    // MARK: Discovery

    /// Makes what a phone shows in discovery (S-GRP-011): 16 drawn bytes, and 16 of the HMAC-SHA256 of them and
    /// the period by the hash.
    ///
    /// A sign that was recorded is worth nothing two periods later: nobody finds a group again by showing it.
    public func sign(in period: SignPeriod, drawing entropy: inout Entropy) -> [UInt8] {
        let salt = entropy.draw().withUnsafeBytes { Array($0.prefix(Self.saltByteCount)) }
        return sign(in: period, of: salt)
    }

    /// Makes the sign of a period of the drawn bytes of another group's sign.
    package func sign(in period: SignPeriod, of other: [UInt8]) -> [UInt8] {
        let salt = Array(other.prefix(Self.saltByteCount))
        return salt + code("kodama shown sign 1", salt + period.bytes)
    }

    /// Whether a sign is one that this group shows in a period or one beside it.
    public func recognizes(_ sign: [UInt8], in period: SignPeriod) -> Bool {
        sign.count == 32 && period.first { sign == self.sign(in: $0, of: sign) } != nil
    }

    /// The number by which a phone goes in a period, who went by another one before.
    ///
    /// Members know the phone again, and nobody else can tell that it is the same.
    package func number(following former: UInt64, in period: SignPeriod) -> UInt64 {
        let code = code("kodama phone number 1", former.bigEndianBytes + period.bytes)
        return UInt64(bigEndianBytes: code.prefix(8))
    }

    /// Whether a number follows another one, in a period or one beside it.
    package func follows(_ number: UInt64, _ former: UInt64, in period: SignPeriod) -> Bool {
        period.first { number == self.number(following: former, in: $0) } != nil
    }

    // MARK: Handshakes

    /// Makes the sign of an offer's ephemeral key, which is drawn anew for each.
    package func sign(of ephemeral: [UInt8]) -> [UInt8] {
        let salt = Array(ephemeral.prefix(Self.saltByteCount))
        return salt + code("kodama group sign 1", salt)
    }

    /// Whether an offer's sign is one of this group's.
    package func recognizes(_ sign: [UInt8]) -> Bool {
        sign.count == 32 && sign == self.sign(of: sign)
    }

    /// 16 bytes that only members can make of what is told apart by a label.
    private func code(_ label: String, _ content: [UInt8]) -> [UInt8] {
        var code = HMAC<SHA256>(key: SymmetricKey(data: bytes))
        code.update(data: Array(label.utf8))
        code.update(data: content)
        return Array(code.finalize().prefix(32 - Self.saltByteCount))
    }
}
