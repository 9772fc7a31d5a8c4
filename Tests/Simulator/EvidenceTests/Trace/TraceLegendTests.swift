@testable import Evidence
import Models
import PeerTransport
import RealtimeVoice
import Scenarios
import Testing

@Suite("The words that traces have for numbers")
struct TraceLegendTests {
    @Test("They are what the numbers' owners call them")
    func owners() {
        expect(.scenePhase, ScenePhase.self)
        expect(.stage, SessionStage.self)
        expect(.interface, NetworkInterface.self)
        expect(.roomError, RoomError.self)
        expect(.roomState, ConnectionState.self)
        expect(.detection, DetectionCause.self)
        expect(.attemptKind, AttemptKind.self)
        expect(.attemptFailure, AttemptFailure.self)
        expect(.userAct, SessionAction.self)
        expect(.disconnectReason, DisconnectReason.self)
        expect(.path, TransportPath.self)
        expectNames(.packetContent) { PacketContent(rawValue: $0) }
        expectNames(.dropReason) { DropReason(rawValue: $0) }
        expectNames(.concealmentMeans) { ConcealmentMeans(rawValue: $0) }
        expectNames(.discardReason) { JitterBuffer.DiscardReason(rawValue: $0) }
    }

    @Test("No word stands twice in a legend, and none reads as a number")
    func distinct() {
        for kind in TraceKind.descriptions {
            for legend in kind.fields.compactMap(\.legend) {
                #expect(Set(legend.words).count == legend.words.count, "\(kind.name)")
                #expect(legend.words.allSatisfy { Int64($0) == nil }, "\(kind.name)")
            }
        }
    }

    /// The legend has a word for each number of the owner, and but one more: for none, at -1.
    private func expect<Owner>(_ legend: TraceLegend, _ owner: Owner.Type)
    where Owner: CaseIterable & RawRepresentable, Owner.RawValue: BinaryInteger {
        for value in Owner.allCases {
            #expect(legend.word(of: Int64(value.rawValue)) == Self.hyphenated("\(value)"))
        }
        let none = legend.first == -1 ? ["none"] : []
        #expect(legend.words.count == Owner.allCases.count + none.count, "\(owner)")
        #expect(legend.words.prefix(none.count) == none[...], "\(owner)")
    }

    private func expectNames(_ legend: TraceLegend, _ value: (Int64) -> Any?) {
        for (number, word) in legend.words.enumerated() {
            #expect(value(Int64(number)).map { Self.hyphenated("\($0)") } == word)
        }
        #expect(value(Int64(legend.words.count)) == nil)
    }

    private static func hyphenated(_ name: String) -> String {
        name.reduce(into: "") { words, letter in
            words += letter.isUppercase ? "-\(letter.lowercased())" : "\(letter)"
        }
    }
}
