import Foundation
import KodamaHarness

/// Where speech is in a recording, as a scene generator wrote it beside the recording.
///
/// The file is a JSON object. Its key `speech_ms` holds talk spurts as pairs of milliseconds, begin
/// and end, in order; `seconds`, if it is there, is how long the recording lasts. Other keys
/// describe the scene and are not read.
struct SceneTruth: Sendable, Equatable {
    /// The talk spurts in microseconds from the recording's start: in order, none empty.
    let spurts: [Range<Int>]

    /// The name of the truth's file beside a recording: `NAME.truth.json` for `NAME.wav`,
    /// `NAME.16k.wav` and `NAME.48k.wav`.
    static func path(beside recording: String) -> String {
        var name = recording
        for ending in [".wav", ".WAV", ".16k", ".48k"] where name.hasSuffix(ending) {
            name.removeLast(ending.count)
        }
        return name + ".truth.json"
    }

    /// Reads a truth file.
    ///
    /// - Parameters:
    ///   - data: The file's bytes.
    ///   - file: How messages name the file.
    ///   - microseconds: How long the recording lasts; the truth must not go beyond it.
    /// - Throws: `SceneTruthError` with file and line.
    init(_ data: Data, file: String, lasting microseconds: Int) throws(SceneTruthError) {
        do throws(LocatedError) {
            let root = try LocatedJSON(String(decoding: data, as: UTF8.self))
            try Self.checkLength(root["seconds"], microseconds)
            spurts = try Self.spurts(root, until: microseconds)
        } catch {
            throw SceneTruthError(file: file, line: error.line, words: error.words)
        }
    }

    /// What a truth may be longer or shorter than its recording, in microseconds: a frame.
    private static let tolerance = 20_000

    private static func checkLength(
        _ value: LocatedJSON?,
        _ microseconds: Int
    ) throws(LocatedError) {
        guard let value else { return }
        guard let seconds = value.number, (0...1e9).contains(seconds) else {
            throw LocatedError(line: value.line, words: "'seconds' is not a number of seconds")
        }
        guard abs(Int(seconds * 1e6) - microseconds) <= tolerance else {
            let lasts = PlotNumber.text(microseconds, over: 1_000_000)
            throw LocatedError(
                line: value.line,
                words: "it speaks of \(PlotNumber.text(Int(seconds * 1e6), over: 1_000_000)) s, "
                    + "but the recording lasts \(lasts) s"
            )
        }
    }

    private static func spurts(
        _ root: LocatedJSON,
        until end: Int
    ) throws(LocatedError) -> [Range<Int>] {
        guard let list = root["speech_ms"] else {
            throw LocatedError(line: root.line, words: "the key 'speech_ms' is missing")
        }
        guard let entries = list.entries else {
            throw LocatedError(line: list.line, words: "'speech_ms' is not a list")
        }
        var spurts: [Range<Int>] = []
        for (index, entry) in entries.enumerated() {
            let name = "talk spurt \(index + 1)"
            guard let pair = entry.entries, pair.count == 2,
                let from = pair[0].number, let until = pair[1].number,
                (0...1e12).contains(from), (0...1e12).contains(until)
            else {
                throw LocatedError(
                    line: entry.line,
                    words: "\(name) is not a pair of milliseconds such as [1500.0, 2595.5]"
                )
            }
            let (start, stop) = (Int(from * 1_000), Int(until * 1_000))
            guard start < stop else {
                throw LocatedError(line: entry.line, words: "\(name) ends before it begins")
            }
            guard start >= spurts.last?.upperBound ?? 0 else {
                throw LocatedError(line: entry.line, words: "\(name) begins before the last ended")
            }
            guard stop <= end + tolerance else {
                throw LocatedError(
                    line: entry.line,
                    words: "\(name) ends after the recording"
                )
            }
            spurts.append(start..<stop)
        }
        return spurts
    }
}

/// Says what is wrong with a truth file.
struct SceneTruthError: Error, Equatable, CustomStringConvertible {
    /// The file, as the user or the recording names it.
    var file: String
    /// The line, from 1.
    var line: Int
    /// What is wrong.
    var words: String
    /// File, line and reason in one line.
    var description: String { "\(file):\(line): \(words)" }
}
