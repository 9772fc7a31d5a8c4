import Foundation
@testable import KodamaEvidence
@testable import KodamaHarness
import Testing

@Suite("Traces for tools that people own")
struct ExportTests {
    private func trace(_ text: String) throws -> RecordedTrace {
        try TraceText.parse(Array(text.utf8), systems: .shipped)
    }

    /// Six frames sent with a pause of speech; the third is lost, the fourth late, the last comes twice.
    private let voice = """
        kodama-trace 3 scenario=voice seed=4 components=left,right
        0 left packet.sent right index=0 bytes=100 content=voice path=local
        10000000 right packet.arrived left index=0 bytes=100 content=voice path=local
        20000000 left packet.sent right index=1 bytes=100 content=voice path=local
        30000000 right packet.arrived left index=1 bytes=100 content=voice path=local
        40000000 left packet.sent right index=2 bytes=100 content=voice path=local
        60000000 left packet.sent right index=3 bytes=100 content=voice path=local
        86000000 right packet.arrived left index=3 bytes=100 content=voice path=local
        1000000000 left packet.sent right index=50 bytes=100 content=voice path=local
        1010000000 right packet.arrived left index=50 bytes=100 content=voice path=local
        1020000000 left packet.sent right index=51 bytes=100 content=voice path=local
        1030000000 right packet.arrived left index=51 bytes=100 content=voice path=local
        1100000000 - run.ended -

        """

    @Test("A stream counts loss and jitter as RFC 3550 does; a pause is no loss (A.3, A.8)")
    func stream() throws {
        let streams = VoiceStream.all(in: try trace(voice))
        #expect(streams.count == 1)
        let stream = try #require(streams.first)
        #expect([stream.sender, stream.receiver, stream.path] == ["left", "right", "local"])
        #expect(stream.packetCount == 5)
        #expect(stream.lostCount == 1)
        #expect(stream.packets.map(\.sequence) == [0, 1, 3, 4, 5])
        // |D| is 0, 16 ms, 16 ms and 0: J is 0, 1 ms, 1.9375 ms and 1.81640625 ms.
        #expect(stream.maxJitterNanoseconds == 1_937_500)
        #expect(stream.meanJitterNanoseconds == 1_188_476)
    }

    @Test("A capture has a head, an announcement per stream and each packet that arrived")
    func capture() throws {
        let streams = VoiceStream.all(in: try trace(voice))
        let bytes = [UInt8](PacketCapture(streams).data)
        func word(_ offset: Int) -> Int {
            (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
        }
        var types: [Int] = []
        var packets: [ArraySlice<UInt8>] = []
        var offset = 0
        while offset < bytes.count {
            let length = word(offset + 4)
            #expect(length.isMultiple(of: 4))
            #expect(word(offset + length - 4) == length)
            types.append(word(offset))
            if word(offset) == 6 {
                packets.append(bytes[(offset + 28)..<(offset + 28 + word(offset + 20))])
            }
            offset += length
        }
        #expect(types == [0x0A0D_0D0A, 1] + Array(repeating: 6, count: 6))
        let announced = String(decoding: packets[0].dropFirst(28 + 8), as: UTF8.self)
        #expect(announced.contains("m=audio 5004 RTP/AVP 111\r\na=rtpmap:111 opus/48000/2"))
        #expect(packets.dropFirst().allSatisfy { $0.count == 100 })
        let last = Array(try #require(packets.last).dropFirst(28).prefix(8))
        #expect(last == [0x80, 111, 0, 5, 0, 0, 0xBF, 0x40])
    }

    @Test("A fault of an instant is a mark at whom it befalls, not a stretch to the run's end")
    func instantFaults() throws {
        let story = try Stories.told(
            by: """
                kodama-trace 2 scenario=leave seed=1 components=phone,rooms
                1000000000 rooms fault.began phone fault=join-elsewhere parameter=0
                2000000000 rooms fault.began - fault=server-down parameter=3000000000
                3000000000 rooms fault.began phone fault=server-leave parameter=0
                5000000000 rooms fault.ended - fault=server-down
                20000000000 - run.ended -

                """
        )
        let bands = story.lanes.flatMap(\.rows).flatMap(\.bands)
        #expect(bands.map(\.label) == ["server-down"])
        #expect(bands.map(\.until) == [5_000_000_000])
        let phone = try #require(story.lanes.first { $0.name == "phone" })
        #expect(phone.rows.flatMap(\.marks).map(\.at) == [1_000_000_000, 3_000_000_000])
    }

    @Test("Of two faults that overlap each is drawn from its own beginning to its own end")
    func overlappingFaults() throws {
        let story = try Stories.told(
            by: """
                kodama-trace 2 scenario=both seed=1 components=phone,rooms
                1000000000 rooms fault.began - fault=server-full parameter=0
                2000000000 rooms fault.began - fault=server-dark parameter=3000000000
                5000000000 rooms fault.ended - fault=server-dark
                6000000000 rooms fault.began - fault=silent-server parameter=0
                8000000000 rooms fault.ended - fault=server-cleared
                20000000000 - run.ended -

                """
        )
        let bands = story.lanes.flatMap(\.rows).flatMap(\.bands)
        #expect(
            bands.map { "\($0.label) \($0.from / 1_000_000_000) \($0.until / 1_000_000_000)" } == [
                "server-full 1 8", "server-dark 2 5", "silent-server 6 8",
            ]
        )
    }

    @Test("A device is a process, a row a thread, and no slices of a thread overlap (HN-06)")
    func perfetto() throws {
        for text in [Stories.outage, Stories.talk] {
            let json = try ChromeTrace(try trace(text)).json
            let file = try #require(JSONSerialization.jsonObject(with: json) as? [String: Any])
            let events = try #require(file["traceEvents"] as? [[String: Any]])
            let names = events.filter { $0["name"] as? String == "process_name" }
            #expect(!names.isEmpty)
            var ends: [String: Double] = [:]
            for event in events where event["ph"] as? String == "X" {
                let track = "\(event["pid"] ?? "")/\(event["tid"] ?? "")"
                let start = try #require(event["ts"] as? Double)
                let length = try #require(event["dur"] as? Double)
                #expect(start >= ends[track, default: 0] - 1e-6, "\(track)")
                ends[track] = start + length
            }
            #expect(!ends.isEmpty)
            #expect(try ChromeTrace(try trace(text)).json == json)
        }
        let outage = try ChromeTrace(try trace(Stories.outage)).json
        try Golden.check(String(decoding: outage, as: UTF8.self), "Golden/outage.perfetto.json")
    }
}
