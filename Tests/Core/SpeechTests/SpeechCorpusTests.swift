import Foundation
import KodamaRecordings
@testable import KodamaSpeech
import Testing

@Suite("Speech corpus")
struct SpeechCorpusTests {
    @Test("Each voice gives at least as much speech as asked for, and from several recordings")
    func amount() throws {
        let corpus = try RecordedSpeech.corpus.get()
        #expect(corpus.voices.map(\.speaker) == RecordedVoice.allCases)
        for voice in corpus.voices {
            #expect(voice.duration >= .seconds(5) && voice.duration < .seconds(20))
            #expect(Set(voice.spurts.map(\.recording)).count >= 2)
            #expect(voice.spurts.allSatisfy { (4_800...96_000).contains($0.samples.count) })
        }
    }

    @Test("Loading twice gives the same spurts in the same order")
    func repeats() throws {
        let first = try RecordedSpeech.corpus.get()
        let second = try SpeechCorpus.load([.italianMale], amount: .seconds(5))
        #expect(second.voices[0].spurts == first.voices[1].spurts)
    }

    @Test("The corpus says from which package and version it comes (HN-01)")
    func provenance() throws {
        let corpus = try RecordedSpeech.corpus.get()
        for voice in corpus.voices {
            #expect(voice.package.name == voice.speaker.packageName)
            #expect(voice.package.version.first?.isNumber == true)
        }
    }

    @Test(
        "Missing recordings are an error that names the command",
        arguments: RecordedVoice.allCases
    )
    func missing(speaker: RecordedVoice) {
        let error = #expect(throws: SpeechCorpusError.self) {
            try SpeechCorpus.load([speaker], from: "/nonexistent")
        }
        let folder = "/nonexistent/\(speaker.folder)"
        #expect(error == .missingRecordings(speaker, folder: folder))
        #expect(error?.description.contains("apt-get install \(speaker.packageName)") == true)
    }

    @Test("Too little speech is an error and not a short corpus")
    func tooLittle() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("sounds-\(UUID().uuidString)")
        let recordings = folder.appendingPathComponent(RecordedVoice.englishFemale.folder)
        try FileManager.default.createDirectory(at: recordings, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let silence = Data(repeating: 0xFA, count: 8_000)
        try silence.write(to: recordings.appendingPathComponent("hello.g722"))
        let error = #expect(throws: SpeechCorpusError.self) {
            try SpeechCorpus.load([.englishFemale], amount: .seconds(1), from: folder.path)
        }
        #expect(error == .tooLittleSpeech(.englishFemale, milliseconds: 0))
    }

    @Test("A package's version comes from the status file's paragraph of exactly that name")
    func packageVersion() throws {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("status-\(UUID().uuidString)")
        let status = """
            Package: sounds-extra
            Version: 9

            Package: sounds
            Status: install ok installed
            Version: 1.6.1-1

            Package: unversioned
            Status: install ok installed

            Package: last
            Version: 2
            """
        try Data(status.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let versions = ["sounds", "unversioned", "last", "absent"].map {
            InstalledPackage(named: $0, statusFile: file.path).version
        }
        #expect(versions == ["1.6.1-1", "unknown", "2", "unknown"])
        #expect(InstalledPackage(named: "sounds", statusFile: "/nonexistent").version == "unknown")
    }
}
