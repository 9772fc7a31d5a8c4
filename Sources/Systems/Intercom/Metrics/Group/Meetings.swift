import KodamaEvidence
import SansIO

/// Who of a group never hears whom, though the two could have reached each other.
///
/// A wait that ends is measured where it ends. One without an end counts by how long the two could
/// have met, without a break: both in the group, microphone and speaker at work on both phones, and
/// a way between them. The run's end and a farewell close it; whoever is not let in waits for nobody.
struct Meetings {
    /// One speaker and one listener.
    private struct Wait {
        /// Whether nothing was heard since both are in the group.
        var isOpen = false
        /// Since when they could have met, while they can.
        var since: Int64?
        /// The longest time in which they could have and there was something to hear.
        var longest: Span?
    }

    /// How much there was to hear at least.
    private static var spokenMin: Int64 { 1_000_000_000 }
    /// Where no frame is captured for so long, nothing runs.
    private static var pauseMax: Int64 { 1_000_000_000 }

    private var ways: PhoneWays
    private var waits = PairTable(startingWith: Wait())
    /// When each device captured its latest frame.
    private var capturedAt: [Int64] = []
    /// The device on each phone, of those that were looked at so far.
    private var devicesByPhone: [Int: Int] = [:]
    private var lookedAtCount = 0
    /// The devices that ever were in a group, ascending.
    private var members: [Int64: [Int]] = [:]

    init(_ directory: TraceDirectory) {
        ways = PhoneWays(directory)
    }

    /// A device is in its group from now on.
    mutating func join(_ device: Int, _ devices: [VoiceCast.Device], at now: Int64) {
        guard let group = devices[device].group else { return }
        for other in members[group] ?? [] where other != device && devices[other].isJoined {
            guard devices[other].group == group else { continue }
            for (speaker, listener) in [(device, other), (other, device)] {
                let pair = waits.number(speaker, listener)
                waits.values[pair] = Wait(isOpen: true)
            }
            review(device, other, devices, at: now)
        }
        let known = members[group] ?? []
        let rank = known.firstIndex { $0 >= device } ?? known.endIndex
        guard rank == known.endIndex || known[rank] != device else { return }
        members[group, default: []].insert(device, at: rank)
    }

    /// A device is not in its group any more.
    mutating func leave(
        _ device: Int,
        _ devices: [VoiceCast.Device],
        at now: Int64,
        into waited: inout Measure<Distribution>
    ) {
        for other in waits.partners(of: device) {
            finish(device, other, devices, at: now, into: &waited)
            finish(other, device, devices, at: now, into: &waited)
        }
    }

    /// A device was not let into its group.
    mutating func refuse(_ device: Int) {
        for pair in waits.numbers(with: device) { waits.values[pair] = Wait() }
    }

    /// A listener hears a speaker.
    mutating func meet(_ speaker: Int, _ listener: Int) {
        guard let pair = waits.existing(speaker, listener) else { return }
        waits.values[pair] = Wait()
    }

    /// A device captured a frame.
    mutating func captured(by device: Int, _ devices: [VoiceCast.Device], at now: Int64) {
        while capturedAt.count <= device { capturedAt.append(-2 * Self.pauseMax) }
        guard now - capturedAt[device] > Self.pauseMax else { return capturedAt[device] = now }
        // It wakes up: what it could have heard ended with its last frame.
        let others = waits.partners(of: device)
        for other in others { review(device, other, devices, at: now) }
        capturedAt[device] = now
        for other in others { review(device, other, devices, at: now) }
    }

    /// Takes a record that may open or close a way between phones.
    mutating func take(_ record: TraceRecord, _ devices: [VoiceCast.Device]) {
        guard let change = ways.take(record) else { return }
        let now = record.instant.nanoseconds
        while lookedAtCount < devices.count {
            let place = phone(lookedAtCount, devices)
            devicesByPhone[place] = devicesByPhone[place] ?? lookedAtCount
            lookedAtCount += 1
        }
        switch change {
        case .link(let link):
            guard let ends = ways.links.ends[link], let one = devicesByPhone[ends.0],
                let other = devicesByPhone[ends.1]
            else { return }
            review(one, other, devices, at: now)
        case .phone(let phone):
            guard let one = devicesByPhone[phone] else { return }
            for other in waits.partners(of: one) { review(one, other, devices, at: now) }
        }
    }

    /// The run is over.
    mutating func end(
        _ devices: [VoiceCast.Device],
        at now: Int64,
        into waited: inout Measure<Distribution>
    ) {
        for device in devices.indices { leave(device, devices, at: now, into: &waited) }
    }

    /// Looks at whether two can meet now.
    private mutating func review(
        _ one: Int,
        _ other: Int,
        _ devices: [VoiceCast.Device],
        at now: Int64
    ) {
        guard isOpen(one, other) || isOpen(other, one) else { return }
        let hasWay = ways.reaches(phone(one, devices), phone(other, devices))
        let canMeet = hasWay && isAwake(one, at: now) && isAwake(other, at: now)
        for (speaker, listener) in [(one, other), (other, one)] {
            guard let pair = waits.existing(speaker, listener), waits.values[pair].isOpen else {
                continue
            }
            if !canMeet {
                pause(speaker, listener, pair, devices, at: now)
            } else if waits.values[pair].since == nil {
                waits.values[pair].since = now
            }
        }
    }

    /// They can meet no longer.
    private mutating func pause(
        _ speaker: Int,
        _ listener: Int,
        _ pair: Int,
        _ devices: [VoiceCast.Device],
        at now: Int64
    ) {
        guard let since = waits.values[pair].since else { return }
        waits.values[pair].since = nil
        let end = min(now, capturedAt[speaker], capturedAt[listener])
        let span = Span(start: since, end: max(since, end))
        guard span.length > waits.values[pair].longest?.length ?? 0,
            devices[speaker].truth.spoken(in: span) >= Self.spokenMin
        else { return }
        waits.values[pair].longest = span
    }

    /// They will not meet any more.
    private mutating func finish(
        _ speaker: Int,
        _ listener: Int,
        _ devices: [VoiceCast.Device],
        at now: Int64,
        into waited: inout Measure<Distribution>
    ) {
        guard let pair = waits.existing(speaker, listener), waits.values[pair].isOpen else {
            return
        }
        pause(speaker, listener, pair, devices, at: now)
        let longest = waits.values[pair].longest
        waits.values[pair] = Wait()
        let occurrence = Occurrence(
            longest ?? Span(start: now, end: now),
            of: devices[listener].phone,
            about: devices[speaker].phone
        )
        if let longest {
            waited.censor(longest.length, at: occurrence)
        } else {
            waited.exclude("no way between the two, or nothing said", at: occurrence)
        }
    }

    private func isOpen(_ speaker: Int, _ listener: Int) -> Bool {
        waits.existing(speaker, listener).map { waits.values[$0].isOpen } ?? false
    }

    private func isAwake(_ device: Int, at now: Int64) -> Bool {
        device < capturedAt.count && now - capturedAt[device] <= Self.pauseMax
    }

    private func phone(_ device: Int, _ devices: [VoiceCast.Device]) -> Int {
        Int(devices[device].phone.index)
    }
}
