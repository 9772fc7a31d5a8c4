import Foundation
import KodamaHarness
import KodamaLanguage

/// A setting as a file beside its scenario.
struct SavedSetting: Sendable {
    enum Form: String, Codable, Sendable {
        /// A few lines that extend the scenario by the setting's parameters.
        case preset
        /// The whole scenario with every value, which needs no other file.
        case scenario
    }

    let file: String
    let text: String

    init(
        _ form: Form,
        of scenario: Scenario,
        _ settings: [String],
        at point: [String] = [],
        as file: String,
        _ subject: StudioSubject
    ) {
        self.file = file
        switch form {
        case .scenario: text = scenario.points[0].resolved.yaml
        case .preset:
            let base = URL(fileURLWithPath: subject.file).lastPathComponent
            let shown = ShownText.oneLine(base)
            let about = PointDescription(scenario.points[0], of: scenario)
            let stem = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
            let pairs = settings.map { setting -> String in
                let parts = setting.split(separator: "=", maxSplits: 1)
                return "  \(parts[0]): \(parts.count > 1 ? String(parts[1]) : "")"
            }
            let lines =
                [
                    "# A setting of \(shown) that 'kodama studio' saved. Put it beside \(shown) to run it;",
                    "# a scenario beside it that extends it takes its parameters.", "version: 2",
                    "scenario: \(stem)", "extends: \(Self.quoted(base))", "x-studio:",
                    "  program: \(Self.quoted(subject.build))",
                    "  digest: \(Self.quoted(about.digest))",
                ] + point + (pairs.isEmpty ? [] : ["parameters:"] + pairs)
            text = lines.joined(separator: "\n") + "\n"
        }
    }

    /// The lines that keep a preset at one point of what the scenario or the command line sweeps.
    ///
    /// - Parameter values: The point's values but those of parameters.
    /// - Returns: The lines.
    /// - Throws: Which of them no preset can hold.
    static func point(_ values: [SweepValue]) throws(StudioRefusal) -> [String] {
        var (keys, swept): ([String], [String]) = ([], [])
        for value in values {
            if ["preset", "duration", "voice"].contains(value.name) {
                keys.append("\(value.name): \(DocumentNode.plain(value.text).flow)")
            } else if value.name.contains(".") {
                throw StudioRefusal(
                    "\(value) is swept on the command line and changes a link, which no preset can; "
                        + "save the whole scenario"
                )
            } else {
                // The other points are not inherited.
                swept.append("  \(value.name): [\(DocumentNode.plain(value.text).flow)]")
            }
        }
        return keys + (swept.isEmpty ? [] : ["sweep:"] + swept)
    }

    /// Words as a double-quoted scalar of YAML.
    private static func quoted(_ words: String) -> String {
        DocumentNode.value(words, isQuoted: true).flow
    }

    /// Where a file of this name lies: beside the scenario, and nowhere else.
    ///
    /// - Throws: What the name must be.
    static func place(of name: String, beside scenario: String) throws(StudioRefusal) -> String {
        let letters = name.dropLast(5)
        let isPlain = letters.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "a"..."z", "0"..."9", "-": true
            default: false
            }
        }
        guard name.hasSuffix(".yaml"), !letters.isEmpty, isPlain, !name.hasPrefix("-") else {
            throw StudioRefusal(
                "'\(name)': write a name of small letters, digits and hyphens, such as faster.yaml; "
                    + "it is put beside the scenario"
            )
        }
        let folder = URL(fileURLWithPath: scenario).deletingLastPathComponent()
        let path = folder.appendingPathComponent(name).path
        guard path != URL(fileURLWithPath: scenario).path else {
            throw StudioRefusal(
                "\(name) is the scenario that the studio is about; choose another name"
            )
        }
        return path
    }

    /// Writes the file whole, over another one only if that is wanted.
    ///
    /// - Returns: Whether it was written; if not, there is one.
    /// - Throws: Why it cannot be written.
    func write(replaces: Bool) throws(StudioRefusal) -> Bool {
        guard replaces || !FileManager.default.fileExists(atPath: file) else { return false }
        do {
            try WholeFile.write(Data(text.utf8), to: file)
        } catch {
            throw StudioRefusal("\(error)")
        }
        return true
    }
}
