public import SansIO

/// When a field was set, and where: what decides between two values of it.
///
/// A hybrid logical clock (Kulkarni et al. 2014) for each record: the phone's clock, but always
/// later than every stamp of the record that this phone has seen. An edit of a value that was seen wins,
/// whatever the clocks show; of concurrent edits, the later one by the clocks does.
public struct FieldStamp: Sendable, Hashable, Comparable {
    /// Milliseconds since 1970 in the upper 48 bits, a counter in the lower 16.
    public var ticks: UInt64
    /// The phone on which it was set: its replica's name.
    public var device: String

    /// Makes a stamp.
    public init(ticks: UInt64, device: String) {
        self.ticks = ticks
        self.device = device
    }

    /// The stamp of an edit.
    ///
    /// - Parameters:
    ///   - time: What the phone's clock shows; before 1970 counts as 1970.
    ///   - latest: The latest stamp of the record that this phone has seen.
    ///   - device: The phone.
    public init(at time: WallTime, after latest: FieldStamp?, on device: String) {
        let milliseconds = UInt64(max(0, time.nanosecondsSince1970 / 1_000_000))
        let next = latest.map { $0.ticks == .max ? .max : $0.ticks + 1 } ?? 0
        self.init(ticks: max(milliseconds << 16, next), device: device)
    }

    /// Reads the text that a column holds; `nil` if it is no stamp.
    public init?(_ text: String) {
        let digits = text.prefix(16)
        guard digits.utf8.count == 16, digits.utf8.allSatisfy(Self.isDigit),
            let ticks = UInt64(digits, radix: 16), text.dropFirst(16).first == "-",
            text.utf8.count > 17
        else { return nil }
        self.init(ticks: ticks, device: String(text.dropFirst(17)))
    }

    /// The text that a column holds: 16 hexadecimal digits, a hyphen and the phone.
    public var text: String {
        let digits = String(ticks, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits + "-" + device
    }

    /// Orders stamps from early to late; of two at the same tick the phone's name decides.
    public static func < (left: FieldStamp, right: FieldStamp) -> Bool {
        if left.ticks != right.ticks { return left.ticks < right.ticks }
        return left.device.utf8.lexicographicallyPrecedes(right.device.utf8)
    }

    /// Stamps are equal when their bytes are.
    public static func == (left: FieldStamp, right: FieldStamp) -> Bool {
        left.ticks == right.ticks && left.device.utf8.elementsEqual(right.device.utf8)
    }

    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ticks)
        hasher.combine(Array(device.utf8))
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}
