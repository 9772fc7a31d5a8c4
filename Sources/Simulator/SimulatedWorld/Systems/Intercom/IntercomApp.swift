import AppCoordination
import Evidence
import Models
import PeerTransport
import SansIO
import Scenarios
import Simulation

/// The intercom app on a phone: its machine, the frames it holds, and the sound it makes.
///
/// A class because it owns what cannot be copied (codec states, sample memory); it belongs to one
/// world and is never shared.
final class IntercomApp: PhoneApp, Host {
    /// What the app schedules.
    enum Word: UInt8 {
        /// The machine wants to be woken.
        case wake
    }

    let installation: Installation
    let peer: PeerID
    /// The group that its user is in, if any.
    let group: GroupID?
    private let configuration: IntercomConfiguration
    let sound: any DeviceSound
    /// Whether frames have bytes, or only sizes.
    let keepsBytes: Bool
    /// The members of the group who can be reached, and the links to them.
    let neighbours: [Neighbour]

    @exclusivity(unchecked) var seat: Seat<IntercomCoordinator>
    /// Whether its code is run: kept here, since it is asked for at every frame.
    @exclusivity(unchecked) private(set) var isAwake = false
    /// The frames that the app holds handles of.
    @exclusivity(unchecked) var frames: Slab<Provenance>
    /// Samples that wait for the speaker, by neighbour.
    @exclusivity(unchecked) var queuedSamples: [Int]

    /// A member of the group as this phone reaches it.
    struct Neighbour {
        let peer: PeerID
        /// Where datagrams for the member's app go.
        let socket: SocketAddress
        /// What records about the member name.
        let subject: ComponentIndex
        /// The outgoing direction's index among the network's.
        let direction: Int
    }

    init(
        _ plan: IntercomAppPlan,
        _ installation: Installation,
        as peer: PeerID,
        neighbours: [Neighbour],
        sound: any DeviceSound,
        keepsBytes: Bool
    ) {
        self.installation = installation
        group = plan.group.map { GroupID(named: $0) }
        configuration = plan.configuration
        self.peer = peer
        self.neighbours = neighbours
        self.sound = sound
        self.keepsBytes = keepsBytes
        seat = Seat(Self.machine(plan.configuration, peer))
        frames = Self.slab(keepsBytes)
        queuedSamples = Array(repeating: 0, count: neighbours.count)
    }

    private static func machine(
        _ configuration: IntercomConfiguration,
        _ peer: PeerID
    ) -> IntercomCoordinator {
        IntercomCoordinator(configuration: configuration, streamID: peer.streamID)
    }

    private static func slab(_ keepsBytes: Bool) -> Slab<Provenance> {
        Slab(bytesPerSlot: keepsBytes ? SoundHardware.samplesPerFrame * 2 : 0)
    }

    func receive(_ word: Word, _ argument: UInt32, on stage: inout Stage) {
        switch word {
        case .wake: awaken(on: &stage)
        }
    }

    func scheduleWake(at instant: Instant, on stage: inout Stage) {
        scheduleWake(.wake, at: instant, on: &stage)
    }

    /// Where the app gets datagrams from phones nearby.
    var socket: SocketAddress { .peer(phone.index, app: id) }

    var usesFrames: Bool { true }

    /// The index of a member among the neighbours.
    func neighbour(of peer: PeerID) -> Int? {
        neighbours.firstIndex { $0.peer == peer }
    }
}

// MARK: - What the system does with the app

extension IntercomApp {
    func launch(on stage: inout Stage) {
        seat.restart(Self.machine(configuration, peer), at: stage.now)
        isAwake = true
    }

    /// The process ends: its machine is gone, and the frames that it held.
    func terminate(on stage: inout Stage) {
        isAwake = false
        frames = Self.slab(keepsBytes)
        for neighbour in queuedSamples.indices { queuedSamples[neighbour] = 0 }
        guard let group else { return }
        stage.note(GroupLeft(group: group.traceNumber), of: index)
    }

    func suspend(on stage: inout Stage) { isAwake = false }

    func resume(on stage: inout Stage) {
        isAwake = true
        armWake(on: &stage)
    }

    func inform(_ news: SystemNews, on stage: inout Stage) {
        switch news {
        case .launched:
            guard let group else { return }
            note(GroupJoined(group: group.traceNumber), on: &stage)
            tell(.groupChosen(group), on: &stage)
        case .audio(.interruptionBegan):
            tell(.sound(.audioSessionTaken), on: &stage)
        case .audio(.interruptionEnded):
            tell(.sound(.audioSessionReturned), on: &stage)
        case .answer(let operation, .microphonePermission(let isGranted)):
            let answer = SoundKeeper.Event.microphonePermissionAnswered(
                operation,
                isGranted: isGranted
            )
            tell(.sound(answer), on: &stage)
        case .answer(let operation, .voiceEngine(let start)):
            let isRunning = start == .running
            tell(.sound(.voiceEngineAnswered(operation, isRunning: isRunning)), on: &stage)
        case .scene, .path, .clock, .notificationTapped, .backgroundTimeExpired, .push, .call,
            .answer,
            .audio(.routeChanged):
            // The intercom does not care: it talks on in the background, over its own links.
            break
        }
    }

    /// The binding of what the app orders of microphone and speaker.
    func perform(_ effect: SoundKeeper.Effect, on stage: inout Stage) {
        switch effect {
        case .requestMicrophonePermission(let operation):
            order(.requestMicrophonePermission(operation), on: &stage)
        case .startVoiceEngine(let operation):
            order(.startVoiceEngine(operation), on: &stage)
        case .stopVoiceEngine:
            order(.stopVoiceEngine, on: &stage)
        case .soundChanged:
            // The app's own affair.
            break
        }
    }
}
