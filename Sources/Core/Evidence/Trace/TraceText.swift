import SansIO

/// The text form of a trace: a header line, then one line per record, made for `diff` and for eyes.
///
/// ```
/// kodama-trace 3 scenario=ridge seed=7 components=aoi,aoi-phone,ren,ren-phone
///     0.000000000 s aoi-phone group.joined    -         group=0
///     0.020000000 s aoi-phone frame.captured  -         index=0 start_ns=0 duration_ns=20000000
///     0.020000000 s aoi-phone packet.sent     ren-phone index=0 bytes=60 content=voice path=local
/// ```
///
/// The columns are instant, component, kind, subject (`-` for none) and the kind's fields in the kind's
/// order: integers, or the words that a field has for them. Instants are exact: seconds with nine
/// decimals and their unit, or in the raw form whole nanoseconds without one; both are read. In names,
/// bytes up to the space, commas, per cent signs and DEL are written as per cent and two hexadecimal
/// digits, as are an empty name (`%`) and a name that is a mere hyphen.
public enum TraceText {
    /// The version of the form, written into the header.
    public static let version = 3
    /// The versions that can be read: the first had numbers only, the second nanoseconds only.
    package static let readableVersions = 1...version

    package static let magic = "kodama-trace"
    /// The unit after an instant in seconds.
    package static let secondsUnit = "s"
    /// How many decimals an instant in seconds has.
    package static let secondsDecimals = 9

    /// How instants are written.
    public enum Instants: Sendable {
        /// As seconds for people: `143.074339413 s`.
        case seconds
        /// Raw, as whole nanoseconds for programs: `143074339413`.
        case nanoseconds

        /// The width at which instants stand in a column, up to 27 hours.
        package var width: Int { self == .seconds ? 15 : 14 }
    }

    /// The text of a whole trace.
    public static func write(
        _ trace: RecordedTrace,
        instants: Instants = .seconds
    ) -> [UInt8] {
        var writer = TraceTextWriter(
            scenario: trace.scenario,
            seed: trace.seed,
            instants: instants
        )
        writer.begin(trace.directory)
        for record in trace.records {
            writer.record(record)
        }
        return writer.takeBytes()
    }

    /// One record's line, without a line end.
    public static func line(_ record: TraceRecord, _ directory: TraceDirectory) -> String {
        TraceLines(directory).line(record)
    }

    /// `name` with what would break a line or a list replaced.
    package static func escape(_ name: String) -> String {
        guard !name.isEmpty else { return "%" }
        guard name != "-" else { return "%2D" }
        var bytes: [UInt8] = []
        for byte in name.utf8 {
            if byte <= UInt8(ascii: " ") || byte == 0x7F || byte == UInt8(ascii: ",")
                || byte == UInt8(ascii: "%")
            {
                let digits = Array("0123456789ABCDEF".utf8)
                bytes.append(UInt8(ascii: "%"))
                bytes.append(digits[Int(byte >> 4)])
                bytes.append(digits[Int(byte & 15)])
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The name that `escape` wrote, or `nil` if it cannot have.
    package static func unescape(_ text: some Sequence<UInt8>) -> String? {
        var bytes: [UInt8] = []
        let text = Array(text)
        if text == [UInt8(ascii: "%")] { return "" }
        var position = 0
        while position < text.count {
            guard text[position] == UInt8(ascii: "%") else {
                bytes.append(text[position])
                position += 1
                continue
            }
            guard position + 2 < text.count,
                let byte = UInt8(
                    String(decoding: text[(position + 1)...(position + 2)], as: UTF8.self),
                    radix: 16
                )
            else { return nil }
            bytes.append(byte)
            position += 3
        }
        // Bytes that are not UTF-8 would come back as other bytes.
        let name = String(decoding: bytes, as: UTF8.self)
        return bytes.isEmpty || !name.utf8.elementsEqual(bytes) ? nil : name
    }
}

/// Single records of one run as lines of its trace; what lines share is made once.
public final class TraceLines {
    /// The run's components and systems.
    package let directory: TraceDirectory
    private var writer = TraceTextWriter(scenario: "", seed: 0)
    private var known: Set<TraceKind> = []

    package init(_ directory: TraceDirectory) {
        self.directory = directory
    }

    /// One record's line, without a line end.
    package func line(_ record: TraceRecord) -> String {
        if known.isEmpty { writer.adopt(directory, wholly: false) }
        if known.insert(record.kind).inserted { writer.adopt(record.kind, of: directory) }
        writer.record(record)
        var bytes = writer.takeBytes()
        bytes.removeLast()
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// What is written of every record of a kind.
private struct KindColumns: Sendable {
    var isKept = false
    var kind: [UInt8] = []
    var fields: [(name: [UInt8], words: TraceWords?)] = []
}

/// Writes a run's trace as text, record by record, into a buffer that its owner empties.
public struct TraceTextWriter: TraceSink, Sendable {
    private let scenario: String
    private let seed: UInt64
    private let level: TraceLevel
    private let instants: TraceText.Instants
    private var columns = KindTable<KindColumns>()
    private var kindWidth = 0
    private var names: [[UInt8]] = []
    private var nameColumns: [[UInt8]] = []
    private var bytes: [UInt8] = []

    /// Makes a writer of records of `level` and of all coarser levels.
    public init(
        scenario: String,
        seed: UInt64,
        level: TraceLevel = .packets,
        instants: TraceText.Instants = .seconds
    ) {
        self.scenario = scenario
        self.seed = seed
        self.level = level
        self.instants = instants
    }

    /// How many bytes wait to be taken.
    public var byteCount: Int { bytes.count }

    /// Takes what was written since the last time; it ends with a line end.
    public mutating func takeBytes() -> [UInt8] {
        defer { bytes.removeAll() }
        return bytes
    }

    /// Writes the header.
    public mutating func begin(_ directory: TraceDirectory) {
        adopt(directory, wholly: true)
        append(TraceText.magic)
        append(" \(TraceText.version) scenario=\(TraceText.escape(scenario)) seed=\(seed)")
        append(" components=")
        append(directory.names.map(TraceText.escape).joined(separator: ","))
        append("\n")
    }

    /// Writes one line.
    public mutating func record(_ record: TraceRecord) {
        let columns = columns[record.kind]
        guard columns.isKept else { return }
        append(record.instant)
        bytes.append(UInt8(ascii: " "))
        bytes += nameColumns[index(of: record.component)]
        bytes.append(UInt8(ascii: " "))
        bytes += columns.kind
        bytes.append(UInt8(ascii: " "))
        bytes += (columns.fields.isEmpty ? names : nameColumns)[index(of: record.subject)]
        for (position, field) in columns.fields.enumerated() {
            bytes += field.name
            if let word = field.words?.word(of: record.values[position]) {
                append(word)
            } else {
                append(record.values[position])
            }
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Gets ready for records of a run: of all kinds, or of none yet, since the words of a kind take time.
    fileprivate mutating func adopt(_ directory: TraceDirectory, wholly: Bool) {
        let forms = directory.forms
        kindWidth = forms.entries.map(\.text.name.utf8.count).max() ?? 0
        columns =
            wholly
            ? KindTable(forms) { columns(of: $0) } : KindTable(forms, repeating: KindColumns())
        names = directory.names.map { Array(TraceText.escape($0).utf8) } + [[UInt8(ascii: "-")]]
        let width = names.map(\.count).max() ?? 1
        nameColumns = names.map { Self.padded($0, to: width) }
    }

    /// Gets ready for records of one more kind.
    fileprivate mutating func adopt(_ kind: TraceKind, of directory: TraceDirectory) {
        columns[kind] = columns(of: directory.forms[kind])
    }

    private func index(of component: ComponentIndex) -> Int {
        min(Int(component.index), names.count - 1)
    }

    private func columns(of entry: RegisteredForms.Entry) -> KindColumns {
        KindColumns(
            isKept: entry.text.level <= level,
            kind: Self.padded(Array(entry.text.name.utf8), to: kindWidth),
            fields: entry.text.fields.map { (Array(" \($0.name)=".utf8), $0.words) }
        )
    }

    private mutating func append(_ instant: Instant) {
        switch instants {
        case .seconds:
            append(
                instant.nanoseconds,
                decimals: TraceText.secondsDecimals,
                width: instants.width
            )
            append(" \(TraceText.secondsUnit)")
        case .nanoseconds:
            append(instant.nanoseconds, width: instants.width)
        }
    }

    /// Writes a number, right-aligned, its last digits as decimals; without a `String`, for there are
    /// millions.
    private mutating func append(_ number: Int64, decimals: Int = 0, width: Int = 0) {
        let start = bytes.count
        var rest = number.magnitude
        var digitCount = 0
        repeat {
            if digitCount == decimals, decimals > 0 { bytes.append(UInt8(ascii: ".")) }
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
            digitCount += 1
        } while rest > 0 || digitCount <= decimals && decimals > 0
        if number < 0 {
            bytes.append(UInt8(ascii: "-"))
        }
        while bytes.count - start < width {
            bytes.append(UInt8(ascii: " "))
        }
        var (low, high) = (start, bytes.count - 1)
        while low < high {
            bytes.swapAt(low, high)
            low += 1
            high -= 1
        }
    }

    private mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    private static func padded(_ text: [UInt8], to width: Int) -> [UInt8] {
        text + Array(repeating: UInt8(ascii: " "), count: max(0, width - text.count))
    }
}
