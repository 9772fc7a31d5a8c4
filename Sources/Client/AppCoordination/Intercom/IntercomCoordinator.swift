public import PeerTransport
public import SansIO
public import VoiceActivity

/// The intercom app's voice path: sends the user's own voice, and plays the members' voices in time.
///
/// A machine made of machines. Its effects wrap those inner effects that must leave; the others are
/// routed here. Everyone sends their own voice and mixes what they receive (S-AUD-002).
public struct IntercomCoordinator: StateMachine {
    /// A fact for the app.
    public enum Event: Sendable {
        /// The user chose a group to talk in.
        case groupChosen(GroupID)
        /// The user left the group.
        case groupLeft
        /// The user turned the microphone off or on; see `Microphone`.
        case muteChanged(Bool)
        /// The microphone delivered a frame and the detector judged it.
        case frameCaptured(CapturedFrame)
        /// A transport has something to tell.
        case transport(TransportEvent, path: TransportPath)
        /// The speaker asks for sound that begins now.
        case renderRequested(samples: Int)
        /// The system has news of microphone and speaker.
        case sound(SoundKeeper.Event)
    }

    /// An order from the app.
    public enum Effect: Sendable, Equatable {
        /// An order for a transport.
        case transport(TransportCommand)
        /// Forgets a captured frame that is not sent.
        case discardCaptured(FrameHandle)
        /// Forgets a received frame that is not new or not from a member.
        case reject(FrameHandle, from: PeerID, ReplayWindow.Verdict?)
        /// Shows whether the user's own voice is being sent.
        case talkStateChanged(TalkGate.State)
        /// What the speaker plays of one member's voice.
        case playout(PeerID, JitterBuffer.Effect)
        /// An order for the system's microphone and speaker.
        case sound(SoundKeeper.Effect)
    }

    /// A group has at most six members (S-GRP-001).
    public static let peersMax = 5

    /// The most that one call emits: a full jitter buffer thrown away for each peer.
    public static var effectsPerCallMax: Int {
        peersMax * (JitterBuffer.effectsPerCallMax + 1) + 2 * TalkGate.effectsPerCallMax + 2
    }

    /// An app that has left its group can choose another, so it never ends.
    public var isFinished: Bool { false }

    let configuration: IntercomConfiguration
    let streamID: UInt32
    var group: GroupID?
    var gate: TalkGate
    var keepalive: KeepaliveSchedule
    var sound: SoundKeeper
    var microphone = Microphone()
    /// Whether somebody else has the audio: nothing is sent, and nothing could be heard.
    var soundIsTaken = false
    var sending = SendingState()
    /// The members who can be reached, by their stream's number.
    var receptions: [PeerReception] = []

    /// Those who left last, so that a frame heard before they left is not heard again after.
    var departed: [DepartedMember] = []

    var gateMemory = EffectMemory<TalkGate.Effect>()
    var keepaliveMemory = EffectMemory<KeepaliveSchedule.Effect>()
    var playoutMemory = EffectMemory<JitterBuffer.Effect>()

    /// Makes an app that is in no group.
    ///
    /// - Parameters:
    ///   - configuration: What can be tuned.
    ///   - streamID: The number of one's own voice stream, unique in the group.
    public init(configuration: IntercomConfiguration, streamID: UInt32) {
        self.configuration = configuration
        self.streamID = streamID
        gate = TalkGate(configuration: configuration.gate)
        keepalive = KeepaliveSchedule(configuration: configuration.keepalive)
        sound = SoundKeeper()
        sending.nextSequence = SerialNumber(UInt32(truncatingIfNeeded: configuration.firstSequence))
    }

    /// The earliest of the inner machines' deadlines.
    public var deadline: Deadline? {
        // Jitter buffers have none: the speaker asks them.
        Deadline.earliest(gate.deadline, Deadline.earliest(keepalive.deadline, sound.deadline))
    }

    /// Takes one fact.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .groupChosen(let group): choose(group, in: &turn)
        case .groupLeft:
            leave(in: &turn)
            soundIsTaken = false
            tellSound(.wanted(false), in: &turn)
        case .muteChanged(let isMuted): mute(isMuted, in: &turn)
        case .frameCaptured(let frame): capture(frame, in: &turn)
        case .transport(let event, let path): receive(event, by: path, in: &turn)
        case .renderRequested(let samples):
            tellPlayouts(.renderRequested(samples: samples), in: &turn)
        case .sound(let news): tellSound(news, in: &turn)
        }
    }

    /// Wakes the inner machines; each ignores a wake before its own deadline (law L2).
    public mutating func wake(in turn: inout Turn<Effect>) {
        tellGate(nil, in: &turn)
        tellKeepalive(nil, in: &turn)
        tellSound(nil, in: &turn)
        tellPlayouts(nil, in: &turn)
    }

    mutating func choose(_ chosen: GroupID, in turn: inout Turn<Effect>) {
        guard group != chosen else { return }
        if group != nil { leave(in: &turn) }
        group = chosen
        turn.order(.transport(.connect(chosen, path: .local)))
        tellKeepalive(.started, in: &turn)
        tellSound(.wanted(true), in: &turn)
    }

    mutating func leave(in turn: inout Turn<Effect>) {
        stopTalking(in: &turn)
        for place in receptions.indices {
            tellPlayout(place, .stop, in: &turn)
            remember(receptions[place])
        }
        receptions.removeAll(keepingCapacity: true)
        guard group != nil else { return }
        keepalive = KeepaliveSchedule(configuration: configuration.keepalive)
        turn.order(.transport(.disconnect(path: .local)))
        group = nil
    }
}
