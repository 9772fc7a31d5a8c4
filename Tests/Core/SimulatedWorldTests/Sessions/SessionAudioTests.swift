import AppCoordination
@testable import KodamaEvidence
@testable import KodamaLanguage
@testable import KodamaNetwork
@testable import KodamaSession
@testable import KodamaSimulation
import RealtimeVoice
import SansIO
import Testing

@Suite("Sessions whose published audio follows the link")
struct SessionAudioTests {
    /// A session over an uplink of 40 kbit/s: 24 kbit/s of voice are 44 with their headers, 12 are 32.
    private func run(adapts: Bool) throws -> WorldRun {
        var plan = WorldPlan.session(.sized, lasting: .seconds(120))
        var up = LinkDirection.after(.milliseconds(20))
        up.capacity = .rate(DataRate(bitsPerSecond: 40_000))
        let profile = LinkProfile(
            name: "test",
            summary: "",
            source: "",
            forward: up,
            backward: .after(.milliseconds(20))
        )
        var app = SessionAppPlan()
        app.configuration.audio.isEnabled = adapts
        plan.phones[0].radios = [RadioPlan(.wifi, profile: profile)]
        plan.phones[0].apps = [AppPlan(app, start: .opened(at: .zero))]
        return try WorldRun(plan)
    }

    /// The frames of the phone's voice that the agent heard within 500 ms, and those that came later.
    private func frames(_ run: WorldRun) -> (soon: Int, late: Int) {
        let heard = run.values(VoiceHeard.self).filter { $0.direction.value == .fromPhone }
        let soon = heard.count {
            $0.captured.duration(to: $0.heard) <= .milliseconds(500)
        }
        return (soon, heard.count - soon)
    }

    @Test(
        "An uplink that does not carry the full rate delays few frames if the rate follows (AN-12)"
    )
    func slowUplink() throws {
        let fixed = frames(try run(adapts: false))
        #expect(fixed.late > 3 * fixed.soon, "\(fixed)")
        let adapted = frames(try run(adapts: true))
        #expect(adapted.soon > 3_000 && adapted.late * 3 < adapted.soon, "\(adapted)")
    }

    @Test("A link that carries the full rate is given it, with frames and without (AN-12)")
    func goodLink() throws {
        for voice in [VoiceMode.sized, .reachability] {
            let plan = WorldPlan.session(voice, lasting: .seconds(60))
            var adaptive = plan
            var app = SessionAppPlan()
            app.configuration.audio.isEnabled = true
            adaptive.phones[0].apps = [AppPlan(app, start: .opened(at: .zero))]
            let (without, with) = (try WorldRun(plan), try WorldRun(adaptive))
            #expect(without.digest.run == with.digest.run)
        }
    }

    @Test("As sound, packets are as large as the rate asks for, there and back (AN-12)")
    func sound() throws {
        let sender = try VoiceSender()
        var number: Int64 = 0
        var noise: UInt32 = 1
        func bytes(at kilobits: Int64) -> Int {
            sender.encode(at: DataRate(bitsPerSecond: kilobits * 1_000))
            return (0..<50).reduce(0) { sum, _ in
                number += 1
                let captured = Instant(nanoseconds: number * 20_000_000)
                let frame = MediaFrame(
                    track: 0,
                    sequence: number,
                    captured: captured,
                    isSpeech: true
                )
                return sum
                    + sender.encode(frame) { pcm in
                        for place in pcm.indices {
                            noise = noise &* 1_664_525 &+ 1_013_904_223
                            pcm[place] = Int16(truncatingIfNeeded: noise >> 20)
                        }
                    }
            }
        }
        let sizes = [24, 12, 24, 12].map { bytes(at: $0) }
        #expect(sizes[0] > sizes[1] * 3 / 2 && sizes[2] > sizes[3] * 3 / 2, "\(sizes)")
        #expect(SessionVoice.payloadBytes(at: DataRate(bitsPerSecond: 24_000)) == 61)
        #expect(SessionVoice.payloadBytes(at: DataRate(bitsPerSecond: 16_000)) == 41)
    }

    /// Five packets of a sender's from a frame on.
    private func packets(_ sender: VoiceSender, from first: Int64) -> [[UInt8]] {
        (first..<first + 5).map { number in
            let frame = MediaFrame(
                track: 0,
                sequence: number,
                captured: Instant(nanoseconds: number * 20_000_000),
                isSpeech: true
            )
            _ = sender.encode(frame) { samples in
                for index in samples.indices {
                    let level = index &* 7_919 &* (Int(number) + 1) & 0x3FFF
                    samples[index] = Int16(level - 0x2000)
                }
            }
            return sender.packet(of: frame) ?? []
        }
    }

    @Test(
        "The voice of a new process is encoded as that of the first, and what was sent is still found"
    )
    func restart() throws {
        let fresh = packets(try VoiceSender(), from: 0)
        let carried = try VoiceSender()
        _ = packets(carried, from: 100)
        #expect(packets(carried, from: 0) != fresh, "the encoder remembers what was before")
        let sender = try VoiceSender()
        for _ in 0..<2 {
            sender.encode(at: DataRate(bitsPerSecond: 12_000))
            let before = packets(sender, from: 100)
            sender.restart()
            #expect(packets(sender, from: 0) == fresh)
            let frame = MediaFrame(
                track: 0,
                sequence: 104,
                captured: Instant(nanoseconds: 104 * 20_000_000),
                isSpeech: true
            )
            #expect(sender.packet(of: frame) == before.last)
        }
    }
}
