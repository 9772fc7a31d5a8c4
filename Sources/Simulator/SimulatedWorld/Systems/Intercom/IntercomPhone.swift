import AppCoordination
import Evidence
import PeerTransport
import SansIO
import Scenarios
import Simulation

/// A phone: its clocks, its sound hardware, the frames it holds and the app that runs on it.
///
/// A class because it owns what cannot be copied (codec states, sample memory); it belongs to one
/// world and is never shared.
final class IntercomPhone: Component, Host, Listener {
    /// What the phone's hardware adds to every sound, by assumption: input and output buffers of a
    /// phone's voice-processing unit, at the lower end of the 10 to 20 ms that reference terminals
    /// spend on output (ITU-T G.114 appendix II).
    static let inputLatency = Duration.milliseconds(5).wholeNanoseconds
    static let outputLatency = Duration.milliseconds(10).wholeNanoseconds
    /// Samples per microphone frame: 20 ms, Opus's default choice (RFC 6716 §2.1.4).
    static let samplesPerFrame = 960
    /// Samples per speaker callback: 10 ms.
    static let samplesPerRender = 480

    /// What a phone schedules for itself.
    enum Word: UInt8 {
        /// The microphone has a frame ready.
        case microphone
        /// The speaker asks for sound.
        case speaker
        /// The app wants to be woken.
        case wake
    }

    let name: String
    let index: ComponentIndex
    let peer: PeerID
    /// The group that its app is in, if any; without one the app is not open.
    let group: GroupID?
    let microphoneClock: AudioClock
    let speakerClock: AudioClock
    let sound: any DeviceSound
    /// Whether frames have bytes, or only sizes.
    let keepsBytes: Bool
    /// The members of the group who can be reached, and the links to them.
    let neighbours: [Neighbour]

    /// The app.
    @exclusivity(unchecked) var seat: Seat<IntercomCoordinator>
    /// The frames that the app holds handles of.
    var frames: Slab<Provenance>
    /// Microphone frames and speaker callbacks so far.
    var capturedFrames: Int64 = 0
    var renderedCallbacks: Int64 = 0
    /// Samples that wait for the speaker, by neighbour.
    var queuedSamples: [Int]
    /// What numbers the deliveries that the phone schedules for itself.
    var microphoneSource: EventSource
    var speakerSource: EventSource
    var wakeSource: EventSource

    /// A member of the group as this phone reaches it.
    struct Neighbour {
        let peer: PeerID
        let component: ComponentIndex
        /// The outgoing direction's index among the network's.
        let direction: Int
    }

    init(
        plan: DevicePlan,
        index: ComponentIndex,
        peer: PeerID,
        seed: UInt64,
        neighbours: [Neighbour],
        sound: any DeviceSound,
        keepsBytes: Bool
    ) {
        name = plan.name
        self.index = index
        group = plan.group.map { GroupID(named: $0) }
        self.peer = peer
        self.neighbours = neighbours
        self.sound = sound
        self.keepsBytes = keepsBytes
        let drift = Int64(plan.clockDriftPartsPerMillion)
        microphoneClock = Self.clock(plan.name, "microphone-phase", seed, 20_000_000, drift)
        speakerClock = Self.clock(plan.name, "speaker-phase", seed, 10_000_000, drift)
        seat = Seat(
            IntercomCoordinator(configuration: plan.configuration, streamID: peer.streamID)
        )
        frames = Slab(bytesPerSlot: keepsBytes ? Self.samplesPerFrame * 2 : 0)
        queuedSamples = Array(repeating: 0, count: neighbours.count)
        microphoneSource = EventSource(rank: DeliveryRank.microphone, component: Int(index.index))
        speakerSource = EventSource(rank: DeliveryRank.speaker, component: Int(index.index))
        wakeSource = EventSource(rank: DeliveryRank.wake, component: Int(index.index))
    }

    /// A sound clock that starts somewhere within its first period, as hardware does.
    private static func clock(
        _ name: String,
        _ purpose: StaticString,
        _ seed: UInt64,
        _ period: Int64,
        _ drift: Int64
    ) -> AudioClock {
        let stream = RandomStream(seed: seed, purpose: purpose, entity: name)
        let phase = Int64(stream.bits(at: 0).multipliedFullWidth(by: UInt64(period)).high)
        return AudioClock(origin: Instant(nanoseconds: phase), driftPartsPerMillion: drift)
    }

    func receive(_ word: Word, _ argument: UInt32, on stage: inout Stage) {
        switch word {
        case .microphone: captureFrame(on: &stage)
        case .speaker: renderSound(on: &stage)
        case .wake: awaken(on: &stage)
        }
    }

    func scheduleWake(at instant: Instant, on stage: inout Stage) {
        schedule(.wake, at: instant, by: &wakeSource, on: &stage)
    }

    /// Lets the app enter its group, and the sound hardware run.
    func begin(on stage: inout Stage) {
        guard let group else { return }
        stage.note(GroupJoined(group: group.traceNumber), of: index)
        hear(.groupChosen(group), on: &stage)
        scheduleMicrophone(on: &stage)
        scheduleSpeaker(on: &stage)
    }

    /// Its microphone hears what the person's track says.
    func personSpoke(begins: Bool, on stage: inout Stage) {}

    /// The index of a member among the neighbours.
    func neighbour(of peer: PeerID) -> Int? {
        neighbours.firstIndex { $0.peer == peer }
    }
}
