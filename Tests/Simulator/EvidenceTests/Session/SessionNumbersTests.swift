import Evidence
import Models
import RealtimeVoice
import Scenarios
import Testing

@Suite("The numbers that session records carry")
struct SessionNumbersTests {
    @Test("The user's acts are numbered as scenarios number them")
    func acts() {
        #expect(UserAct.allCases.map(\.rawValue) == SessionAction.allCases.map(\.rawValue))
        #expect(
            UserAct.allCases.map { "\($0)" } == SessionAction.allCases.map { "\($0)" }
        )
    }

    @Test("Stages, errors, reasons and attempts bear their owners' numbers")
    func others() {
        #expect(LiveStage.allCases.map { "\($0)" } == names(LiveStage.self, SessionStage.self))
        #expect(FinalError.allCases.map { "\($0)" } == names(FinalError.self, RoomError.self))
        #expect(
            RightfulClose.allCases.map { "\($0)" }
                == names(RightfulClose.self, DisconnectReason.self)
        )
        #expect(
            TracedAttempt.allCases.map { "\($0)" } == names(TracedAttempt.self, AttemptKind.self)
        )
        #expect(TracedAttempt.allCases.count == AttemptKind.allCases.count)
    }

    /// What the owner calls the numbers.
    private func names<Number, Owner>(_ numbers: Number.Type, _ owner: Owner.Type) -> [String]
    where
        Number: CaseIterable & RawRepresentable<Int64>,
        Owner: RawRepresentable<Int64>
    {
        Number.allCases.map { Owner(rawValue: $0.rawValue).map { "\($0)" } ?? "-" }
    }
}
