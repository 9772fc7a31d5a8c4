import KodamaEvidence
import SansIO

/// Folds a run's records into all voice metrics.
///
/// Speech is what people truly say at a device (`speech.began`, `speech.ended`) while its microphone
/// is on (`microphone.muted`). Only devices that have joined a group give samples, and only towards
/// devices of their own group. Memory is bounded by the number of devices and of mutes, whatever the
/// run's length.
struct VoiceMetrics: Sendable {
    var cast: VoiceCast
    var pairs = PairTable(startingWith: VoicePair())
    var mouthToEar = MouthToEarMeter()
    var stalls = StallMeter()
    private var edges = EdgeMeter()
    var coverage = CoverageMeter()
    var playout = PlayoutMeter()
    private var transmission = TransmissionMeter()
    private var losses = LossMeter()
    var handover: HandoverMeter
    var groups: GroupMeter
    private var cards: CardMeter
    private var owners = OwnerMeter()
    private var sought = SoughtMeter()
    private var signs = SignMeter()
    var mutes = MuteMeter()
    private var admission = AdmissionMeter()

    /// What users can do.
    let acts: DeclaredWords<UserAct>

    init(_ directory: TraceDirectory) {
        acts = directory.systems.acts
        cast = VoiceCast(owners: Owners(directory))
        handover = HandoverMeter(directory)
        groups = GroupMeter(directory)
        cards = CardMeter(directory)
    }

    /// The metrics, in the order in which reports list them.
    var all: [any AnyMeasure] {
        [
            mouthToEar.metrics,
            stalls.metrics,
            coverage.totals.metrics,
            playout.metrics,
            edges.metrics,
            transmission.metrics,
            losses.metrics,
            handover.metrics,
            coverage.totals.handoverMetrics,
            groups.metrics,
            cards.metrics,
            owners.metrics,
            sought.metrics,
            signs.metrics,
            mutes.metrics,
            cards.muteMetrics,
            admission.metrics,
            cast.metrics(pairs),
        ].flatMap { $0 }
    }

    mutating func record(_ record: TraceRecord) {
        let now = record.instant.nanoseconds
        if now >= coverage.nextDue {
            coverage.settle(until: now, pairs)
        }
        switch record.kind {
        case FramePlayed.kind: framePlayed(record)
        case PacketArrived.kind: packetArrived(record)
        case PacketSent.kind: packetSent(record)
        case FrameCaptured.kind: frameCaptured(record)
        case FrameConcealed.kind: frameConcealed(record)
        case FrameDiscarded.kind: frameDiscarded(record)
        case EdgeSounded.kind: edges.sounded(EdgeSounded(record), record)
        case PacketDropped.kind: packetDropped(record)
        case PathJudged.kind: handover.judged(PathJudged(record), record)
        case SpeechBegan.kind, SpeechEnded.kind: speechChanged(record)
        case MicrophoneMuted.kind: microphoneMuted(record)
        case UserActed.kind, CallAudioChanged.kind: soundTouched(record)
        case GroupJoined.kind:
            groupJoined(record)
            admission.record(record)
        case GroupLeft.kind: groupLeft(record)
        case CardShown.kind, MemberRefused.kind:
            cards.record(record)
            owners.record(record)
            sought.record(record)
            if record.kind == MemberRefused.kind { memberRefused(record) }
        case MemberIdentified.kind:
            owners.record(record)
            cards.record(record)
            groups.identified(record)
        case LinkChanged.kind, LinkReached.kind, PeerRadioSwitched.kind, ConnectionUp.kind,
            ConnectionDown.kind:
            handover.record(record)
            groups.record(record, cast.devices)
            cards.record(record)
            admission.record(record)
        case FaultBegan.kind, FaultEnded.kind:
            handover.record(record)
            groups.record(record, cast.devices)
            cards.record(record)
        case InviteAnswered.kind, GroupUnopened.kind, PacketRefused.kind, SpoiltArrived.kind,
            ConnectionCut.kind:
            admission.record(record)
        case GroupHeld.kind: cards.record(record)
        case SignShown.kind: signs.record(record)
        case InternetShown.kind: groups.shown(InternetShown(record), record)
        case RunEnded.kind: runEnded(record)
        default: break
        }
    }

    private mutating func packetSent(_ record: TraceRecord) {
        guard let sender = cast.member(record.component) else { return }
        let packet = PacketSent(record)
        transmission.sent(packet, record)
        losses.sent(record)
        guard let peer = cast.member(record.subject) else { return }
        if packet.content.value == .voice {
            coverage.sent(packet.index, by: sender)
        }
        let pair = pairs.number(sender, peer)
        if packet.content.value == .voice {
            let instant = record.instant.nanoseconds
            stalls.sent(packet.index, at: instant, pair: &pairs.values[pair].stalls)
            losses.frameSent(record, pair: &pairs.values[pair].losses)
        }
        handover.sent(packet, pair: &pairs.values[pair].handover)
        transmission.sent(
            packet,
            record,
            pair: &pairs.values[pair].transmission
        )
    }

    private mutating func packetArrived(_ record: TraceRecord) {
        let packet = PacketArrived(record)
        guard packet.content.value == .voice,
            let (origin, listener) = cast.members(record.subject, record.component)
        else { return }
        playout.arrived(record)
        let pair = pairs.number(origin, listener)
        let instant = record.instant.nanoseconds
        stalls.arrived(packet.index, at: instant, pair: &pairs.values[pair].stalls)
        handover.arrived(packet, pair: &pairs.values[pair].handover)
    }

    private mutating func packetDropped(_ record: TraceRecord) {
        guard let sender = cast.member(record.component) else { return }
        let packet = PacketDropped(record)
        losses.dropped(packet, record)
        guard packet.content.value == .voice, let peer = cast.member(record.subject) else { return }
        let pair = pairs.number(sender, peer)
        losses.frameDropped(pair: &pairs.values[pair].losses)
        handover.dropped(packet, pair: &pairs.values[pair].handover)
    }

    private mutating func speechChanged(_ record: TraceRecord) {
        let device = slot(of: record.subject)
        let change = cast.devices[device].due.speak(
            record.component,
            begins: record.kind == SpeechBegan.kind
        )
        if let change { take(change, at: device, record.instant.nanoseconds) }
    }

    private mutating func microphoneMuted(_ record: TraceRecord) {
        mutes.record(record)
        cards.record(record)
        let device = slot(of: record.component)
        let isMuted = MicrophoneMuted(record).isMuted.isSet
        if isMuted { cast.devices[device].freshOnset = nil }
        for change in cast.devices[device].due.mute(isMuted) {
            take(change, at: device, record.instant.nanoseconds, isHushed: isMuted)
        }
    }

    /// Somebody begins to say something that is to be heard, or ends.
    private mutating func take(
        _ change: DueSpeech.Change,
        at device: Int,
        _ now: Int64,
        isHushed: Bool = false
    ) {
        let person = change.person
        let content: CoverageMeter.Content
        if change.begins {
            cast.devices[device].freshOnset = now
            cast.devices[device].truth.began(person, at: now)
            content = .began(person)
        } else {
            cast.devices[device].truth.ended(person, at: now)
            content = isHushed ? .hushed(person) : .ended(person)
        }
        coverage.observe(.init(instant: now, device: device, content: content))
    }

    private mutating func groupJoined(_ record: TraceRecord) {
        cards.record(record)
        sought.record(record)
        let device = slot(of: record.component)
        guard !cast.devices[device].isJoined else { return }
        cast.devices[device].isJoined = true
        cast.devices[device].hasJoined = true
        let group = GroupJoined(record).group
        let until = cast.devices[device].leftAt
        cast.devices[device].former = cast.devices[device].group.map { (group: $0, until: until) }
        cast.devices[device].group = group
        cast.devices[device].joinedAt = record.instant.nanoseconds
        for pair in pairs.numbers(with: device) { pairs.values[pair].group.begin() }
        groups.joined(device, cast.devices, at: record.instant.nanoseconds)
        let content = CoverageMeter.Content.joined(group: group)
        coverage.observe(
            .init(instant: record.instant.nanoseconds, device: device, content: content)
        )
    }

    private mutating func groupLeft(_ record: TraceRecord) {
        cards.record(record)
        owners.record(record)
        sought.record(record)
        guard let device = cast.member(record.component), cast.devices[device].isJoined else {
            return
        }
        cast.devices[device].isJoined = false
        cast.devices[device].leftAt = record.instant.nanoseconds
        groups.left(device, cast.devices, at: record.instant.nanoseconds)
        endHandovers(of: device, at: record.instant.nanoseconds)
        for pair in pairs.numbers(with: device) {
            pairs.values[pair].transmission.forget()
            pairs.values[pair].handover.forget()
        }
        coverage.observe(
            .init(instant: record.instant.nanoseconds, device: device, content: .left)
        )
    }

    /// A device's talks with all others in its group are over.
    private mutating func endHandovers(of device: Int, at now: Int64) {
        for other in pairs.partners(of: device) where other != device {
            for (origin, listener) in [(device, other), (other, device)] {
                guard let pair = pairs.existing(origin, listener) else { continue }
                handover.ended(
                    at: now,
                    between: (cast.devices[origin].phone, cast.devices[listener].phone),
                    gaps: (cast.devices[origin].soundGap, cast.devices[listener].soundGap),
                    truth: cast.devices[origin].truth,
                    pair: pairs.values[pair].handover
                )
                pairs.values[pair].handover.forget()
            }
        }
    }

    private mutating func memberRefused(_ record: TraceRecord) {
        guard let device = cast.member(record.component) else { return }
        groups.refused(device)
    }

    private mutating func runEnded(_ record: TraceRecord) {
        let now = record.instant.nanoseconds
        groups.end(cast.devices, at: now)
        for device in cast.devices.indices { endHandovers(of: device, at: now) }
        cards.record(record)
        owners.record(record)
        sought.record(record)
        mutes.record(record)
        coverage.end(at: now, pairs)
        for pair in pairs.values.indices {
            mouthToEar.close(&pairs.values[pair].mouthToEar)
            playout.closeRun(&pairs.values[pair].playout)
            transmission.closeGap(at: now, isOpen: true, &pairs.values[pair].transmission)
            losses.end(pair: &pairs.values[pair].losses)
        }
    }

    /// The slot of a component, which is a device from now on.
    private mutating func slot(of component: ComponentIndex) -> Int {
        if let slot = cast.slot(of: component) {
            return slot
        }
        let slot = cast.open(component)
        coverage.openDevice(cast.devices[slot].phone)
        return slot
    }
}
