@testable import KodamaEvidence
@testable import KodamaIntercom
import PeerTransport
import SansIO
import Testing

@Suite("Invariants of voice")
struct VoiceInvariantsTests {
    /// The names of the broken invariants with the number of violations.
    private func broken(_ trace: RecordedTrace) -> [String: Int] {
        Dictionary(
            uniqueKeysWithValues: RunMeter.of(trace).invariants.filter { $0.violationCount > 0 }
                .map { ($0.name, $0.violationCount) }
        )
    }

    private let call = Timeline(
        speech: "######",
        sent: "######",
        played: "##xr##",
        muted: "......#"
    )

    @Test("A sound call breaks none, and each one looked at something")
    func sound() {
        let invariants = RunMeter.of(call.trace).invariants
        #expect(invariants.map(\.name) == Systems.shipped.invariants.map(\.name))
        let looked = invariants.filter { $0.checkedCount > 0 }.map(\.name)
        #expect(looked == Systems.withoutSessions.invariants.map(\.name))
        #expect(invariants.allSatisfy { $0.violationCount == 0 })
    }

    @Test("A frame heard twice is named with its record (K-14)")
    func twice() throws {
        let trace = Timeline(speech: "###", sent: "###", played: "#2#").trace
        #expect(broken(trace) == ["voice.never-played-twice": 1])
        let invariants = RunMeter.of(trace).invariants
        let result = try #require(invariants.first { $0.violationCount > 0 })
        let violation = try #require(result.violations.first)
        #expect(
            violation.line == TraceText.line(trace.records[violation.position], trace.directory)
        )
        #expect(violation.line.contains("frame.played"))
    }

    @Test("A frame heard after a later one breaks the order")
    func order() throws {
        var trace = call.trace
        let positions = trace.records.indices.filter { trace.records[$0].kind == FramePlayed.kind }
        let values = trace.records[positions[0]].values
        trace.records[positions[0]].values = trace.records[positions[1]].values
        trace.records[positions[1]].values = values
        #expect(broken(trace) == ["voice.order-kept": 1])
    }

    @Test("A frame captured in another mode than voice chat is named (S-AUD-001)")
    func mode() {
        var builder = TraceBuilder(["ann"])
        for (index, isRight) in [true, false, false, true].enumerated() {
            let frame = FrameCaptured(
                index: Int64(index),
                start: .ns(Int64(index) * 20_000_000),
                durationNanoseconds: 20_000_000
            )
            let time = Int64(index + 1) * 20
            builder.add(AudioModeChanged(isVoiceChat: isRight), at: time, "ann")
            builder.add(frame, at: time, "ann")
        }
        #expect(broken(builder.trace) == ["voice.in-voice-chat": 2])
    }

    @Test("A record older than the one before it is out of time (HN-01)")
    func time() throws {
        var trace = call.trace
        let position = try #require(trace.records.lastIndex { $0.kind == FramePlayed.kind })
        trace.records[position].instant.nanoseconds -= 1_000_000_000
        #expect(broken(trace) == ["time.never-goes-back": 1])
    }

    @Test("A frame heard that was never sent, or before it was spoken, is no voice")
    func unsent() throws {
        #expect(
            broken(Timeline(speech: "##", sent: "#.", played: "##").trace)
                == ["voice.played-was-sent": 1]
        )
        var early = call.trace
        let position = try #require(early.records.firstIndex { $0.kind == FramePlayed.kind })
        early.records[position].change(FramePlayed.self) { $0.heard = $0.captured }
        #expect(broken(early) == ["voice.played-was-sent": 1])
    }

    @Test("A frame sent again on the same path is one too many, on another path it is not")
    func sentTwice() throws {
        var trace = call.trace
        let position = try #require(trace.records.firstIndex { $0.kind == PacketSent.kind })
        var copy = trace.records[position]
        copy.change(PacketSent.self) { $0.path = TraceWord(.internet) }
        trace.records.insert(copy, at: position)
        #expect(broken(trace) == [:])
        copy.change(PacketSent.self) { $0.path = TraceWord(.local) }
        trace.records.insert(copy, at: position)
        #expect(broken(trace) == ["voice.sent-once": 1])
    }

    @Test("A capture index that returns, or a start that stands still, is caught")
    func captures() throws {
        let changes: [(inout FrameCaptured) -> Void] = [{ $0.index = 0 }, { $0.start = .zero }]
        for change in changes {
            var trace = call.trace
            let position = try #require(
                trace.records.firstIndex { $0.read(FrameCaptured.self)?.index == 5 }
            )
            trace.records[position].change(FrameCaptured.self, change)
            #expect(broken(trace)["voice.capture-index-rises"] == 1)
        }
    }

    /// What Ann says at an instant is heard by Ben at 9 s; both are in a group from 0 on, until one of
    /// them does this.
    private func farewell(
        captured: Int64,
        _ group: (inout TraceBuilder) -> Void
    ) -> [String: Int] {
        var builder = TraceBuilder(["ann", "ben"])
        builder.add(GroupJoined(group: 1), at: 0, "ann")
        builder.add(GroupJoined(group: 1), at: 0, "ben")
        group(&builder)
        let start = Instant.ns(captured * 1_000_000)
        builder.add(
            FrameCaptured(index: 0, start: start, durationNanoseconds: 20_000_000),
            at: captured + 20,
            "ann"
        )
        builder.add(
            PacketSent(index: 0, bytes: 60, content: .voice, path: .internet),
            at: captured + 20,
            "ann",
            "ben"
        )
        builder.add(
            FramePlayed(index: 0, samples: 960, heard: .ns(9_000_000_000), captured: start),
            at: 9_000,
            "ben",
            "ann"
        )
        return broken(builder.trace)
    }

    private static let stranger = ["voice.nothing-from-strangers": 1]

    @Test("Nobody hears another group (A-F-018)")
    func strangers() {
        #expect(
            broken(Timeline(speech: "#", sent: "#", played: "#", joins: false).trace)
                == Self.stranger
        )
        let elsewhere = farewell(captured: 1_000) { builder in
            builder.add(GroupLeft(group: 1), at: 100, "ben")
            builder.add(GroupJoined(group: 2), at: 200, "ben")
        }
        #expect(elsewhere == Self.stranger)
        let gone = farewell(captured: 1_000) { builder in
            builder.add(GroupLeft(group: 1), at: 8_000, "ben")
        }
        #expect(gone == Self.stranger)
    }

    @Test("What a member said before leaving may come late, what it says afterwards not (A-F-018)")
    func farewells() {
        let cases: [(Int64, [String: Int])] = [(1_000, [:]), (1_001, Self.stranger)]
        for (captured, expected) in cases {
            let left = farewell(captured: captured) { builder in
                builder.add(GroupLeft(group: 1), at: 1_000, "ann")
            }
            #expect(left == expected, "captured at \(captured) ms")
            // Seven seconds are long enough to be in another group by then.
            let moved = farewell(captured: captured) { builder in
                builder.add(GroupLeft(group: 1), at: 1_000, "ann")
                builder.add(GroupJoined(group: 2), at: 3_000, "ann")
            }
            #expect(moved == expected, "captured at \(captured) ms, and in another group")
        }
        let returned = farewell(captured: 5_000) { builder in
            builder.add(GroupLeft(group: 1), at: 1_000, "ann")
            builder.add(GroupJoined(group: 1), at: 2_000, "ann")
        }
        #expect(returned == [:])
    }
}
