package import KodamaLanguage
import KodamaNetwork
package import KodamaPhone
import KodamaSimulation
package import SansIO

extension Cast {
    /// Makes a phone's system, with its apps.
    package static func system(of phone: PhonePlan, in plan: WorldPlan, seed: UInt64) -> PhoneSystem
    {
        PhoneSystem(
            apps: installed(on: phone, seed: seed),
            interfaces: phone.radios.map { ($0.interface, isUp: $0.isUp) },
            start: plan.wallClock,
            condition: phone.condition,
            configuration: phone.system
        )
    }

    /// The apps on a phone, each with a launch time drawn from the seed.
    package static func installed(on phone: PhonePlan, seed: UInt64) -> [InstalledApp] {
        phone.apps.map { app in
            // Of the app and not of the phone: two apps of one phone are launched independently.
            let component = AppPlan.component(app.name, on: phone.name)
            return InstalledApp(
                launches: RandomStream(seed: seed, purpose: "launch", entity: component),
                microphone: phone.condition.microphone
            )
        }
    }

    /// Both directions of every link, forward before backward: the links between phones, then radios.
    package static func directions(of plan: WorldPlan, seed: UInt64) -> [LinkEnd] {
        let radios = plan.phones.flatMap { phone in
            phone.radios.map { ("\(phone.name)/\($0.interface)", $0.profile) }
        }
        let links = plan.links.map { ($0.name, $0.profile) } + radios
        return links.enumerated().flatMap { position, link in
            let (name, profile) = link
            return [("forward", profile.forward), ("backward", profile.backward)]
                .enumerated().map { side, direction in
                    LinkEnd(
                        link: Link(direction.1, seed: seed, name: "\(name) \(direction.0)"),
                        source: EventSource(
                            rank: DeliveryRank.packet,
                            component: 2 * position + side
                        )
                    )
                }
        }
    }
}

extension WorldPlan {
    /// The true time when the run begins: a day that never changes, at the plan's time of day.
    package var wallClock: WallTime {
        // 2026-01-01, in nanoseconds since 1970.
        WallTime(nanosecondsSince1970: 1_767_225_600_000_000_000 + timeOfDay.wholeNanoseconds)
    }
}
