import Foundation
import Testing

@Suite("kodama trace records, compares and filters")
struct TraceTests {
    private let workshop = Workshop()

    private func record(_ name: String, _ arguments: String...) throws {
        try workshop.write(ScenarioText.talk(), to: "talk.yaml")
        let end = try Kodama.run(
            ["trace", "record", "talk.yaml", "--output", name] + arguments,
            in: workshop.folder
        )
        #expect(end.status == 0, "\(end.stderr)")
        #expect(end.stdout.isEmpty)
    }

    @Test("The same seed gives an equal trace; another differs, with the first record shown")
    func diff() throws {
        try record("one")
        try record("again", "--seed", "1")
        try record("two", "--seed", "2")
        let equal = try Kodama.run("trace", "diff", "one", "again", in: workshop.folder)
        #expect(equal.status == 0)
        #expect(equal.stdout == "equal\n")
        let different = try Kodama.run("trace", "diff", "one", "two", in: workshop.folder)
        #expect(different.status == 1)
        #expect(different.stdout.contains("then they differ:"))
        let lines = different.stdout.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("-") } && lines.contains { $0.hasPrefix("+") })
    }

    @Test("Only the finest level shows every packet that a link is given, and changes nothing else")
    func packets() throws {
        try record("frames", "--level", "media")
        try record("packets", "--level", "packets")
        let packets = try workshop.read("packets").split(separator: "\n")
        let isPacket = { (line: Substring) in line.contains(" packet.carried ") }
        #expect(packets.contains(where: isPacket))
        let others = packets.filter { !isPacket($0) }
        #expect(others == (try workshop.read("frames")).split(separator: "\n"))
    }

    @Test("A filter that keeps all gives the same bytes, and one by kind keeps those records alone")
    func filter() throws {
        try record("whole", "--level", "media")
        let all = try Kodama.run("trace", "filter", "whole", in: workshop.folder)
        #expect(all.stdout == (try workshop.read("whole")))
        let some = try Kodama.run(
            "trace",
            "filter",
            "-",
            "--kind",
            "frame.*",
            "--component",
            "right",
            "--from",
            "1s",
            "--until",
            "2s",
            "--output",
            "some",
            in: workshop.folder
        )
        #expect(some.status == 66, "stdin is empty")
        let piped = try Kodama.run(
            [
                "trace", "filter", "-", "--kind", "frame.*", "--component", "right", "--from", "1s",
                "--until", "2s", "--output", "some",
            ],
            in: workshop.folder,
            stdin: try workshop.read("whole")
        )
        #expect(piped.status == 0, "\(piped.stderr)")
        let lines = try workshop.read("some").split(separator: "\n").dropFirst()
        #expect(!lines.isEmpty)
        for line in lines {
            let words = line.split(separator: " ")
            #expect(words[2] == "right.intercom" && words[3].hasPrefix("frame."), "\(line)")
            #expect(words[0].hasPrefix("1.") && words[1] == "s", "\(line)")
        }
        let whole = try workshop.read("whole").split(separator: "\n").count - 1
        #expect(piped.stderr == "\(lines.count) of \(whole) records kept\n")
    }

    @Test("What a trace was recorded without is told where it is asked for, and only there (HN-06)")
    func missingLevel() throws {
        try record("coarse", "--level", "milestone")
        try record("fine", "--level", "media")
        func remark(_ arguments: String...) throws -> String {
            let end = try Kodama.run(["trace", "filter"] + arguments, in: workshop.folder)
            #expect(end.status == 0, "\(end.stderr)")
            return end.stderr.split(separator: "\n").dropFirst().joined(separator: "\n")
        }
        let without = "this trace has no record of level media: record it with --level media"
        #expect(try remark("coarse", "--level", "media") == without)
        #expect(try remark("coarse", "--kind", "frame.played") == without)
        #expect(
            try remark("fine", "--level", "milestone", "--kind", "frame.played")
                == "such records are of level media: add --level media"
        )
        #expect(
            try remark("fine", "--from", "10h").hasPrefix("no record lies there: the trace ends")
        )
        #expect(try remark("coarse") == "")
        #expect(try remark("coarse", "--level", "milestone") == "")
        #expect(try remark("fine", "--level", "media", "--kind", "frame.played") == "")
    }

    @Test("The raw form holds nanoseconds, and is read, compared and filtered like the other")
    func raw() throws {
        try record("seconds", "--level", "media")
        try record("raw", "--level", "media", "--raw")
        let instants = try workshop.read("raw").split(separator: "\n").dropFirst()
            .map { $0.split(separator: " ")[0] }
        #expect(!instants.isEmpty && instants.allSatisfy { Int64($0) != nil })
        let equal = try Kodama.run("trace", "diff", "seconds", "raw", in: workshop.folder)
        #expect(equal.stdout == "equal\n")
        let seconds = try Kodama.run("trace", "filter", "raw", in: workshop.folder)
        #expect(seconds.stdout == (try workshop.read("seconds")))
        // However far it reaches, it is all of the run.
        let far = try Kodama.run(
            ["trace", "filter", "raw", "--around", "run.ended", "--margin", "9223372036s"],
            in: workshop.folder
        )
        #expect(far.stdout == seconds.stdout, "\(far.stderr)")
        let raw = try Kodama.run("trace", "filter", "seconds", "--raw", in: workshop.folder)
        #expect(raw.stdout == (try workshop.read("raw")))
    }

    @Test("A name that fits nothing is a mistake, not an empty trace")
    func unknownNames() throws {
        try record("whole")
        let component = try Kodama.run(
            "trace",
            "filter",
            "whole",
            "--component",
            "rihgt",
            in: workshop.folder
        )
        #expect(component.status == 64)
        #expect(component.stderr.contains("there is no such component; did you mean 'right'?"))
        let kind = try Kodama.run(
            "trace",
            "filter",
            "whole",
            "--kind",
            "tlk.*",
            in: workshop.folder
        )
        #expect(kind.status == 64)
        #expect(kind.stderr.contains(", agent.closed, agent.joined, "))
    }

    @Test("A trace that is cut or garbled is refused with its line")
    func malformed() throws {
        try record("whole")
        let whole = try workshop.read("whole")
        let header = String(whole.prefix { $0 != "\n" }) + "\n"
        for (text, message) in [
            ("", "bad:1: the text is empty"),
            (String(whole.dropLast(3)), "the last line has no line end"),
            ("not a trace\n", "bad:1: the header must begin with 'kodama-trace'"),
            (header + "99999999999999999999 left run.ended -\n", "bad:2: '99999999999999999999'"),
            (header + "0 nobody run.ended -\n", "bad:2: no component is called 'nobody'"),
            (header + "0 left no.kind -\n", "bad:2: no kind is called 'no.kind'"),
            (
                header + "5 - run.ended -\n4 - run.ended -\n",
                "bad:3: the record is older than the one before it"
            ),
            (header + "-1 - run.ended -\n", "bad:2: the instant lies outside of a run"),
            (
                header + "0 - run.ended -\n\(Int64.max) - run.ended -\n",
                "bad:3: the instant lies outside of a run, which begins at 0 s and lasts 2016 h"
            ),
        ] {
            try workshop.write(text, to: "bad")
            let end = try Kodama.run("trace", "filter", "bad", in: workshop.folder)
            #expect(end.status == 66, "\(end.stderr)")
            #expect(end.stderr.contains(message), "\(end.stderr)")
        }
    }

    @Test("66: what is no ordinary file is read up to 1 GiB and then refused")
    func endless() throws {
        let line = "timeout 300 \"$KODAMA\" trace filter /dev/zero"
        let end = try Kodama.shell(line, in: workshop.folder)
        #expect(end.status == 66, "\(end.stderr)")
        let words = "error: '/dev/zero' is no ordinary file and has more than 1 GiB"
        #expect(end.stderr.hasPrefix(words), "\(end.stderr)")
    }

    @Test("A device and a link are written to as they stand, a file is replaced as a whole")
    func outputs() throws {
        try record("whole")
        try record("/dev/null")
        var status = stat()
        #expect(stat("/dev/null", &status) == 0)
        #expect(status.st_mode & S_IFMT == S_IFCHR)
        try workshop.write("old", to: "target")
        try FileManager.default.createSymbolicLink(
            atPath: workshop.url("link").path,
            withDestinationPath: "target"
        )
        try record("link")
        #expect(try workshop.read("target") == workshop.read("whole"))
        let link = try FileManager.default.destinationOfSymbolicLink(
            atPath: workshop.url("link").path
        )
        #expect(link == "target")
        #expect(try workshop.names() == ["link", "talk.yaml", "target", "whole"])
    }
}
