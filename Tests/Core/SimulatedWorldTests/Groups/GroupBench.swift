import KodamaShipped
@testable import KodamaEvidence
@testable import KodamaIntercom
@testable import KodamaLanguage
@testable import KodamaPhone
@testable import KodamaSimulation
@testable import KodamaWorld
import PeerTransport
import RealtimeVoice
import SansIO

/// Phones with the intercom of groups on a stage: a world whose time a test moves.
struct GroupBench: ~Copyable {
    let cast: Cast
    var stage: Stage
    private let components: [any Component]
    private var recorder: TraceRecorder
    private var pauses: EventSource

    init(
        _ groups: [String],
        radio: LinkDirection? = .after(.milliseconds(8)),
        internet: LinkDirection? = nil,
        talk: Bool = false,
        seed: UInt64 = 1
    ) throws {
        let plan = WorldPlan.groups(groups, radio: radio, internet: internet, talk: talk)
        cast = try Cast(of: plan, seed: seed, material: nil, taps: [:])
        let network = Network(
            directions: Cast.directions(of: plan, seed: seed),
            radios: cast.phones.map(\.radios),
            keepsBytes: false,
            linkIndices: nil
        )
        stage = Stage(seed: seed, network: network, tieShuffleSeed: nil)
        components = cast.components
        recorder = TraceRecorder(scenario: "bench", seed: seed)
        pauses = EventSource(rank: DeliveryRank.server, component: components.count)
        recorder.begin(TraceDirectory(names: components.map(\.name), systems: .shipped))
        for person in cast.people { person.scheduleSpeech(on: &stage) }
        for phone in cast.phones { phone.begin(on: &stage) }
        stage.settle()
    }

    /// The app of a phone.
    func app(_ phone: Int) -> GroupApp {
        guard let app = cast.phones[phone].app(GroupApp.self) else {
            preconditionFailure("every phone of the bench has the app")
        }
        return app
    }

    mutating func run(to end: Duration) {
        let end = Instant.zero.advanced(by: end)
        // A delivery to nobody ends the stretch: what lies behind it stays in the queue.
        let nobody = ComponentIndex(components.count)
        stage.push(Delivery(to: nobody, 0), at: pauses.key(at: end))
        while let delivery = stage.next(before: Instant(nanoseconds: .max - 2)),
            components.indices.contains(delivery.receiver)
        {
            components[delivery.receiver].deliver(delivery, on: &stage)
            stage.settle()
        }
        stage.flush(into: &recorder, all: true)
    }

    mutating func does(_ action: UserAction, at phone: Int) {
        cast.phones[phone].hear(.user(action), on: &stage)
        stage.settle()
    }

    mutating func undergo(_ act: IntercomAct, at phone: Int) {
        app(phone).undergo(act, on: &stage)
        stage.settle()
    }

    /// The records of one kind.
    func records<Form: TraceForm>(_ form: Form.Type) -> [TraceRecord] {
        recorder.trace.records.filter { $0.kind == Form.kind }
    }

    /// The connections of an app that stand.
    func connections(_ phone: Int, _ path: TransportPath) -> [GroupConnection] {
        app(phone).connections.filter { $0.path == path }
    }
}

extension WorldPlan {
    /// Phones with the intercom of groups, each pair with a radio link, the first one's user talking.
    static func groups(
        _ groups: [String],
        radio: LinkDirection?,
        internet: LinkDirection?,
        talk: Bool
    ) -> WorldPlan {
        var plan = WorldPlan(name: "groups", duration: .seconds(3_600), systems: .shipped)
        plan.voice = .sized
        for (number, group) in groups.enumerated() {
            var app = IntercomAppPlan()
            app.group = group
            app.isSecured = true
            var phone = PhonePlan(name: "phone-\(number)")
            phone.apps = [AppPlan(app, start: .open)]
            if let internet {
                let profile = LinkProfile(
                    name: "internet",
                    summary: "",
                    source: "",
                    forward: internet,
                    backward: internet
                )
                phone.radios = [RadioPlan(.cellular, profile: profile)]
            }
            plan.phones.append(phone)
            plan.people.append(PersonPlan(name: "person-\(number)", phone: phone.name))
        }
        for first in groups.indices where radio != nil {
            for second in first + 1..<groups.count {
                if let radio { plan.link("phone-\(first)", "phone-\(second)", radio) }
            }
        }
        if talk {
            plan.talk = [
                .monologue(person: "person-0", at: .seconds(1), lasting: .seconds(3_000))
            ]
        }
        return plan
    }
}
