import Foundation
import KodamaEvidence
import KodamaLanguage
import Testing

@testable import KodamaGuest

@Suite("A guest that breaks its protocol is at fault, and no verdict is given (HN-07)")
struct GuestFaultTests {
    @Test(
        "Its fault says what it did, with its last lines",
        arguments: [
            ("nonsense", "its answer is no JSON"),
            ("twice", "it speaks out of turn: it wrote more than one line"),
            ("other-turn", "it answers turn 2, and was told turn 1"),
            ("restless", "it does not come to rest"),
            ("dies", "it ended by itself"),
            ("complains", "it ended by itself, with exit code 3"),
        ]
    )
    func faults(word: String, reason: String) {
        let text = GuestStory.fault(of: GuestStory.odd(word))
        #expect(text.contains("the guest 'one' on mika is at fault"))
        #expect(text.contains(reason))
        #expect(text.contains("> {\"turn\":"))
    }

    @Test(
        "A guest that hangs is at fault after a while of real time",
        arguments: ["hangs", "hangs-unread"]
    )
    func hangs(word: String) {
        let text = GuestStory.fault(of: GuestStory.odd(word), patienceMilliseconds: 1_500)
        #expect(text.contains("it hangs: no answer within 1500 ms of real time"))
    }

    @Test("A line that nothing asked for is a fault as soon as the guest is told something")
    func early() throws {
        let process = try GuestProcess(GuestStory.odd("late"), Programs(), name: "mika.guest")
        defer { process.end() }
        let answer = try process.exchange(#"{"turn":1,"now":0,"event":"path"}"#)
        #expect(answer.hasPrefix(#"{"turn": 1"#))
        usleep(500_000)
        let fault = #expect(throws: GuestFault.self) { try process.exchange("{}") }
        #expect(fault?.reason == "it speaks out of turn: it wrote a line that nothing asked for")
    }

    @Test("What a guest said on stderr stands in its fault")
    func errors() {
        let text = GuestStory.fault(of: GuestStory.odd("complains"))
        #expect(text.contains("stderr: my heart is broken"))
    }

    @Test("A command that does not exist is a fault that says so")
    func missing() {
        let text = GuestStory.fault(of: "there-is-no-such-pigeon")
        #expect(text.contains("with exit code 127"))
        #expect(text.contains("there-is-no-such-pigeon"))
    }

    @Test(
        "An order that no guest can give is a fault that says what it can",
        arguments: [
            (#"{"sned":"bo"}"#, "it orders 'sned'; a guest orders send, open, say"),
            (#"{"send":"boo"}"#, "it sends to 'boo'; there are bo, guest-relay"),
            (#"{"send":"bo","txt":"x"}"#, "'send' knows text, bytes, by besides, not 'txt'"),
            (#"{"send":"bo","bytes":1453}"#, "a datagram has at most 1452"),
            (#"{"send":"bo","text":"abc","bytes":2}"#, "it sends 2 bytes with a text of 3"),
            (#"{"send":"bo","by":"air"}"#, "goes by link or by relay"),
            (#"{"open":"a","to":"boo"}"#, "it opens a stream to 'boo'; there are bo"),
            (#"{"open":"a/b","to":"bo"}"#, "a name has no '/'"),
            (#"{"say":"a","text":"abc","bytes":1}"#, "it says 1 bytes with a text of 3"),
            (#"{"timer":"t","at":1.5}"#, "'at' of an order is no whole number"),
            (#"{"mark":"joy"}"#, "it marks 'joy'; a guest marks delay"),
            (#"{"mark":"delay"}"#, "an order lacks 'amount'"),
            (#"{"mark":"sent","amount":-1}"#, "an amount is not negative"),
            (#"{"draw":"dice","index":0,"count":1025}"#, "draw 1 to 1024"),
            (#"{"write":"k","value":7}"#, "'value' of an order is no text"),
        ]
    )
    func orders(order: String, reason: String) {
        let text = GuestStory.fault(of: GuestStory.odd("orders '\(order)'"))
        #expect(text.contains(reason), "\(text)")
    }

    @Test("An answer with members that nobody knows, or without its turn, is refused")
    func answers() {
        for (line, reason) in [
            (#"{"turn":1,"effects":[]}"#, "has 'effects'"), (#"{"do":[]}"#, "names no turn"),
            (#"[1]"#, "no JSON object"), (#"{"turn":1,"do":{}}"#, "no list of orders"),
            (#"{"turn":1,"do":[{}]}"#, "no object with a member"),
        ] {
            let fault = #expect(throws: GuestFault.self) { try GuestEffect.read(line, turn: 1) }
            #expect(fault?.reason.contains(reason) ?? false, "\(line)")
        }
    }

    @Test("A scenario names a label in one word and settings as name=value")
    func scenario() {
        for guest in ["program: a=b", "program: a, settings: [interval]"] {
            let text = """
                version: 2
                scenario: odd
                duration: 1s
                phones:
                  - { name: mika, apps: { guest: { \(guest) } } }
                """
            let loader = ScenarioLoader(
                vocabulary: ScenarioVocabulary(systems: GuestStory.registry)
            )
            #expect(throws: InvalidScenario.self) { try loader.load(text: text, file: "odd.yaml") }
        }
    }
}
