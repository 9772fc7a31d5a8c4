@testable import KodamaEvidence
@testable import KodamaIntercom
@testable import KodamaSession
import PeerTransport
import RealtimeVoice
import SansIO
import Testing
import VoiceActivity

@Suite("The forms of records")
struct TraceFormTests {
    private static let forms: [any TraceForm.Type] = EvidenceSystem.shipped.flatMap(\.forms)

    @Test(
        "Each form is as large as its fields, at most 32 bytes, so that no padding is in a record"
    )
    func sizes() {
        func size<Form: TraceForm>(_ form: Form.Type) -> Int { MemoryLayout<Form>.size }
        for form in Self.forms {
            #expect(size(form) == 8 * form.text.fields.count, "\(form.text.name)")
            #expect(size(form) <= 32, "\(form.text.name)")
        }
        #expect(MemoryLayout<TraceRecord>.size == 64)
        #expect(MemoryLayout<ComponentIndex>.size == 4)
    }

    @Test("No two forms share a kind or a name, and each can be found by both")
    func unique() {
        let registered = Systems.shipped.forms
        #expect(registered.entries.count == Self.forms.count)
        #expect(Set(Self.forms.map { $0.kind }).count == Self.forms.count)
        #expect(Set(Self.forms.map { $0.text.name }).count == Self.forms.count)
        for form in Self.forms {
            #expect(registered[form.kind].text.name == form.text.name)
            #expect(registered.kind(named: form.text.name) == form.kind)
        }
        #expect(registered.kind(named: "frame.eaten") == nil)
    }

    @Test("What is between a record's values never reaches its digest (HN-01)")
    func padding() {
        let record = TraceRecord(
            FrameConcealed(index: 1, samples: 2, heard: .ns(3), means: TraceWord(.repaired)),
            at: .ns(5),
            of: ComponentIndex(1),
            about: ComponentIndex(0)
        )
        let digests = [UInt8.min, .max].map { filling in
            let memory = UnsafeMutablePointer<TraceRecord>.allocate(capacity: 1)
            defer { memory.deallocate() }
            UnsafeMutableRawPointer(memory).initializeMemory(
                as: UInt8.self,
                repeating: filling,
                count: MemoryLayout<TraceRecord>.stride
            )
            memory.pointee.instant = record.instant
            memory.pointee.kind = record.kind
            memory.pointee.component = record.component
            memory.pointee.subject = record.subject
            memory.pointee.values = record.values
            var digest = TraceDigest()
            digest.begin(TraceDirectory(names: ["a", "b"], systems: .shipped))
            digest.record(memory.pointee)
            return digest.run
        }
        #expect(digests[0] == digests[1])
    }

    @Test("A record's values are the form's, in their order, and come back by their names")
    func values() {
        let form = FrameConcealed(
            index: 7,
            samples: 960,
            heard: .ns(40),
            means: TraceWord(.repaired)
        )
        let record = TraceRecord(form, at: .ns(30), of: ComponentIndex(2), about: ComponentIndex(3))
        #expect(record.values == SIMD4(7, 960, 40, 1))
        #expect(record.kind == TraceKind(.intercom, 12))
        let back = FrameConcealed(record)
        #expect(back.index == 7 && back.samples == 960 && back.heard == .ns(40))
        #expect(back.means.value == .repaired)
        let short = TraceRecord(
            FrameDiscarded(index: 9, reason: TraceWord(.late)),
            at: .zero,
            of: .none
        )
        #expect(short.values == SIMD4(9, 0, 0, 0))
        #expect(short.subject == .none)
        #expect(TraceRecord(RunEnded(), at: .zero, of: .none).values == .zero)
    }

    @Test("The form of another kind cannot be read from a record")
    func otherKind() async {
        await #expect(processExitsWith: .failure) {
            let record = TraceRecord(RunEnded(), at: .zero, of: .none)
            _ = GroupJoined(record)
        }
    }

    @Test("Words are the names of their owners' cases, with hyphens")
    func words() {
        func words(_ name: String) -> [String?] {
            let kind = Systems.shipped.forms.kind(named: name)
            return kind.map { Systems.shipped.forms[$0].text.fields.map { $0.words?.words.first } }
                ?? []
        }
        #expect(words("gate.changed") == ["idle"])
        #expect(words("path.noticed") == ["none"])
        #expect(words("connect.ended") == [nil, "none"])
        #expect(words("token.answered") == [nil, "malformed"])
        let names = [
            "silentAPI": "silent-api", "iceBlocked": "ice-blocked", "stopped": "stopped",
            "sipTrunkFailure": "sip-trunk-failure", "SDKLeft": "sdk-left", "": "",
        ]
        for (name, word) in names { #expect(Hyphenation.words(of: name) == word) }
    }

    @Test("No word stands twice in a field, and none reads as a number")
    func distinct() {
        for entry in Systems.shipped.forms.entries {
            for words in entry.text.fields.compactMap(\.words?.words) {
                #expect(Set(words).count == words.count, "\(entry.text.name)")
                #expect(words.allSatisfy { Int64($0) == nil }, "\(entry.text.name)")
            }
        }
    }

    @Test("A number stands for the case of that raw value, −1 for none, others for themselves")
    func numbers() {
        #expect(TraceWord<RoomError>(.network).value == .network)
        #expect(TraceWord<RoomError>(nil).number == -1)
        #expect(TraceWord<RoomError>(nil).value == nil)
        #expect(TraceWord<NetworkInterface>(number: 300).value == nil)
        #expect(TraceWord<TokenFailure>(number: 200).value == nil)
        #expect(TraceWord<TokenFailure>(.offline).number == -1)
        #expect(TraceWord(TalkGate.State.release(quietFrames: 1).phase).value == .release)
        #expect(TraceFlag(true).number == 1 && TraceFlag(true).isSet && !TraceFlag(false).isSet)
    }
}
