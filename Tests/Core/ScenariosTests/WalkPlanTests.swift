@testable import KodamaLanguage
@testable import KodamaPhone
@testable import KodamaSimulation
import RealtimeVoice
import SansIO
import Testing

@Suite("From scenario to plan: people who walk (D-09)")
struct WalkPlanTests {
    private static let text = """
        version: 2
        scenario: trail
        duration: 600s
        voice: sized
        phones:
          - name: mika-phone
            radios: { cellular: { profile: lte-good } }
            apps: { intercom: { group: ridge, secured: true } }
          - { name: taro-phone, apps: { intercom: { group: ridge, secured: true } } }
        links:
          - { between: [mika-phone, taro-phone], profile: local-clean }
        people:
          - { name: mika, holds: mika-phone }
        walks:
          - person: mika
            speed: 3.6km/h
            way:
              - { east: 5m, stay: 10s }
              - { east: 105m, speed: 2m/s }
              - { east: 105m, north: 1km }
            gaps:
              - { radio: cellular, from: 100m, to: 200m }
        expect:
          - metric: voice.duplicates.played
            value: "== 0"

        """

    private static func codes(_ old: String, _ new: String) -> [String] {
        let text = Self.text.replacing(old, with: new)
        do {
            _ = try Fixture.loader.load(text: text, file: "trail.yaml")
            return []
        } catch {
            return error.diagnostics.map(\.code)
        }
    }

    @Test("A walk is its way points, and its phone's place at every time")
    func walk() throws {
        let plan = try Fixture.loader.load(text: Self.text, file: "trail.yaml").plan
        let walk = try #require(plan.walks.first)
        #expect(walk.phone == "mika-phone" && walk.walk.lengthMillimetres == 1_100_000)
        // 10 s of rest, 50 s of 2 m/s, then 1 m/s.
        let position = walk.walk.position(at: Instant(nanoseconds: 70_000_000_000))
        #expect(position == Position(eastMillimetres: 105_000, northMillimetres: 10_000))
    }

    @Test("A gap in the coverage takes the radio down where it begins, and up where it ends")
    func gaps() throws {
        let plan = try Fixture.loader.load(text: Self.text, file: "trail.yaml").plan
        func entry(isUp: Bool, at seconds: Int64) -> TimelineEntry {
            let notice = PathNotice(delay: .zero, breaksSockets: true)
            let act = PhoneAct.radio(.cellular, isUp: isUp, notice)
            return TimelineEntry(act, to: "mika-phone", trigger: .at(.seconds(seconds)))
        }
        #expect(plan.timeline == [entry(isUp: false, at: 60), entry(isUp: true, at: 160)])
    }

    private static let ridge =
        "ridges:\n  - { from: { east: -5m }, to: { east: 5m, north: 2m }, height: 12m }\nexpect:"

    @Test("A ridge is its crest and its height, and none stands where nobody walks")
    func ridges() throws {
        let text = Self.text.replacing("expect:", with: Self.ridge)
        let plan = try Fixture.loader.load(text: text, file: "trail.yaml").plan
        let ridge = Ridge(
            start: Position(eastMillimetres: -5_000, northMillimetres: 0),
            end: Position(eastMillimetres: 5_000, northMillimetres: 2_000),
            heightMillimetres: 12_000
        )
        #expect(plan.ridges == [ridge])
        #expect(
            Self.codes("expect:", Self.ridge.replacing("5m, north: 2m", with: "-5m"))
                == ["empty-ridge"]
        )
        let walks = try #require(text.firstRange(of: "walks:"))
        let rest = try #require(text.firstRange(of: "ridges:"))
        let still = String(text[..<walks.lowerBound] + text[rest.lowerBound...])
        let warnings = try Fixture.loader.load(text: still, file: "trail.yaml").warnings
        #expect(warnings.map(\.code).contains("order-in-vain"), "\(warnings)")
    }

    @Test("What no way can be is refused by its name")
    func refused() {
        #expect(Self.codes("from: 100m, to: 200m", "from: 200m, to: 200m") == ["empty-gap"])
        #expect(Self.codes("from: 100m, to: 200m", "from: 2km, to: 3km") == ["beyond-way"])
        #expect(Self.codes("radio: cellular, from", "radio: wifi, from") == ["no-radio"])
        #expect(Self.codes("3.6km/h", "3.6") == ["missing-unit"])
        #expect(Self.codes("3.6km/h", "3.6mph") == ["unknown-unit"])
        let twice = "walks:\n  - { person: mika, speed: 1m/s, way: [{}] }\n"
        #expect(Self.codes("walks:\n", twice) == ["walks-twice"])
    }

    @Test(
        "Five minutes written as 5m are still answered by 5min, though m is now a unit too (HN-02)"
    )
    func minutes() {
        #expect(Self.codes("duration: 600s", "duration: 10m") == ["unknown-unit"])
    }
}
