import SansIO
import Testing

@testable import RealtimeVoice

@Suite("The microphone's track (RS-04, K-22)")
struct MicrophoneControlTests {
    private static func at(_ seconds: Int64) -> Instant {
        Instant(nanoseconds: seconds * 1_000_000_000)
    }

    /// A track whose mute the SDK has confirmed at 0 s.
    private static func muted() -> MicrophoneControl {
        var control = MicrophoneControl()
        var operations = OperationCounter()
        _ = control.settle(isEnabled: false, at: at(0), operations: &operations)
        control.finished(OperationID(number: 1), nil, countsPackets: true, at: at(0))
        return control
    }

    @Test("A muted track that sends again, long after, is muted again a second later")
    func sendsAgain() {
        var control = Self.muted()
        for second in 1...9 as ClosedRange<Int64> {
            control.observe(packetsSent: 0, isTelling: true, at: Self.at(second))
        }
        control.observe(packetsSent: 50, isTelling: true, at: Self.at(10))
        #expect(control.state == .confirmed(isEnabled: false), "it may tell of the time before")
        control.observe(packetsSent: 100, isTelling: true, at: Self.at(11))
        #expect(control.state == .unknown && control.isFailing)
        var operations = OperationCounter()
        let order = control.settle(isEnabled: false, at: Self.at(11), operations: &operations)
        #expect(order == .setMicrophone(OperationID(number: 1), isEnabled: false))
    }

    @Test("The odd packet of silence does not count, and a quiet second begins the count anew")
    func quiet() {
        var control = Self.muted()
        var sent: Int64 = 0
        for second in 1...30 as ClosedRange<Int64> {
            sent += second.isMultiple(of: 2) ? 50 : MicrophoneControl.mutedPacketsMax
            control.observe(packetsSent: sent, isTelling: true, at: Self.at(second))
        }
        #expect(control.state == .confirmed(isEnabled: false) && !control.isFailing)
    }
}
