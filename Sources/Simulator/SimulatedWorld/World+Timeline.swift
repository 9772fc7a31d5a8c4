import Evidence
import SansIO
import Scenarios
import Simulation

extension World {
    /// Schedules an entry of the timeline, or lets it wait for its event.
    mutating func arm(_ entry: Int) {
        switch plan.timeline[entry].trigger {
        case .at(let time):
            schedule(.timeline(entry: UInt16(entry)), at: Instant.zero.advanced(by: time))
        case .after(let event, let name, let count, let delay):
            guard let kind = TraceKind(named: event),
                let place = directory.names.firstIndex(of: name)
            else { preconditionFailure("the plan waits for \(event) of \(name), which is unknown") }
            log.watch(
                entry: entry,
                kind: kind,
                component: ComponentIndex(place: UInt16(place)),
                count: count,
                delay: delay
            )
        }
    }

    /// Schedules a delivery of the world's own.
    mutating func schedule(_ delivery: Delivery, at instant: Instant) {
        queue.push(delivery, at: timelineSource.key(at: instant))
    }

    /// Does what an entry of the timeline says.
    mutating func act(on entry: Int, at now: Instant) {
        act(plan.timeline[entry].action, at: now)
    }

    /// Does something to the world.
    mutating func act(_ action: TimelineAction, at now: Instant) {
        switch action {
        case .disrupt(let name, let disruption, let duration):
            let link = place(ofLink: name)
            let end = now.advanced(by: duration)
            for direction in directionPlaces(of: link) {
                directions[direction].disrupt(disruption, until: end)
            }
            schedule(.restore(link: UInt16(link)), at: end)
            writeLink(link, LinkChange(disruption).rawValue, duration.wholeNanoseconds, at: now)
            reviewPaths(at: now)
        case .change(let name, let profile):
            let link = place(ofLink: name)
            let (forward, backward) = (2 * link, 2 * link + 1)
            directions[forward].link.change(to: profile.forward)
            directions[backward].link.change(to: profile.backward)
            writeLink(link, LinkChange.changed.rawValue, 0, at: now)
        case .block, .radio, .user, .rooms, .silenceAPI:
            actOnSessions(action, at: now)
        }
    }

    /// One of a link's disruptions has ended, as the link knows by itself: notes whether all have.
    mutating func restore(_ link: Int, at now: Instant) {
        guard let last = directions[2 * link].disruptedUntil, last <= now else { return }
        for direction in directionPlaces(of: link) {
            directions[direction].disruptedUntil = nil
        }
        writeLink(link, LinkChange.restored.rawValue, 0, at: now)
        reviewPaths(at: now)
    }

    private mutating func writeLink(
        _ link: Int,
        _ change: Int64,
        _ parameter: Int64,
        at now: Instant
    ) {
        let component = directions[2 * link].component
        log.write(
            TraceRecord(.linkChanged, at: now, of: component, SIMD4(change, parameter, 0, 0))
        )
    }

    private func directionPlaces(of link: Int) -> ClosedRange<Int> { 2 * link...2 * link + 1 }

    private func place(ofLink name: String) -> Int {
        guard let place = linkNames.firstIndex(of: name) else {
            preconditionFailure("the plan names link \(name), which it does not have")
        }
        return place
    }
}

/// What `link.changed` says of a link.
enum LinkChange: Int64 {
    case stopped
    case slowed
    case jammed
    case changed
    case restored

    init(_ disruption: LinkDisruption) {
        switch disruption {
        case .stopped: self = .stopped
        case .slowed: self = .slowed
        case .jammed: self = .jammed
        }
    }
}
