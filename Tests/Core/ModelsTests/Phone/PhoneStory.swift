@testable import KodamaPhone
import RealtimeVoice
import SansIO
import SansIOTesting

/// What the stories of a phone with one app begin with and speak of.
protocol PhoneStory {}

extension PhoneStory {
    static var app: AppID { AppID(0) }
    static var operation: OperationID { OperationID(number: 1) }
    static var wifi: InterfaceLease { InterfaceLease(.wifi, lease: 0) }
    static var cellular: InterfaceLease { InterfaceLease(.cellular, lease: 0) }

    /// A phone that launches its apps in 0.6 s.
    static func phone(
        _ condition: PhoneCondition = PhoneCondition(),
        wifi isUp: Bool = true,
        appCount: Int = 1
    ) -> PhoneSystem {
        PhoneSystem(
            apps: Array(
                repeating: InstalledApp(
                    launches: AppProcessTests.launches,
                    microphone: condition.microphone
                ),
                count: appCount
            ),
            interfaces: [(.cellular, isUp: true), (.wifi, isUp: isUp)],
            condition: condition,
            configuration: AppProcessTests.configuration
        )
    }

    /// A story that begins with the app in front.
    func launched(
        _ condition: PhoneCondition = PhoneCondition(),
        wifi isUp: Bool = true
    ) throws -> Transcript<PhoneSystem> {
        var story = Transcript(Self.phone(condition, wifi: isUp))
        try story.expect(.user(.openApp(Self.app)), at: .zero) { PhoneEffect.launch(Self.app) }
        try story.expectWake(at: .milliseconds(600)) {
            inform(.launched(.user))
            clock(600)
            inform(.path(.satisfied(isUp ? .wifi : .cellular)))
            inform(.scene(.active))
        }
        return story
    }

    /// A story whose app was left at 10 s and suspended at 15.3 s.
    func suspended() throws -> Transcript<PhoneSystem> {
        var story = try launched()
        try story.expect(.user(.leaveApp), at: .seconds(10)) { inform(.scene(.inactive)) }
        try story.expectWake(at: .milliseconds(10_300)) { inform(.scene(.background)) }
        try story.expectWake(at: .milliseconds(15_300)) { PhoneEffect.suspend(Self.app) }
        return story
    }

    func inform(_ news: SystemNews) -> PhoneEffect { .inform(Self.app, news) }

    func clock(_ milliseconds: Int64) -> PhoneEffect {
        inform(.clock(WallTime(nanosecondsSince1970: milliseconds * 1_000_000)))
    }

    func answer(_ answer: SystemAnswer) -> PhoneEffect {
        inform(.answer(Self.operation, answer))
    }

    func ordered(_ order: SystemOrder) -> PhoneEvent { .ordered(Self.app, order) }
}
