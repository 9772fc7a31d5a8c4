import Evidence
import Models
import RealtimeVoice
import SansIO
import Scenarios
import Simulation

/// Draws what goes wrong in one run from a mix: one fault after the other, with pauses in between.
struct RandomFaults {
    /// Something that happens at an instant.
    struct Occurrence {
        var instant: Instant
        var action: TimelineAction
    }

    private let mix: FaultMixPlan
    private let phone: PhonePlan
    private var random: RandomStream
    private(set) var occurrences: [Occurrence] = []

    /// Draws all of a run's occurrences, in order.
    static func occurrences(of plan: WorldPlan, seed: UInt64) -> [Occurrence] {
        var all: [Occurrence] = []
        for mix in plan.faults {
            guard let phone = plan.phones.first(where: { $0.name == mix.device }) else {
                preconditionFailure("a mix of faults names phone \(mix.device), which is unknown")
            }
            var faults = RandomFaults(mix: mix, phone: phone, seed: seed)
            faults.draw()
            all += faults.occurrences
        }
        // Stable by instant: simultaneous ones keep the order of their mixes.
        return all.enumerated()
            .sorted { ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset) }
            .map(\.element)
    }

    private init(mix: FaultMixPlan, phone: PhonePlan, seed: UInt64) {
        self.mix = mix
        self.phone = phone
        random = RandomStream(seed: seed, purpose: "fault-mix", entity: mix.device)
    }

    private mutating func draw() {
        var now = Instant.zero.advanced(by: mix.from)
        let end = Instant.zero.advanced(by: mix.until)
        while true {
            let gap = random.exponential(meanNanoseconds: mix.meanGap.wholeNanoseconds)
            now = now.advanced(by: .nanoseconds(gap))
            let before = occurrences.count
            let over = add(drawKind(), at: now)
            guard over <= end else {
                occurrences.removeSubrange(before...)
                return
            }
            now = over
        }
    }

    private mutating func drawKind() -> RandomFault {
        let total = mix.shares.reduce(0) { $0 + $1.weight }
        var place = Int(random.uniform(below: UInt64(total)))
        for share in mix.shares {
            if place < share.weight { return share.kind }
            place -= share.weight
        }
        preconditionFailure("a draw below the sum of the weights meets one of them")
    }

    /// A length between two whole seconds, to the millisecond.
    private mutating func seconds(_ range: ClosedRange<Int64>) -> Duration {
        .milliseconds(random.uniform(in: range.lowerBound * 1_000...range.upperBound * 1_000))
    }

    private mutating func add(_ action: TimelineAction, at instant: Instant) {
        occurrences.append(Occurrence(instant: instant, action: action))
    }

    /// Adds one fault; returns when it is over.
    private mutating func add(_ kind: RandomFault, at now: Instant) -> Instant {
        let name = phone.name
        switch kind {
        case .outage:
            return addOutage(for: seconds(1...60), .immediate, at: now)
        case .blackHole:
            return addBlock(nil, for: seconds(1...60), at: now)
        case .signallingCut:
            return addBlock(.signalling, for: seconds(5...40), at: now)
        case .mediaCut:
            return addBlock(.media, for: seconds(5...40), at: now)
        case .handover:
            return addHandover(at: now)
        case .flapping:
            var instant = now
            for _ in 0..<3 {
                instant = addOutage(for: seconds(1...2), .immediate, at: instant)
                instant = instant.advanced(by: seconds(1...2))
            }
            return instant
        case .loss:
            return addLoss(for: seconds(5...30), at: now)
        case .background:
            return addPair(.leaveApp, .openApp, apart: seconds(1...60), at: now)
        case .controlCentre:
            return addPair(.openControlCentre, .closeControlCentre, apart: seconds(1...5), at: now)
        case .mute:
            return addPair(.mute, .unmute, apart: seconds(1...20), at: now)
        case .hangUp:
            return addPair(.disconnect, .connect, apart: seconds(5...30), at: now)
        case .serverCrash:
            let downtime = seconds(1...10)
            add(.rooms(.crash(downtime: downtime)), at: now)
            return now.advanced(by: downtime)
        case .serverLeave:
            let action: LeaveRequest =
                random.uniform(below: 2) == 0
                ? LeaveRequest(.resume, .migration) : LeaveRequest(.reconnect, .stateMismatch)
            add(.rooms(.leave(identity: name, action)), at: now)
            return now
        case .silentServer:
            let end = now.advanced(by: seconds(5...30))
            add(.rooms(.goSilent), at: now)
            add(.rooms(.clear), at: end)
            return end
        }
    }

    private mutating func addOutage(
        for duration: Duration,
        _ notice: PathNotice,
        at now: Instant
    ) -> Instant {
        let end = now.advanced(by: duration)
        for radio in phone.radios where radio.isUp {
            add(.radio(phone: phone.name, radio.interface, isUp: false, notice), at: now)
            add(.radio(phone: phone.name, radio.interface, isUp: true, notice), at: end)
        }
        return end
    }

    private mutating func addBlock(
        _ traffic: TrafficClass?,
        for duration: Duration,
        at now: Instant
    ) -> Instant {
        add(.block(phone: phone.name, nil, traffic, lasting: duration), at: now)
        return now.advanced(by: duration)
    }

    /// The first radio goes and comes back later; the others stay.
    private mutating func addHandover(at now: Instant) -> Instant {
        guard let radio = phone.radios.first else { return now }
        let notices: [PathNotice] = [
            .immediate,
            PathNotice(delay: .milliseconds(500), breaksSockets: false),
            PathNotice(delay: .seconds(5), breaksSockets: false),
        ]
        let notice = notices[Int(random.uniform(below: 3))]
        let end = now.advanced(by: seconds(10...40))
        add(.radio(phone: phone.name, radio.interface, isUp: false, notice), at: now)
        add(.radio(phone: phone.name, radio.interface, isUp: true, notice), at: end)
        return end
    }

    private mutating func addLoss(for duration: Duration, at now: Instant) -> Instant {
        let end = now.advanced(by: duration)
        for radio in phone.radios {
            var lossy = radio.profile
            lossy.forward.loss = .independent(Probability(partsPerMillion: 100_000))
            lossy.backward.loss = .independent(Probability(partsPerMillion: 100_000))
            let link = "\(phone.name)/\(radio.interface)"
            add(.change(link: link, to: lossy), at: now)
            add(.change(link: link, to: radio.profile), at: end)
        }
        return end
    }

    private mutating func addPair(
        _ first: UserAct,
        _ second: UserAct,
        apart: Duration,
        at now: Instant
    ) -> Instant {
        let end = now.advanced(by: apart)
        add(.user(phone: phone.name, first), at: now)
        add(.user(phone: phone.name, second), at: end)
        return end
    }
}
