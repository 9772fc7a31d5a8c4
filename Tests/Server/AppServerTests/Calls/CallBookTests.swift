import SansIO
import Testing

@testable import AppServer

@Suite("The server's memory of calls (VP-05)")
struct CallBookTests {
    @Test("A call that changed twice since somebody asked is told once, as it stands")
    func changes() {
        let now = WallTime(nanosecondsSince1970: 1_000_000_000_000_000_000)
        var book = CallBook()
        var call = CallRecord(
            callId: "call-1",
            caller: "mika",
            callerName: "Mika",
            callee: "taro",
            room: "room-1",
            hasVideo: false,
            expiresAt: now.advanced(by: CallBook.ringTime)
        )
        book.keep(call)
        call.state = .answered(by: "phone-1")
        book.keep(call)
        #expect(book.takeChanges(at: now) == [call])
        #expect(book.takeChanges(at: now).isEmpty)
    }
}
