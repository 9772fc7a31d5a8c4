import Foundation

/// A folder of its own that goes away with the value.
final class Workshop {
    let folder: URL

    init() {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("kodama-\(UUID().uuidString)")
        // If this fails, so does whatever is written or run in the folder.
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func url(_ name: String) -> URL { folder.appendingPathComponent(name) }

    /// Writes a file, with the folders above it.
    @discardableResult
    func write(_ text: String, to name: String) throws -> URL {
        try write(Data(text.utf8), to: name)
    }

    /// Writes a file, with the folders above it.
    @discardableResult
    func write(_ data: Data, to name: String) throws -> URL {
        let url = url(name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try data.write(to: url)
        return url
    }

    func read(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: url(name)), as: UTF8.self)
    }

    /// The names of the files in the folder or one below it, sorted.
    func names(in below: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url(below).path).sorted()
    }
}

/// Texts of scenarios, as short as what they show allows.
enum ScenarioText {
    /// Two people talk for some seconds, without sound.
    static func talk(
        name: String = "talk",
        duration: String = "6s",
        voice: String = "sized",
        expect: String = """
        expect:
          - metric: voice.mouth_to_ear.time
            p50: "<= 90ms"
            covers: [K-12]
          - invariant: voice.order-kept
        """
    ) -> String {
        """
        version: 2
        scenario: \(name)
        duration: \(duration)
        voice: \(voice)
        phones:
          - { name: left, apps: { intercom: { group: hill } } }
          - { name: right, apps: { intercom: { group: hill } } }
        links:
          - { between: [left, right], profile: local-clean }
        people:
          - { name: ann, holds: left, voice: en-f }
          - { name: ben, holds: right, voice: it-m }
        talk:
          - { monologue: ann, at: 500ms, for: 3s }
        \(expect)
        """ + "\n"
    }

    /// What no run can meet.
    static let impossible = talk(
        name: "impossible",
        expect: """
            expect:
              - metric: voice.mouth_to_ear.time
                p50: "<= 1ms"
            """
    )
    /// What no run has data for.
    static let silent = talk(
        name: "silent",
        duration: "3600ms",
        expect: """
            expect:
              - metric: voice.mouth_to_ear.time
                p50: "<= 90ms"
                samples: 100000
            """
    )
    /// Two people over links of several jitters, which two presets bear differently.
    static func sweep(head: String = "", late: String = "<= 90%") -> String {
        talk(
            name: "sweep",
            expect: """
                expect:
                  - metric: voice.mouth_to_ear.time
                    p50: "<= 400ms"
                  - metric: voice.late
                    value: "\(late)"
                  - invariant: voice.order-kept
                """
        )
        .replacing("duration:", with: "\(head)\nduration:")
        .replacing(
            "profile: local-clean",
            with: "profile: local-clean, jitter: { uniform: $jitter }"
        )
    }

    /// The sweep of `sweep(head:late:)` by jitter and preset.
    static let grid = """
        sweep: { jitter: [0ms, 120ms], preset: [default, as-specified] }
        preset: $preset
        """
    /// What runs for minutes.
    static let endless = talk(name: "endless", duration: "168h")
}
