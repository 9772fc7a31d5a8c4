import AppCoordination
import KodamaEvidence
import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import KodamaSimulation
import KodamaWorld
import PeerTransport
import SansIO

/// The intercom app on a phone: its machine, the frames it holds, and the sound it makes.
///
/// A class because it owns what cannot be copied (codec states, sample memory); it belongs to one
/// world and is never shared.
package final class IntercomApp: MutedApp, Host {
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
    package let sound: IntercomSound
    /// The members of the group who can be reached, and the links to them.
    let neighbours: [Neighbour]

    @exclusivity(unchecked) var seat: Seat<IntercomCoordinator>
    /// Whether its code is run: kept here, since it is asked for at every frame.
    @exclusivity(unchecked) private(set) var isAwake = false
    /// Whether the phone's radio for phones nearby is on.
    @exclusivity(unchecked) private(set) var hasPeerRadio = true
    var muteButton = MuteButton()

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
        sound: IntercomSound
    ) {
        self.installation = installation
        group = plan.group.map { GroupID(named: $0) }
        configuration = plan.configuration
        self.peer = peer
        self.neighbours = neighbours
        self.sound = sound
        seat = Seat(Self.machine(plan.configuration, peer))
    }

    private static func machine(
        _ configuration: IntercomConfiguration,
        _ peer: PeerID
    ) -> IntercomCoordinator {
        IntercomCoordinator(configuration: configuration, streamID: peer.streamID)
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

    /// The microphone delivers a frame; the app hears of it with the detector's judgement.
    func captureFrame(_ number: Int64, on stage: inout Stage) {
        let frame = sound.capture(number, by: phone.sound.microphoneClock, on: &stage)
        hear(.frameCaptured(frame), on: &stage)
    }

    /// The speaker asks for sound; the app decides which, the device makes it.
    func renderSound(on stage: inout Stage) {
        hear(.renderRequested(samples: SoundHardware.samplesPerRender), on: &stage)
        sound.render(on: &stage)
    }

    func undergo(_ act: any SystemAct, on stage: inout Stage) {
        switch act as? IntercomAct {
        case .leaveGroup: hear(.groupLeft, on: &stage)
        case .joinGroup:
            joinGroup(on: &stage)
            stage.readMail()
        case .peerRadio(let isOn):
            hasPeerRadio = isOn
            note(PeerRadioSwitched(isOn: TraceFlag(isOn)), on: &stage)
        case .mute: touch(isMuted: true, on: &stage)
        case .unmute: touch(isMuted: false, on: &stage)
        case .makeInvite, .takeInvite, .makeGroup:
            // An unsecured app knows no invites and no list of groups.
            break
        case nil:
            preconditionFailure("the plan does \(act) to \(name), which does not know it")
        }
    }

    /// The index of a member among the neighbours.
    func neighbour(of peer: PeerID) -> Int? {
        neighbours.firstIndex { $0.peer == peer }
    }
}

// MARK: - What the system does with the app

extension IntercomApp {
    func launch(on stage: inout Stage) {
        // A stream keeps its number across launches, and its frames are numbered by the clock: to those
        // who heard the former process, lower numbers would be late (RFC 3550 §5.1).
        var configuration = configuration
        configuration.firstSequence += Int(stage.now.nanoseconds / 20_000_000)
        seat.restart(Self.machine(configuration, peer), at: stage.now)
        isAwake = true
    }

    /// The process ends: its machine is gone, and the frames that it held.
    func terminate(on stage: inout Stage) {
        isAwake = false
        sound.clear()
        if let group { stage.note(GroupLeft(group: group.traceNumber), of: index) }
        forgetMute(on: &stage)
    }

    func suspend(on stage: inout Stage) { isAwake = false }

    func resume(on stage: inout Stage) {
        isAwake = true
        armWake(on: &stage)
    }

    private func joinGroup(on stage: inout Stage) {
        guard let group else { return }
        note(GroupJoined(group: group.traceNumber), on: &stage)
        tell(.groupChosen(group), on: &stage)
    }

    func inform(_ news: SystemNews, on stage: inout Stage) {
        switch news {
        case .launched: joinGroup(on: &stage)
        default:
            if let event = SoundKeeper.Event(news) { tell(.sound(event), on: &stage) }
        }
    }

    func systemSettled(on stage: inout Stage) { deliverTouches(on: &stage) }

    func tell(isMuted: Bool, on stage: inout Stage) { tell(.muteChanged(isMuted), on: &stage) }
}
