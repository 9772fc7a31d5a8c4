import KodamaShipped
@testable import KodamaEvidence
@testable import KodamaHarness
@testable import KodamaIntercom
@testable import KodamaLanguage
@testable import KodamaWorld
import PeerTransport
import SansIO
import Testing

@Suite("What can be heard of a run")
struct RunSoundsTests {
    /// The mean of a second's samples without their signs.
    private func level(_ sound: WaveFile, second: Int) -> Int {
        let part = sound.samples.dropFirst(second * 48_000).prefix(48_000)
        return part.reduce(0) { $0 + Int(abs(Int32($1))) } / max(1, part.count)
    }

    @Test("Of runs without sound no more is said, for their voice may be sized or have no frames")
    func noSound() throws {
        let voices = try Voices(needsSound: false, isSynthetic: false)
        #expect(voices.description == "no sound was made")
    }

    @Test("What is said and what is heard begin with the run, so that they lie side by side")
    func aligned() throws {
        let sounds = try Talk.run(seconds: 6).sounds()
        #expect(sounds.names == ["left", "right"])
        let (said, heard) = (try #require(sounds.said(at: 0)), sounds.heard(at: 1))
        #expect(said.samples.count == 6 * 48_000)
        #expect(heard.samples.count == 6 * 48_000)
        #expect(level(said, second: 1) == 0)
        #expect(level(heard, second: 1) < 10)
        #expect((3..<6).contains { level(said, second: $0) > 100 })
        #expect((3..<6).contains { level(heard, second: $0) > 100 })
        #expect(
            try #require(sounds.said(at: 1)).samples.allSatisfy { $0 == 0 },
            "nobody is at the right phone"
        )
        #expect(sounds.momentSides() == nil, "two phones that keep their one path")
    }

    /// What is recorded of callbacks of 10 ms; the samples of each are its number, from 1 on.
    private func recording(of instants: [Int64]) -> [Int16] {
        let tape = SpeakerRecording()
        for (place, nanoseconds) in instants.enumerated() {
            let callback = [Int16](repeating: Int16(place + 1), count: 480)
            callback.withUnsafeBufferPointer {
                tape.take($0, at: Instant(nanoseconds: nanoseconds))
            }
        }
        return tape.samples
    }

    @Test("What is played lies where it was played, after a pause and where it breaks off the last")
    func pauses() {
        func callback(_ place: Int16) -> [Int16] { Array(repeating: place, count: 480) }
        let paused = recording(of: [10_000_000, 20_000_000, 330_000_000, 340_000_000])
        let silence = [Int16](repeating: 0, count: 14_400)
        let (before, after) = (callback(1) + callback(2), callback(3) + callback(4))
        let expected = Array(silence[..<480]) + before + silence + after
        #expect(paused == expected)
        let again = recording(of: [0, 10_000_000, 15_000_000])
        #expect(again == callback(1) + Array(callback(2)[..<240]) + callback(3))
    }

    @Test("What a drifting clock plays lies where it was played, without a pause or a jump")
    func drift() {
        // A slow clock, then a fast one, 500 ppm from true: 0.9 s in half an hour.
        for length in [10_005_000, 9_995_000] as [Int64] {
            let tape = recording(of: (0..<4_000 as Range<Int64>).map { $0 * length })
            let steps = zip(tape, tape.dropFirst()).map { $1 - $0 }
            #expect(steps.allSatisfy { (0...1).contains($0) } && tape.first == 1)
            for place in [1_000, 2_500, 3_999] as [Int64] {
                let start = tape.firstIndex(of: Int16(place + 1)) ?? 0
                #expect(abs(start - Int(place * length * 48 / 1_000_000)) <= 3)
            }
        }
    }

    @Test("Both phones' changes of path are one handover, and the way back is another")
    func handovers() {
        let names = ["left", "right", "left.intercom", "right.intercom"]
        var finder = HandoverMoments(TraceDirectory(names: names, systems: .shipped))
        func move(
            _ phase: Handover.Phase,
            of component: Int,
            about subject: Int,
            at second: Int64
        ) {
            let form = HandoverMoved(phase: TraceWord(phase), cause: TraceWord(.appeared))
            finder.follow(
                TraceRecord(
                    form,
                    at: Instant.zero.advanced(by: .seconds(second)),
                    of: ComponentIndex(component),
                    about: ComponentIndex(subject)
                )
            )
        }
        move(.localConnected, of: 2, about: 1, at: 1)
        move(.handoverToInternet, of: 2, about: 1, at: 10)
        move(.handoverToInternet, of: 3, about: 0, at: 11)
        move(.internetConnected, of: 2, about: 1, at: 12)
        move(.handoverToLocal, of: 3, about: 0, at: 20)
        let expected = [10, 20].map { second in
            HeardMoment(
                "handover",
                at: Instant.zero.advanced(by: .seconds(second)),
                between: ["left", "right"]
            )
        }
        #expect(finder.moments == expected)
    }

    @Test("A handover's sides come one after the other: said here, heard there, and the other way")
    func sides() throws {
        let run = try Talk.run(seconds: 6)
        func phone(_ name: String, heard level: Int16) throws -> RunSounds.Phone {
            RunSounds.Phone(
                name: name,
                heard: Array(repeating: level, count: 6 * 48_000),
                spoken: try SpokenSound(at: name, in: run.plan, seed: 1, material: run.material)
            )
        }
        let handover = HeardMoment(
            "handover",
            at: Instant.zero.advanced(by: .seconds(4)),
            between: ["left", "right"]
        )
        let sounds = RunSounds(
            phones: [try phone("left", heard: 7), try phone("right", heard: 9)],
            moments: [handover],
            duration: run.plan.duration
        )
        let sides = try #require(sounds.momentSides())
        // Four sounds of 5 s, half a second behind each; from the second second of the run on.
        #expect(sides.samples.count == 4 * 264_000)
        let said = try #require(sounds.said(at: 0))
        #expect(Array(sides.samples[0..<192_000]) == Array(said.samples[96_000..<288_000]))
        #expect(sides.samples[264_000] == 9 && sides.samples[264_000 + 191_999] == 9)
        #expect(sides.samples[264_000 + 192_000] == 0, "the run is over")
        #expect(sides.samples[792_000] == 7)
        #expect(sounds.momentSides() == sides)
        let remark = """
            the handover at 4 s of the run: at 0 s said at left, at 5.5 s played at right, \
            at 11 s said at right, at 16.5 s played at left
            """
        #expect(sounds.momentRemarks == [remark])
    }

    @Test("The page of sounds says of a file of handovers what lies where")
    func page() {
        let remark = "the handover at 4 s: at 0 s said at <left>"
        let page = SoundsPage([
            .init(run: "talk", seed: 1, title: "handovers", file: "h.wav", remarks: [remark])
        ])
        #expect(page.text.contains(">the handover at 4 s: at 0 s said at &lt;left&gt;</p>"))
    }

    @Test("Of more handovers than twenty it is said how many are left out")
    func manyHandovers() throws {
        let run = try Talk.run(seconds: 6)
        let phones = try ["left", "right"].map { name in
            RunSounds.Phone(
                name: name,
                heard: [],
                spoken: try SpokenSound(at: name, in: run.plan, seed: 1, material: run.material)
            )
        }
        let handovers = (1...23).map { count in
            HeardMoment(
                "handover",
                at: Instant.zero.advanced(by: .milliseconds(count * 5_185)),
                between: ["left", "right"]
            )
        }
        let sounds = RunSounds(phones: phones, moments: handovers, duration: .seconds(30))
        #expect(sounds.momentRemarks.count == 21)
        #expect(sounds.momentRemarks.last == "3 later handovers left out")
        #expect(sounds.momentRemarks[1].contains("at 10.37 s of the run: at 22 s said at left"))
        // No digit of a long file's places is rounded away.
        let late = sounds.momentRemarks[19]
        #expect(late.contains("at 103.7 s of the run: at 418 s said at left, at 423.5 s played"))
    }
}
