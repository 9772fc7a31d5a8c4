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
            ("hurries", "it does not come to rest: 10001 turns within a millisecond"),
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
            (#"{"open":"a","to":"boo"}"#, "it opens a stream to 'boo'; there are bo, guest-relay"),
            (#"{"open":"a/b","to":"bo"}"#, "a name has no '/'"),
            (#"{"say":"a","text":"abc","bytes":1}"#, "it says 1 bytes with a text of 3"),
            (#"{"timer":"t","at":1.5}"#, "'at' of an order is no whole number"),
            (#"{"mark":"joy"}"#, "it marks 'joy'; a guest marks delay"),
            (#"{"mark":"delay"}"#, "an order lacks 'amount'"),
            (#"{"mark":"sent","amount":-1}"#, "an amount is not negative"),
            (#"{"draw":"dice","index":0,"count":1025}"#, "draw 1 to 1024"),
            (#"{"write":"k","value":7}"#, "'value' of an order is no text"),
            (#"{"http":"a","to":"moon","path":"/"}"#, "it asks 'moon'; there is api"),
            (#"{"http":"a","to":"api","path":"x"}"#, "a path begins with '/'"),
            (#"{"http":"a","to":"api","path":"/","method":"BREW"}"#, "it asks by 'BREW'"),
            (#"{"http":"a","to":"api","path":"/","timeout":-1}"#, "it waits -1 ns for an answer"),
            (#"{"http":"a","to":"api","path":"/","header":{}}"#, "not 'header'"),
            (#"{"http":"a","to":"api","path":"/","headers":{"Host":"x"}}"#, "the header 'Host'"),
            (#"{"http":"a","to":"api","path":"/","headers":{"a b":"x"}}"#, "a token of RFC 9110"),
            (#"{"http":"a","to":"api","path":"/","headers":{"a":1}}"#, "no text of one line"),
            (#"{"http":"","to":"api","path":"/"}"#, "a name has 1 to 256"),
            (#"{"notify":"n","after":0}"#, "is due after 0 ns; a delay is positive"),
            (#"{"notify":"n","after":-5}"#, "is due after -5 ns; a delay is positive"),
            (#"{"notify":""}"#, "a name has 1 to 256"),
            (#"{"notify":"n"},{"notify":"n","after":9}"#, "the notification 'n' twice"),
            (
                #"{"http":"a","to":"api","path":"/"},{"http":"a","to":"api","path":"/"}"#,
                "it asks 'a'; a name is no other's under way"
            ),
        ]
    )
    func orders(order: String, reason: String) {
        let text = GuestStory.fault(of: GuestStory.once(order))
        #expect(text.contains(reason), "\(text)")
        #expect(text.contains("\n  < {\"turn\": 1, \"do\": [{"), "its line is not quoted: \(text)")
    }

    @Test("A body of more than a mebibyte is refused, and one of just that is not")
    func bodies() throws {
        func read(_ bytes: Int) throws(GuestFault) -> [GuestEffect] {
            let body = String(repeating: "x", count: bytes)
            let order = #"{"http":"a","to":"api","path":"/","body":"\#(body)"}"#
            return try GuestEffect.read(#"{"turn":1,"do":[\#(order)]}"#, turn: 1)
        }
        #expect(try read(1 << 20).count == 1)
        let fault = #expect(throws: GuestFault.self) { try read(1 << 20 + 1) }
        #expect(fault?.reason.contains("a body of 1048577 bytes") ?? false)
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
