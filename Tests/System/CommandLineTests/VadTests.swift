import Foundation
import Testing

@Suite("kodama-lab vad judges recordings frame by frame")
struct VadTests {
    private let workshop = Workshop()

    /// The lines of a CSV as fields, without the header.
    private func rows(_ name: String) throws -> [[String]] {
        let text = try workshop.read(name)
        #expect(text.hasSuffix("\n"))
        let lines = text.dropLast().split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.first == "start_ms,speech,state,score")
        return lines.dropFirst().map { $0.split(separator: ",").map(String.init) }
    }

    @Test("One line for each whole frame, and only legal moves of the gate", arguments: [16, 48])
    func talk(rateKilohertz: Int) throws {
        var recording = Recording.talk(rateHertz: rateKilohertz * 1_000)
        // Less than a frame at the end makes no line.
        recording.samples.append(contentsOf: [1, 2, 3])
        try workshop.write(recording.data, to: "voice.\(rateKilohertz)k.wav")
        let end = try Lab.run(
            "vad",
            "voice.\(rateKilohertz)k.wav",
            "--out",
            "out",
            in: workshop.folder
        )
        #expect(end.status == 0, "\(end.stderr)")
        #expect(end.stdout == "out/voice.csv\n")
        let rows = try rows("out/voice.csv")
        #expect(rows.map { $0[0] } == (0..<200).map { "\($0 * 20)" })
        #expect(rows.allSatisfy { $0.count == 4 && ["0", "1"].contains($0[1]) })
        #expect(rows.allSatisfy { (0...1).contains(Double($0[3]) ?? -1) })
        let moves = Set(zip(rows, rows.dropFirst()).map { "\($0[2])>\($1[2])" })
        let legal: Set = [
            "Idle>Idle", "Idle>Attack", "Attack>Attack", "Attack>Idle", "Attack>Talking",
            "Talking>Talking", "Talking>Release", "Release>Release", "Release>Talking",
            "Release>Idle",
        ]
        #expect(moves.isSubset(of: legal), "\(moves.subtracting(legal))")
        #expect(moves.contains("Attack>Talking") && moves.contains("Release>Idle"), "\(moves)")
        #expect(rows.prefix(40).allSatisfy { $0[2] == "Idle" })
    }

    @Test("A line depends on nothing after its frame (S-VAD-001)")
    func causal() throws {
        var recording = Recording.talk(rateHertz: 16_000)
        try workshop.write(recording.data, to: "whole.wav")
        recording.samples.removeLast(recording.samples.count / 2)
        try workshop.write(recording.data, to: "half.wav")
        let end = try Lab.run(
            "vad",
            "whole.wav",
            "half.wav",
            "--out",
            "out",
            in: workshop.folder
        )
        #expect(end.stdout == "out/whole.csv\nout/half.csv\n")
        #expect(try workshop.read("out/whole.csv").hasPrefix(try workshop.read("out/half.csv")))
    }

    @Test("One recording's CSV goes to stdout if no folder is named; several need one")
    func standardOutput() throws {
        try workshop.write(Recording.tone(sampleCount: 6_400).data, to: "a.wav")
        let inFolder = try Lab.run("vad", "a.wav", "--out", "out", in: workshop.folder)
        #expect(inFolder.status == 0, "\(inFolder.stderr)")
        let toStdout = try Lab.run("vad", "a.wav", in: workshop.folder)
        #expect(toStdout.stdout == (try workshop.read("out/a.csv")))
        let several = try Lab.run("vad", "a.wav", "b.wav", in: workshop.folder)
        #expect(several.status == 64)
        #expect(several.stderr.hasPrefix("error: --out FOLDER is needed"), "\(several.stderr)")
    }

    @Test("Two recordings that would share a CSV are refused, one that is named twice is not")
    func sharedName() throws {
        let tone = Recording.tone(sampleCount: 640).data
        try workshop.write(tone, to: "a.16k.wav")
        try workshop.write(tone, to: "a.48k.wav")
        let end = try Lab.run(
            "vad",
            "a.16k.wav",
            "a.48k.wav",
            "--out",
            "out",
            in: workshop.folder
        )
        #expect(end.status == 64)
        #expect(end.stderr == "error: a.16k.wav and a.48k.wav would both become out/a.csv\n")
        let twice = try Lab.run(
            "vad",
            "a.16k.wav",
            "a.16k.wav",
            "--out",
            "out",
            in: workshop.folder
        )
        #expect(twice.stdout == "out/a.csv\n")
        #expect(try rows("out/a.csv").count == 2)
    }

    @Test("A recording that cannot be used is named with the reason, and nothing is written")
    func unusable() throws {
        let tone = Recording.tone(sampleCount: 640)
        var cases: [(name: String, data: Data, reason: String)] = []
        func add(_ name: String, _ reason: String, _ change: (inout Recording) -> Void) {
            var recording = tone
            change(&recording)
            cases.append((name, recording.data, reason))
        }
        add("stereo", "2 channels of 16 bits") { $0.channels = 2 }
        add("bytes", "1 channel of 8 bits") { $0.bits = 8 }
        add("float", "in coding 3") { $0.coding = 3 }
        add("phone", "8000 samples a second; 16000 or 48000") { $0.rateHertz = 8_000 }
        add("short", "cut short: 1280 of 2000 bytes") { $0.claimedBytes = 2_000 }
        cases.append(("empty", Data(), "does not begin with RIFF"))
        cases.append(("head", tone.data.prefix(30), "'fmt ' chunk is cut short"))
        cases.append(("text", Data("RIFF or not".utf8), "does not begin with RIFF"))
        try workshop.write(tone.data, to: "good.wav")
        for (name, data, reason) in cases {
            try workshop.write(data, to: "\(name).wav")
            let end = try Lab.run(
                "vad",
                "good.wav",
                "\(name).wav",
                "--out",
                "out",
                in: workshop.folder
            )
            #expect(end.status == 66, "\(name): \(end.stderr)")
            #expect(end.stderr.hasPrefix("error: \(name).wav: "), "\(end.stderr)")
            #expect(end.stderr.contains(reason), "\(end.stderr)")
            #expect(!FileManager.default.fileExists(atPath: workshop.url("out/good.csv").path))
        }
    }

    @Test("A recording that was streamed, or holds no whole frame, is judged as far as it goes")
    func streamed() throws {
        for claim in [0, 0x7FFF_FFFF, 0xFFFF_FFFF] {
            var tone = Recording.tone(sampleCount: 640)
            tone.claimedBytes = claim
            try workshop.write(tone.data, to: "stream.wav")
            #expect(
                try Lab.run("vad", "stream.wav", "--out", "out", in: workshop.folder).status == 0
            )
            #expect(try rows("out/stream.csv").count == 2)
        }
        let silence = Recording(samples: Array(repeating: 0, count: 640), claimedBytes: 0)
        try workshop.write(silence.data, to: "silence.wav")
        let end = try Lab.run("vad", "silence.wav", "--out", "out", in: workshop.folder)
        #expect(end.status == 0, "\(end.stderr)")
        #expect(try rows("out/silence.csv").count == 2)
        try workshop.write(Recording.tone(sampleCount: 319).data, to: "brief.wav")
        #expect(try Lab.run("vad", "brief.wav", "--out", "out", in: workshop.folder).status == 0)
        #expect(try workshop.read("out/brief.csv") == "start_ms,speech,state,score\n")
    }

    @Test("Of a recording without sound, the title behind it is not judged as sound")
    func titled() throws {
        let title = Data("LIST".utf8) + Data([0xD0, 0x07, 0, 0]) + Data(count: 2_000)
        try workshop.write(Recording().data + title, to: "titled.wav")
        let end = try Lab.run("vad", "titled.wav", in: workshop.folder)
        #expect(end.status == 0, "\(end.stderr)")
        #expect(end.stdout == "start_ms,speech,state,score\n")
    }
}
