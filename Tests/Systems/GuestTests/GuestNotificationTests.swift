import KodamaEvidence
import KodamaHarness
import KodamaLanguage
import Testing

@testable import KodamaGuest

@Suite("A guest's notifications come by the phone's centre, whether it runs or not (HN-07)")
struct GuestNotificationTests {
    private typealias Story = GuestStory

    private static let later = #"{"notify":"n","after":10000000000}"#
    private static let tap = "{ at: 15s, do: { user: { of: mika, does: tap-notification } } }"

    private func fates(_ story: GuestStory) -> [NotificationFate?] {
        story.records(GuestNotified.self).map(\.fate.value)
    }

    @Test("One comes although the process is dead, and its tap launches the guest and names it")
    func dead() throws {
        let runs = try (0..<2).map { _ in
            try Story(
                Story.once(Self.later),
                timeline: ["{ at: 5s, do: { user: { of: mika, does: kill-app } } }", Self.tap]
            )
        }
        #expect(fates(runs[0]) == [.shown, .tapped])
        #expect(runs[0].told("tapped") == [#","id":"n"}"#])
        #expect(runs[0].told("notified").isEmpty)
        let launched = try #require(runs[0].lines.lastIndex { $0.contains("\"launched\"") })
        let tapped = try #require(runs[0].lines.firstIndex { $0.contains("\"tapped\"") })
        #expect(launched > 0 && tapped > launched)
        #expect(try runs[0].count("guest.notifications.shown") == 1)
        #expect(runs[0].outcome.transcripts == runs[1].outcome.transcripts)
    }

    @Test("A suspended guest hears nothing when one comes, and is resumed by the tap")
    func suspended() throws {
        let story = try Story(
            Story.once(Self.later),
            timeline: ["{ at: 1s, do: { user: { of: mika, does: leave-app } } }", Self.tap]
        )
        #expect(fates(story) == [.shown, .tapped])
        let resumed = try #require(story.lines.firstIndex { $0.contains("\"resumed\"") })
        let tapped = try #require(story.lines.firstIndex { $0.contains("\"tapped\"") })
        #expect(tapped > resumed)
        #expect(!story.lines[..<resumed].contains { $0.contains("\"notified\"") })
    }

    @Test("A guest in front is told that one comes; where none is in the list nothing is tapped")
    func front() throws {
        let story = try Story(Story.once(#"{"notify":"n"}"#))
        #expect(story.told("notified") == [#","id":"n"}"#])
        #expect(fates(story) == [.shown])
        let empty = try Story(Story.once(), timeline: [Self.tap])
        #expect(empty.told("tapped").isEmpty && fates(empty).isEmpty)
    }

    @Test("Of more than 64 that wait the last due is dropped, and no error says so")
    func limit() throws {
        let orders = (1...65).map { #"{"notify":"\#($0)","after":\#($0)00000000}"# }
        let story = try Story(Story.odd("once") + " '[\(orders.joined(separator: ","))]'")
        #expect(fates(story).count { $0 == .overLimit } == 1)
        #expect(try story.count("guest.notifications.dropped") == 1)
        #expect(try story.count("guest.notifications.shown") == 64)
        #expect(!story.told("notified").contains(#","id":"65"}"#))
    }

    @Test("One that is taken back, or that the user does not allow, never comes")
    func withheld() throws {
        let cancelled = try Story(Story.once(Self.later, #"{"cancel":"n"}"#))
        #expect(fates(cancelled).isEmpty)
        let denied = try Story(Story.once(Self.later), notifications: "denied")
        #expect(fates(denied) == [.notAllowed])
        #expect(try denied.count("guest.notifications.shown") == 0)
    }

    @Test("One of the same name takes the place of one that waits")
    func replaced() throws {
        let story = try Story(Story.odd("renotifies"))
        #expect(fates(story) == [.shown])
        let line = try #require(story.lines.first { $0.contains("\"notified\"") })
        #expect(line.contains("\"now\":12") || line.contains("\"now\":13"))
    }
}
