public import AppCoordination
public import Evidence
import PeerTransport
public import SansIO
public import SansIOTesting
public import Scenarios
import Simulation
public import Speech

/// One run of one plan with one seed: phones, links and people, and the queue that carries every
/// effect to the events that it causes.
///
/// A world is single-threaded and owns all that it touches. Its records go to a `TraceSink`; it does
/// not know what is measured.
public struct World: ~Copyable {
    /// What is run.
    public let plan: WorldPlan
    /// The seed of every draw.
    public let seed: UInt64
    /// The names of the components, in the order of their places.
    public let directory: TraceDirectory
    /// Deliveries so far.
    public internal(set) var eventCount = 0

    var queue: EventQueue<Delivery>
    var log = TraceLog()
    var devices: [Device]
    var directions: [LinkEnd]
    var talkers: [Talker]
    var datagrams: Slab<DatagramLabel>
    /// Events that arose while a machine was being driven; delivered after it has returned.
    var inbox: [(device: Int, event: IntercomCoordinator.Event)] = []
    /// The phones with a session, and the servers they talk to; `nil` without such phones.
    var phones: [SessionPhone] = []
    let site: ServerSite?
    /// Packets between them on their way, and answers that servers work on.
    var packets = PacketTable()
    var apiAnswers = PacketTable()
    /// Events of sessions that arose while a machine was being driven.
    var sessionInbox: [SessionInput] = []
    /// The phones that servers sent something to while they were being woken.
    var spokenTo: [Int] = []
    /// What agents began and ended while they were being driven.
    var answering: [AgentAnswer] = []
    var closing: [Int] = []
    /// What chance brings.
    let occurrences: [RandomFaults.Occurrence]
    /// The names of the links in the order of their places: those between phones, then radios.
    let linkNames: [String]
    /// Where a datagram is put together before it is sent.
    let packet: UnsafeMutableRawBufferPointer
    /// Where a frame is encoded.
    let payload: UnsafeMutableRawBufferPointer
    let end: Instant
    /// What numbers the world's own deliveries: the timeline's.
    var timelineSource = EventSource(rank: DeliveryRank.timeline, component: 0)
    /// The one machine whose calls are recorded, if any.
    var recording: (device: Int, MachineRecording<IntercomCoordinator>)?

    /// Builds a world from a plan.
    ///
    /// - Parameters:
    ///   - plan: What to run.
    ///   - seed: The seed of every draw.
    ///   - material: The voices; needed for real audio only.
    ///   - taps: Listeners at the speakers of devices, by name.
    ///   - tieShuffleSeed: Shuffles simultaneous deliveries, to find what leans on their order.
    /// - Throws: What cannot be had: voices or codec.
    public init(
        plan: WorldPlan,
        seed: UInt64,
        material: SpeechMaterial?,
        taps: [String: any SpeakerTap] = [:],
        tieShuffleSeed: UInt64? = nil
    ) throws(WorldError) {
        let talkers = try Self.talkers(of: plan, seed: seed, material: material)
        let devices = try Self.devices(of: plan, seed: seed, talkers: talkers, taps: taps)
        self.plan = plan
        self.seed = seed
        self.talkers = talkers
        self.devices = devices
        end = Instant.zero.advanced(by: plan.duration)
        let names = plan.devices.map(\.name) + plan.people.map(\.name) + plan.links.map(\.name)
        let sessions = SessionCast(of: plan, seed: seed, firstPlace: names.count)
        directory = TraceDirectory(names: names + sessions.names)
        linkNames = plan.links.map(\.name) + sessions.radioNames
        phones = sessions.phones
        site = sessions.site(of: plan, seed: seed)
        occurrences = RandomFaults.occurrences(of: plan, seed: seed)
        queue = EventQueue(tieShuffleSeed: tieShuffleSeed)
        directions = Self.linkEnds(of: plan, seed: seed)
        let isReal = plan.audio == .real
        datagrams = Slab(bytesPerSlot: isReal ? Self.datagramBytesMax : Self.controlBytesMax)
        packet = .allocate(byteCount: Self.datagramBytesMax, alignment: 16)
        payload = .allocate(byteCount: PeerMessage.payloadCountMax, alignment: 16)
    }

    deinit {
        packet.deallocate()
        payload.deallocate()
    }

    /// The longest datagram, rounded up to whole cache lines.
    static let datagramBytesMax = (PeerMessage.encodedCountMax + 63) / 64 * 64
    /// Room for every message without voice, and for a voice message of which one byte is kept.
    static let controlBytesMax = 64

    /// Lets the calls of one device's app be recorded, for replay.
    public mutating func recordMachine(of device: String) {
        guard let place = devices.firstIndex(where: { $0.name == device }) else { return }
        recording = (place, MachineRecording(of: devices[place].driver.machine))
    }

    /// What the recorded app was told and what it ordered so far; `nil` if none is recorded.
    public var machineRecording: MachineRecording<IntercomCoordinator>? { recording?.1 }
}

/// What keeps a world from being built or run to its end.
public enum WorldError: Error, CustomStringConvertible {
    /// Real audio was asked for without voices.
    case noVoices
    /// No voice is called so.
    case noVoice(named: String, known: [String])
    /// The codec could not be made.
    case codec(String)
    /// Deliveries went on and on at one instant.
    case livelock(at: Instant, component: String)

    /// The error in one sentence.
    public var description: String {
        switch self {
        case .noVoices:
            "real audio needs recorded voices; install them, or choose audio: sized"
        case .noVoice(let name, let known):
            "there is no voice '\(name)'; there are \(known.joined(separator: ", "))"
        case .codec(let reason):
            reason
        case .livelock(let instant, let component):
            "more than \(World.deliveriesPerInstantMax) deliveries at \(instant.nanoseconds) ns, "
                + "the last one for \(component): something answers itself without end"
        }
    }
}

/// Hears what a phone's speaker plays.
public protocol SpeakerTap: AnyObject {
    /// Takes the next samples at 48 kHz.
    func take(_ samples: UnsafeBufferPointer<Int16>)
}
