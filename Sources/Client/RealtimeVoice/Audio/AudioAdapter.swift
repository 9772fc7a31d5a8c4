public import SansIO

/// Decides at which rate the microphone is sampled and its track published: less while the battery is low, data
/// is scarce or the link queues (AN-12).
///
/// Down at once, up by steps. A queue takes the bit rate to the lowest one; it rises a step when voice has flowed
/// at its rate for `raiseAfter` without a queue, which doubles each time a queue follows a rise. Silence proves
/// nothing about a link and raises nothing. The sample rate is chosen when the voice engine starts, since another
/// one restarts the engine, which is heard.
///
/// Loss is no input: at 20 ms a frame a lower rate sends as many packets. So a link that drops what it cannot
/// carry, without a queue, is not noticed.
public struct AudioAdapter: StateMachine {
    /// A fact for the adapter.
    public enum Event: Sendable, Equatable {
        /// What the phone can spare changed.
        case reservesChanged(PhoneReserves)
        /// The system routes packets by this interface.
        case pathChanged(NetworkInterface)
        /// A room object's statistics, once a second.
        case measured(RoomID, RoomStatistics)
        /// The voice engine is about to start.
        case engineStarts
    }

    /// An order from the adapter.
    public enum Effect: Sendable, Equatable {
        /// Publishes the microphone so from now on.
        case publish(PublishedAudio)
    }

    /// How much is asked of battery and link, the most first.
    enum Step: Int, Sendable, Comparable {
        case full, saving, least

        static func < (left: Step, right: Step) -> Bool { left.rawValue < right.rawValue }
    }

    /// One order.
    public static var effectsPerCallMax: Int { 1 }

    /// An adapter ends with its process.
    public var isFinished: Bool { false }

    /// It waits for nothing: statistics are its clock.
    public var deadline: Deadline? { nil }

    private let configuration: AudioAdaptation
    private var reserves = PhoneReserves()
    /// Whether the battery is low; between the two thresholds it stays as it was.
    private var isBatteryLow = false
    private var interface: NetworkInterface?
    private var link: LinkQuality
    /// What was ordered last; `nil` before the engine's first start.
    private var published: PublishedAudio?

    /// Makes an adapter that knows neither phone nor link.
    public init(_ configuration: AudioAdaptation) {
        self.configuration = configuration
        link = LinkQuality(configuration, from: .full)
    }

    /// Takes one fact.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .reservesChanged(let reserves): take(reserves)
        case .pathChanged(let interface):
            // The system repeats itself, and the same interface may come back.
            guard interface != self.interface else { return }
            self.interface = interface
            let isCareful = interface == .cellular && configuration.beginsLowOnCellular
            link = LinkQuality(configuration, from: isCareful ? .saving : .full)
        case .measured(let room, let statistics):
            let rate = published?.bitRate ?? bitRate(at: step)
            link.measure(statistics, of: room, sending: rate, at: turn.now)
        case .engineStarts:
            return publish(samplingAt: sampleRateHertz(at: step), in: &turn)
        }
        guard let published else { return }
        publish(samplingAt: published.sampleRateHertz, in: &turn)
    }

    /// Nothing is due by time.
    public mutating func wake(in turn: inout Turn<Effect>) {}

    private mutating func take(_ reserves: PhoneReserves) {
        self.reserves = reserves
        guard !reserves.isCharging, let percent = reserves.batteryPercent else {
            return isBatteryLow = false
        }
        if percent <= configuration.batteryLowPercent {
            isBatteryLow = true
        } else if percent >= configuration.batteryRestoredPercent {
            isBatteryLow = false
        }
    }

    /// The least of what phone and link allow.
    private var step: Step {
        if reserves.isLowDataMode { return .least }
        let isSparing = reserves.isLowPowerMode || isBatteryLow
        return max(link.step, isSparing ? .saving : .full)
    }

    private func bitRate(at step: Step) -> DataRate {
        switch step {
        case .full: configuration.fullRate
        case .saving: configuration.savingRate
        case .least: configuration.leastRate
        }
    }

    private func sampleRateHertz(at step: Step) -> Int {
        step == .full ? PublishedAudio.speech.sampleRateHertz : configuration.savingSampleRateHertz
    }

    private mutating func publish(samplingAt hertz: Int, in turn: inout Turn<Effect>) {
        let audio = PublishedAudio(bitRate: bitRate(at: step), sampleRateHertz: hertz)
        guard audio != published else { return }
        published = audio
        turn.order(.publish(audio))
    }
}
