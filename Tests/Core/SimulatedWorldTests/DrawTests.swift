import AppCoordination
@testable import KodamaEvidence
@testable import KodamaIntercom
@testable import KodamaLanguage
@testable import KodamaPhone
@testable import KodamaSession
@testable import KodamaSimulation
@testable import KodamaWorld
import RealtimeVoice
import SansIO
import Testing

@Suite("Who draws what")
struct DrawTests {
    private static let share = FaultMixPlan.Share(
        Chance("pause", "Nothing, for a while.") {
            $0.end = $0.begin.advanced(by: $0.seconds(1...9))
        },
        weight: 1
    )

    private static func mix(_ act: some SystemAct) -> FaultMixPlan {
        let chance = Chance("act", "Something.") { draw in
            draw.add(act, to: "mika-phone", at: draw.begin)
        }
        return FaultMixPlan(
            phone: "mika-phone",
            shares: [.init(chance, weight: 1), share],
            meanGap: .seconds(5),
            from: .zero,
            until: .seconds(600)
        )
    }

    @Test(
        "Two mixes of faults of one phone draw different figures, and a second leaves the first as it was"
    )
    func mixes() {
        var plan = WorldPlan.session(lasting: .seconds(600))
        let act = PhoneAct.radio(.wifi, isUp: false, .immediate)
        plan.faults = [Self.mix(act)]
        let alone = RandomFaults.occurrences(of: plan, seed: 3).map(\.instant)
        plan.faults.append(Self.mix(act))
        let both = RandomFaults.occurrences(of: plan, seed: 3).map(\.instant)
        #expect(alone.count > 20)
        #expect(alone.allSatisfy { instant in both.count { $0 == instant } == 1 })
        #expect(both.count > alone.count + 20)
    }

    @Test(
        "Two apps of one phone take their own time to be launched, whichever others are installed"
    )
    func launches() {
        var phone = PhonePlan(name: "mika-phone")
        func launches(_ seed: UInt64) -> [String: UInt64] {
            let draws = Cast.installed(on: phone, seed: seed).map { $0.launches.bits(at: 0) }
            return Dictionary(uniqueKeysWithValues: zip(phone.apps.map(\.name), draws))
        }
        phone.apps = [AppPlan(SessionAppPlan(), start: .closed)]
        let alone = launches(1)
        phone.apps.insert(AppPlan(IntercomAppPlan(), start: .closed), at: 0)
        let both = launches(1)
        #expect(both["session"] == alone["session"])
        #expect(both["intercom"] != both["session"])
    }

    @Test("A phone connects with its 65,537th room object as with its first one")
    func manyRooms() throws {
        func run(after count: UInt32) throws -> [MetricResult] {
            let plan = WorldPlan.session(.reachability, lasting: .seconds(20))
            var world = try World(plan: plan, seed: 4, material: nil)
            for app in world.cast.phones.compactMap({ $0.app(SessionApp.self) }) {
                app.roomCount = count
            }
            var meter = RunMeter()
            try world.run(into: &meter)
            return meter.metrics
        }
        func connects(_ metrics: [MetricResult]) -> Int? {
            guard
                case .distribution(let values) = metrics.first(where: {
                    $0.name == "session.connect.time"
                })?.value
            else { return nil }
            return values.count
        }
        for count in [0, 16_383, 65_535, 65_536, 1_000_000] as [UInt32] {
            #expect(connects(try run(after: count)) == 1, "\(count)")
        }
    }
}
