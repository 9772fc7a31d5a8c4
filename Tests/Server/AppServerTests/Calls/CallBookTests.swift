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
            caller: UserName("mika"),
            callerName: "Mika",
            callee: UserName("taro"),
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

    private static let now = WallTime(secondsSince1970: 1_800_000_000)

    private static func call(
        _ callId: String,
        _ caller: String,
        _ state: CallRecord.State = .ringing
    ) -> CallRecord {
        CallRecord(
            callId: callId,
            caller: UserName(caller),
            callerName: caller,
            callee: UserName("taro"),
            room: "room",
            hasVideo: false,
            expiresAt: now.advanced(by: CallBook.ringTime),
            state: state
        )
    }

    @Test("10,000 calls of one caller push out none of another's, and none of theirs that goes on")
    func bounds() {
        var book = CallBook()
        book.keep(Self.call("live", "mika", .answered(by: "phone")))
        book.keep(Self.call("rings", "mika"))
        book.keep(Self.call("own", "mallory", .answered(by: "phone")))
        for number in 0..<10_000 {
            #expect(book.hasRoom(for: UserName("mallory"), at: Self.now) == true)
            book.keep(Self.call("m\(number)", "mallory", .ended(.cancelled, by: nil)))
        }
        for callId in ["live", "rings", "own", "m9999"] {
            #expect(book.call(callId, at: Self.now) != nil, "\(callId)")
        }
        let count = (0..<10_000).count { book.call("m\($0)", at: Self.now) != nil }
        #expect(count == CallBook.callsPerCallerMax - 1)
    }

    @Test("The many changes of one caller's calls push out no change of another's")
    func changesOfMany() {
        var book = CallBook()
        for number in 0..<300 { book.keep(Self.call("c\(number)", "guest \(number)")) }
        for number in 0..<10_000 {
            book.keep(Self.call("m\(number)", "mallory", .ended(.cancelled, by: nil)))
        }
        for _ in 0..<2 {
            let changed = book.takeChanges(at: Self.now).map(\.callId)
            #expect(changed.prefix(300) == (0..<300).map { "c\($0)" }[...])
            #expect(changed.count == 300 + CallBook.callsPerCallerMax && changed.last == "m9999")
            #expect(book.takeChanges(at: Self.now).isEmpty)
            for callId in changed { _ = book.call(callId, at: Self.now).map { book.keep($0) } }
        }
    }

    @Test("Who has as many calls as are kept going on has no room for another until one is over")
    func full() {
        var book = CallBook()
        let mallory = UserName("mallory")
        for number in 0..<CallBook.callsPerCallerMax {
            #expect(book.hasRoom(for: mallory, at: Self.now) == true)
            book.keep(Self.call("m\(number)", "mallory", .answered(by: "phone")))
        }
        #expect(book.hasRoom(for: mallory, at: Self.now) == false)
        #expect(book.hasRoom(for: UserName("mika"), at: Self.now) == true)
        // No call goes on for more than a day that neither side ends.
        let later = Self.now.advanced(by: CallBook.ringTime + CallBook.talkTimeMax)
        #expect(book.hasRoom(for: mallory, at: later) == true)
        book.keep(Self.call("m7", "mallory", .ended(.hungUp, by: "phone")))
        #expect(book.hasRoom(for: mallory, at: Self.now) == true)
    }

    @Test("1,000 missed calls of one caller push out none of another's (VP-07)")
    func missed() {
        var book = CallBook()
        for number in 0..<1_200 {
            let isReal = number % 200 == 7
            let call = Self.call("c\(number)", isReal ? "mika" : "mallory")
            book.keep(call)
            book.end(call, .cancelled, by: nil, at: Self.now.advanced(by: .seconds(number)))
        }
        var position: Int64 = 0
        var found: [MissedCallRecord] = []
        let now = Self.now.advanced(by: .seconds(1_200))
        while true {
            let page = book.missed(by: UserName("taro"), after: position, at: now)
            guard let last = page.last else { break }
            found += page
            position = last.sequence
        }
        #expect(found.count == CallBook.missedMax)
        #expect(found.filter { $0.caller.text == "mika" }.count == 6)
        #expect(found.last?.callId == "c1199")
    }
}
