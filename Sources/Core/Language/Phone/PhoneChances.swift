import KodamaNetwork
import KodamaPhone
import KodamaSimulation
import SansIO

extension [Chance] {
    /// What goes wrong with a phone's radios, and what its user does to it.
    static let phone: [Chance] = [
        Chance("outage", "The radios go down and the system says so; 1 to 60 s.", radios: 1) {
            $0.end = $0.addOutage(for: $0.seconds(1...60), at: $0.begin)
        },
        Chance("black-hole", "Packets vanish and nobody says so; 1 to 60 s.", radios: 1) {
            $0.addBlock(nil, for: $0.seconds(1...60))
        },
        Chance("signalling-cut", "Only signalling is cut; 5 to 40 s.", radios: 1) {
            $0.addBlock(.signalling, for: $0.seconds(5...40))
        },
        Chance("media-cut", "Only media is cut; 5 to 40 s.", radios: 1) {
            $0.addBlock(.media, for: $0.seconds(5...40))
        },
        Chance(
            "handover",
            "The other radio takes over, with or without a socket error.",
            radios: 2
        ) {
            $0.addHandover()
        },
        Chance("flapping", "Three short outages within 10 s.", radios: 1) { draw in
            for _ in 0..<3 {
                let over = draw.addOutage(for: draw.seconds(1...2), at: draw.end)
                draw.end = over.advanced(by: draw.seconds(1...2))
            }
        },
        Chance("loss", "10 % of packets are lost for 5 to 30 s.", radios: 1) {
            $0.addLoss(for: $0.seconds(5...30))
        },
        Chance(
            "background",
            "The user leaves the app and comes back after 1 to 60 s.",
            app: .any
        ) { draw in
            draw.add(.leaveApp, then: .openApp(draw.app), apart: draw.seconds(1...60))
        },
        Chance(
            "lock",
            "The user locks the phone, and opens the app again after 10 to 120 s.",
            app: .any
        ) { draw in
            draw.add(.lock, then: .openApp(draw.app), apart: draw.seconds(10...120))
        },
        Chance("kill-app", "The user throws the app out of the app switcher.", app: .any) { draw in
            draw.add(PhoneAct.killApp(draw.app), to: draw.phone.name, at: draw.begin)
        },
        Chance("control-centre", "Control Centre comes and goes.") {
            $0.add(.openControlCentre, then: .closeControlCentre, apart: $0.seconds(1...5))
        },
        Chance("phone-call", "A phone call takes the audio for 5 to 60 s.") {
            $0.add(.phoneCallBegins, then: .phoneCallEnds, apart: $0.seconds(5...60))
        },
    ]
}

extension ChanceDraw {
    fileprivate mutating func add(
        _ first: PhoneAct,
        then second: PhoneAct,
        apart length: Duration
    ) {
        add(first as any SystemAct, then: second, to: phone.name, apart: length)
    }

    /// Takes the radios that are up at the start down for a while; returns when they are back.
    fileprivate mutating func addOutage(for duration: Duration, at begin: Instant) -> Instant {
        let end = begin.advanced(by: duration)
        for radio in phone.radios where radio.isUp {
            add(radio.interface, isUp: false, .immediate, at: begin)
            add(radio.interface, isUp: true, .immediate, at: end)
        }
        return end
    }

    private mutating func add(
        _ interface: NetworkInterface,
        isUp: Bool,
        _ notice: PathNotice,
        at instant: Instant
    ) {
        add(PhoneAct.radio(interface, isUp: isUp, notice), to: phone.name, at: instant)
    }

    fileprivate mutating func addBlock(_ traffic: TrafficClass?, for duration: Duration) {
        add(PhoneAct.block(nil, traffic, lasting: duration), to: phone.name, at: begin)
        end = begin.advanced(by: duration)
    }

    /// The first radio goes and comes back later; the others stay.
    fileprivate mutating func addHandover() {
        guard let radio = phone.radios.first else { return }
        let notices: [PathNotice] = [
            .immediate,
            PathNotice(delay: .milliseconds(500), breaksSockets: false),
            PathNotice(delay: .seconds(5), breaksSockets: false),
        ]
        let notice = notices[Int(random.uniform(below: 3))]
        end = begin.advanced(by: seconds(10...40))
        add(radio.interface, isUp: false, notice, at: begin)
        add(radio.interface, isUp: true, notice, at: end)
    }

    fileprivate mutating func addLoss(for duration: Duration) {
        end = begin.advanced(by: duration)
        for radio in phone.radios {
            var lossy = radio.profile
            lossy.forward.loss = .independent(Probability(partsPerMillion: 100_000))
            lossy.backward.loss = .independent(Probability(partsPerMillion: 100_000))
            let link = "\(phone.name)/\(radio.interface)"
            add(LinkAct.change(to: lossy), to: link, at: begin)
            add(LinkAct.change(to: radio.profile), to: link, at: end)
        }
    }
}
