package import WakeFlow

/// The memory as bytes, which the app stores whole.
///
/// A kill leaves the old bytes or the new ones if the app replaces them atomically (`rename`, or a transaction of
/// its store). Bytes that are damaged all the same are refused; the app then begins with an empty memory: the first
/// wakes are set anew, and what the system still holds of others is taken back.
extension CoachMemory {
    private static let magic: StaticString = "KCMY"

    /// The version that is written: 3 knows whose a summary is, which 2 does not.
    ///
    /// No app has written 1.
    public static let version: UInt8 = 3

    /// The memory as bytes.
    public var stored: [UInt8] { stored(magic: Self.magic, version: Self.version) }

    /// Reads what this version or an earlier one has stored; `nil` if the bytes are damaged, or a later version has
    /// written them.
    ///
    /// - Parameter bytes: What was stored.
    public init?(stored bytes: [UInt8]) {
        do throws(StoredFault) {
            try self.init(stored: bytes, magic: Self.magic, version: Self.version)
        } catch {
            return nil
        }
    }
}

extension CoachMemory: StoredForm {
    package func write(to writer: inout StoredWriter) {
        writer.write(wake)
        writer.write(guide)
        writer.write(nudge)
        writer.write(isSetUp)
    }

    package init(from reader: inout StoredReader) throws(StoredFault) {
        self.init()
        wake = try reader.read()
        guide = try reader.read()
        nudge = try reader.read()
        isSetUp = try reader.read()
    }
}
