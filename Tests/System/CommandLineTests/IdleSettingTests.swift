import Foundation
import Testing

@Suite("What is set and changes nothing is not passed over")
struct IdleSettingTests {
    private let workshop = Workshop()

    init() throws {
        try workshop.write(ScenarioText.talk(), to: "sized.yaml")
        try workshop.write(ScenarioText.talk(name: "real", voice: "real"), to: "real.yaml")
    }

    @Test(
        "A setting or a sweep that changes nothing in any chosen scenario is refused",
        arguments: [
            (["--set", "vad.threshold=700"], "'vad.threshold' does nothing: 'voice: sized'"),
            (["--sweep", "opus.bitrate=16kbps,32kbps"], "'opus.bitrate' does nothing"),
            (
                ["--set", "reconnect.attempts=3"],
                "'reconnect.attempts' does nothing: no phone has the session app"
            ),
            (
                ["--sweep", "handover.standby_time=1s,1h"],
                "'handover.standby_time' does nothing: no phone has the intercom with 'secured"
            ),
            (["--set", "nearby.radio_budget=100dB"], "does nothing: nobody walks"),
        ]
    )
    func refused(arguments: [String], message: String) throws {
        for command in ["run", "check"] where command == "run" || arguments[0] == "--set" {
            let end = try Kodama.run([command, "sized.yaml"] + arguments, in: workshop.folder)
            #expect(end.status == 64, "\(end.stdout)")
            #expect(end.stderr.contains(message), "\(end.stderr)")
            #expect(end.stderr.contains(": error: "), "\(end.stderr)")
        }
    }

    @Test("A setting that changes something in one of the chosen scenarios is taken")
    func taken() throws {
        let setting = ["--set", "vad.threshold=700"]
        for files in [["real.yaml"], ["sized.yaml", "real.yaml"]] {
            let end = try Kodama.run(["check"] + files + setting, in: workshop.folder)
            #expect(end.status == 0, "\(end.stderr)")
        }
        let swept = ["--sweep", "voice=sized,real", "--sweep", "vad.threshold=400,700"]
        let points = try Kodama.run(
            ["run", "sized.yaml", "--synthetic"] + swept,
            in: workshop.folder
        )
        #expect(points.stdout.contains("sized and real audio"), "\(points.stdout)\(points.stderr)")
    }

    @Test("A figure that calls share with sessions is taken where there are only calls")
    func shared() throws {
        let text = """
            version: 2
            scenario: calls
            duration: 60s
            voice: reachability
            phones:
              - name: ann-phone
                radios: { wifi: wifi-internet }
                parameters: { sdk.playout_delay: 80ms }
                apps: { calls: { user: ann } }
              - name: ben-phone
                radios: { wifi: wifi-internet }
                apps: { calls: { user: ben } }
            timeline:
              - { at: 10s, do: { call: { from: ann-phone, to: ben } } }
            expect:
              - { metric: call.ring.time, p95: "<= 3s" }
            """
        try workshop.write(text, to: "calls.yaml")
        for setting in ["api.token_ttl=30s", "rooms.ping_interval=1s", "sdk.publish_timeout=5s"] {
            let end = try Kodama.run("check", "calls.yaml", "--set", setting, in: workshop.folder)
            #expect(end.status == 0, "\(end.stderr)")
            #expect(!end.stderr.contains("does nothing"), "\(end.stderr)")
        }
        for setting in ["agent.join_time=1s", "session.retry_timeout=1s"] {
            let end = try Kodama.run("check", "calls.yaml", "--set", setting, in: workshop.folder)
            #expect(end.status == 64, "\(end.stdout)")
            #expect(end.stderr.contains("no phone has the session app"), "\(end.stderr)")
        }
    }

    @Test(
        "A built-in voice that nobody would hear is refused",
        arguments: [
            ["run"], ["verify"], ["replay"], ["explain"], ["why"], ["trace", "record"],
            ["compare", "--before", "jitter.floor=20ms"],
        ]
    )
    func synthetic(command: [String]) throws {
        let end = try Kodama.run(command + ["sized.yaml", "--synthetic"], in: workshop.folder)
        #expect(end.status == 64, "\(end.stdout)")
        #expect(
            end.stderr == "error: --synthetic does nothing: no scenario makes sound; "
                + "choose one with voice: real\n"
        )
    }

    @Test("A file that sets what changes nothing is warned of, and is resolved without it")
    func warned() throws {
        let text = ScenarioText.talk() + "\nparameters: { vad.threshold: 700, vad.attack: 40ms }\n"
        try workshop.write(text, to: "warned.yaml")
        let end = try Kodama.run("check", "warned.yaml", in: workshop.folder)
        #expect(end.status == 0)
        let warning = "warning: 'vad.threshold' does nothing: 'voice: sized' has neither"
        #expect(end.stderr.contains(warning), "\(end.stderr)")
        #expect(!end.stderr.contains("'vad.attack'"))
        let resolved = try Kodama.run("resolve", "warned.yaml", in: workshop.folder)
        #expect(resolved.stdout.contains("vad.attack: 40ms"))
        #expect(!resolved.stdout.contains("vad.threshold"))
        // Sized frames have no sound to encode, but they carry copies of the frame before.
        #expect(!resolved.stdout.contains("opus.complexity"))
        #expect(resolved.stdout.contains("opus.fec"))
    }
}
