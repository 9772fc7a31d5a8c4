import Foundation
import Testing

@Suite("kodama-lab scenes writes recordings whose truth is known")
struct ScenesTests {
    private let workshop = Workshop()

    private func make(_ folder: String, _ more: String...) throws -> Kodama.End {
        let common = ["scenes", "--out", folder, "--seconds", "5", "--synthetic"]
        return try Lab.run(common + more, in: workshop.folder)
    }

    @Test("The same seed gives the same bytes, another seed other ones (HN-01)")
    func bytes() throws {
        let end = try make("a", "--only", "steps_05")
        #expect(end.status == 0, "\(end.stderr)")
        #expect(end.stdout == "a/steps_05\n")
        #expect(end.stderr.contains("SYNTHETIC"))
        let names = try workshop.names(in: "a")
        #expect(names == ["steps_05.16k.wav", "steps_05.48k.wav", "steps_05.truth.json"])
        _ = try make("b", "--only", "steps_05")
        _ = try make("c", "--only", "steps_05", "--seed", "2")
        for name in names {
            let first = try Data(contentsOf: workshop.url("a/\(name)"))
            #expect(try Data(contentsOf: workshop.url("b/\(name)")) == first, "\(name)")
            #expect(try Data(contentsOf: workshop.url("c/\(name)")) != first, "\(name)")
        }
    }

    @Test("The truth fits the recording, at both rates")
    func truth() throws {
        _ = try make("a", "--only", "clean")
        for rate in ["16k", "48k"] {
            let end = try Lab.run(
                "vad",
                "a/clean.\(rate).wav",
                "--plot",
                "clean.svg",
                in: workshop.folder
            )
            #expect(end.stderr == "", "\(rate)")
            #expect(try workshop.read("clean.svg").contains("truth"))
        }
        // Where nobody talks, a clean scene is silent; where somebody does, it is not.
        let data = try Data(contentsOf: workshop.url("a/clean.truth.json"))
        let truth = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let spurts = try #require(truth["speech_ms"] as? [[Double]])
        #expect(!spurts.isEmpty && truth["noise"] is NSNull)
        let bytes = [UInt8](try Data(contentsOf: workshop.url("a/clean.48k.wav")).dropFirst(44))
        #expect(bytes.count == 5 * 96_000)
        for millisecond in 0..<5_000 {
            let isSpeech = spurts.contains {
                $0[0] - 1 < Double(millisecond) + 1
                    && Double(millisecond) < $0[1] + 1
            }
            let part = bytes[millisecond * 96..<millisecond * 96 + 96]
            if !isSpeech, part.contains(where: { $0 != 0 }) {
                Issue.record("there is sound at \(millisecond) ms, outside every talk spurt")
                break
            }
        }
    }

    @Test("A scene that does not exist is wrong usage, with a suggestion")
    func unknown() throws {
        let end = try make("a", "--only", "wnid_05")
        #expect(end.status == 64)
        #expect(end.stderr.hasPrefix("error: --only: no scene's name begins with 'wnid_05'"))
        #expect(end.stderr.contains("did you mean 'wind_05'?"))
    }
}
