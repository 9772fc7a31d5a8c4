import AppCoordination
public import Evidence
import SansIO
import Scenarios
import Simulation

extension World {
    /// More deliveries than this at one instant are taken for a livelock.
    static let deliveriesPerInstantMax = 10_000

    /// Runs to the plan's end.
    ///
    /// - Parameter sink: Takes the records.
    /// - Throws: A livelock.
    public mutating func run(into sink: inout some TraceSink) throws(WorldError) {
        sink.begin(directory)
        start()
        scheduleTriggered(at: .zero)
        var latest = Instant.zero
        var atOneInstant = 0
        while let (instant, delivery) = queue.pop() {
            guard instant < end else { break }
            atOneInstant = instant == latest ? atOneInstant + 1 : 1
            latest = instant
            guard atOneInstant <= Self.deliveriesPerInstantMax else {
                throw .livelock(at: instant, component: name(of: delivery))
            }
            eventCount += 1
            deliver(delivery, at: instant)
            if log.records.count >= TraceLog.batch { log.flush(into: &sink) }
        }
        log.write(TraceRecord(.runEnded, at: end, of: .none))
        log.flush(into: &sink)
    }

    private mutating func start() {
        for entry in plan.timeline.indices { arm(entry) }
        for talker in talkers.indices { scheduleSpeech(of: talker) }
        for device in devices {
            guard let group = device.group else { continue }
            let values = SIMD4(group.traceNumber, 0, 0, 0)
            log.write(TraceRecord(.groupJoined, at: .zero, of: device.component, values))
            send(.groupChosen(group), to: Int(device.place), at: .zero)
            scheduleMicrophone(of: device)
            scheduleSpeaker(of: device)
        }
        startSessions()
    }

    /// The one switch from deliveries to components.
    private mutating func deliver(_ delivery: Delivery, at now: Instant) {
        switch delivery {
        case .microphone(let device): captureFrame(of: devices[Int(device)], at: now)
        case .speaker(let device): renderSound(of: devices[Int(device)], at: now)
        case .wake(let device): wake(Int(device), at: now)
        case .datagram(let slot): receiveDatagram(slot, at: now)
        case .speech(let talker): moveSpeech(of: Int(talker), at: now)
        case .timeline(let entry): act(on: Int(entry), at: now)
        case .restore(let link): restore(Int(link), at: now)
        default: deliverSession(delivery, at: now)
        }
        scheduleTriggered(at: now)
    }

    /// Schedules the entries of the timeline whose event has just come.
    private mutating func scheduleTriggered(at now: Instant) {
        for (entry, delay) in log.takeTriggered() {
            schedule(.timeline(entry: UInt16(entry)), at: now.advanced(by: delay))
        }
    }

    private func name(of delivery: Delivery) -> String {
        switch delivery {
        case .microphone(let device), .speaker(let device), .wake(let device):
            devices[Int(device)].name
        case .datagram(let slot):
            devices[Int(datagrams.label(of: slot).receiver)].name
        case .speech(let talker):
            talkers[Int(talker)].name
        case .timeline(let entry):
            "timeline entry \(entry + 1)"
        case .restore(let link):
            linkNames[Int(link)]
        default:
            sessionName(of: delivery)
        }
    }
}
