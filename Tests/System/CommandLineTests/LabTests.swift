import Foundation
import Testing

@Suite("kodama-lab ends with kodama's exit codes (HN-03)")
struct LabTests {
    private let workshop = Workshop()

    @Test("0: help names every command, and that scenarios are run by kodama")
    func help() throws {
        let end = try Lab.run("--help")
        #expect(end.status == 0, "\(end.stderr)")
        for word in [
            "vad", "scenes", "jitter", "delays", "calibrate", "token", "link", "wire",
            "run by kodama",
        ] {
            #expect(end.stdout.contains(word), "\(word)")
        }
    }

    @Test(
        "64: wrong usage is said with what would be right",
        arguments: [
            (["vda", "x.wav"], "did you mean 'vad'?"),
            (["run"], "there is no command 'run'"),
            (["vad", "x.wav", "y.wav"], "--out"),
            (["vad", "x.wav", "--out", ""], "--out needs the name of a folder"),
            (["vad", "x.wav", "--set", "jitter.floor=40ms"], "only vad.* changes anything here"),
            (["jitter", "any", "--set", "jitter.flor=40ms"], "did you mean 'jitter.floor'?"),
            (
                ["jitter", "any", "--set", "jitter.ceiling=20ms", "--set", "jitter.floor=100ms"],
                "jitter.floor (100ms) is above jitter.ceiling (20ms)"
            ),
            (["vad", "x.wav", "--out", ".", "--plot", "./x.csv"], "--out would write there too"),
            (["jitter", "-", "/dev/stdin"], "- and /dev/stdin: only one file can come from stdin"),
        ]
    )
    func usage(arguments: [String], message: String) throws {
        let end = try Lab.run(arguments, in: workshop.folder)
        #expect(end.status == 64, "\(end.stderr)")
        #expect(end.stderr.contains(message), "\(end.stderr)")
        #expect(end.stdout.isEmpty)
    }

    @Test("64: no picture is drawn over its recording")
    func overInput() throws {
        let sound = Recording.tone(sampleCount: 3_200).data
        try workshop.write(sound, to: "sound.wav")
        let end = try Lab.run("vad", "sound.wav", "--plot", "sound.wav", in: workshop.folder)
        #expect(end.status == 64)
        #expect(end.stderr.contains("this would write over 'sound.wav', which is read"))
        #expect(try Data(contentsOf: workshop.url("sound.wav")) == sound)
    }

    @Test(
        "66: an input is missing, and the message names it",
        arguments: [
            ["vad", "none.wav", "--out", "out"], ["vad", "empty", "--out", "out"],
            ["jitter", "none.csv"], ["jitter", "empty"],
        ]
    )
    func inputMissing(arguments: [String]) throws {
        try workshop.write("no recording", to: "empty/notes.txt")
        let end = try Lab.run(arguments, in: workshop.folder)
        #expect(end.status == 66, "\(end.stderr)")
        #expect(end.stderr.hasPrefix("error: "))
        #expect(end.stderr.contains("none") || end.stderr.contains("empty"))
        #expect(end.stdout.isEmpty)
    }

    @Test("73: a folder that cannot be made is said, and the file in its place is kept")
    func cannotWrite() throws {
        try workshop.write(Recording.tone(sampleCount: 16_000).data, to: "tone.wav")
        try workshop.write("precious", to: "file")
        let end = try Lab.run("vad", "tone.wav", "--out", "file", in: workshop.folder)
        #expect(end.status == 73, "\(end.stderr)")
        #expect(end.stderr.hasPrefix("error: cannot write "))
        #expect(end.stdout.isEmpty)
        #expect(try workshop.read("file") == "precious")
    }
}
