@testable import KodamaEvidence
@testable import KodamaIntercom
@testable import KodamaSimulation
import PeerTransport
import SansIO
import SansIOTesting

/// A made-up call with everything that can go wrong, for comparing fast code with obvious code.
struct RandomCall {
    var trace: RecordedTrace

    init(seed: UInt64, bystander: Bool = false) {
        var random = LawRandom(seed: seed)
        let deviceCount = 2 + random.below(3)
        let devices = (0..<deviceCount).map { "phone-\($0)" }
        // The bystander is in no group; people speak at it and it captures frames all the same.
        let names =
            (bystander ? ["bystander", "loner"] : []) + devices + devices.map { "owner-of-\($0)" }
            + ["guest"]
        let duration = Int64(8_000 + random.below(8_000))
        var builder = TraceBuilder(names)
        for device in devices {
            Self.addMembership(of: device, duration, &builder, &random)
            Self.addSpeech(of: "owner-of-\(device)", at: device, duration, &builder, &random)
        }
        for (place, device) in devices.enumerated() {
            let peers = devices.filter { $0 != device }
            Self.addVoice(
                of: device,
                for: peers,
                drift: Int64(place * 300),
                duration,
                &builder,
                &random
            )
        }
        if random.chance(percent: 50) {
            Self.addSpeech(of: "guest", at: devices[0], duration, &builder, &random)
        }
        if bystander {
            Self.addBystander(near: devices[0], duration, &builder, seed)
        }
        trace = builder.trace
        trace.seed = seed
        let end = Instant(nanoseconds: duration * 1_000_000)
        trace.records.removeAll { $0.instant > end }
        trace.records.append(TraceRecord(RunEnded(), at: end, of: .none))
    }

    private static func addBystander(
        near device: String,
        _ duration: Int64,
        _ builder: inout TraceBuilder,
        _ seed: UInt64
    ) {
        var random = LawRandom(seed: seed ^ 0xB75)
        addSpeech(of: "loner", at: "bystander", duration, &builder, &random)
        for frame in 0..<(duration / 20 - 1) {
            let instant = frame * 20 + 20
            let captured = FrameCaptured(
                index: frame,
                start: .ns(frame * 20_000_000),
                durationNanoseconds: 20_000_000
            )
            builder.add(captured, at: instant, "bystander")
            builder.add(
                PacketSent(index: frame, bytes: 60, content: .voice, path: .local),
                at: instant,
                "bystander",
                device
            )
            builder.add(
                PacketDropped(index: frame, bytes: 60, content: .voice, reason: .down),
                at: instant,
                "bystander",
                device
            )
        }
    }

    private static func addMembership(
        of device: String,
        _ duration: Int64,
        _ builder: inout TraceBuilder,
        _ random: inout LawRandom
    ) {
        var instant = Int64(random.below(300))
        let group = Int64(random.chance(percent: 15) ? 1 : 0)
        builder.add(GroupJoined(group: group), at: instant, device)
        while random.chance(percent: 30) {
            instant += Int64(1_000 + random.below(4_000))
            guard instant < duration else { return }
            builder.add(GroupLeft(group: group), at: instant, device)
            instant += Int64(1 + random.below(2_000))
            guard instant < duration else { return }
            builder.add(GroupJoined(group: group), at: instant, device)
        }
    }

    private static func addSpeech(
        of person: String,
        at device: String,
        _ duration: Int64,
        _ builder: inout TraceBuilder,
        _ random: inout LawRandom
    ) {
        var nanoseconds = Int64(random.below(1_500_000_000))
        var spurt: Int64 = 1
        while true {
            builder.add(SpeechBegan(spurt: spurt), atNanoseconds: nanoseconds, person, device)
            nanoseconds += Int64(
                1 + random.below(random.chance(percent: 30) ? 5_000_000_000 : 1_500_000_000)
            )
            guard nanoseconds < duration * 1_000_000 else { return }
            builder.add(SpeechEnded(spurt: spurt), atNanoseconds: nanoseconds, person, device)
            nanoseconds += Int64(1 + random.below(1_500_000_000))
            guard nanoseconds < duration * 1_000_000 else { return }
            spurt += 1
        }
    }

    private static func addVoice(
        of device: String,
        for peers: [String],
        drift: Int64,
        _ duration: Int64,
        _ builder: inout TraceBuilder,
        _ random: inout LawRandom
    ) {
        let length = 20_000_000 + drift
        var start = Int64(random.below(20_000_000))
        var index: Int64 = 0
        var isSending = false
        while start + length < duration * 1_000_000 {
            if random.chance(percent: 1) {
                // The microphone is taken away for a while.
                start += Int64(random.below(1_500_000_000))
            }
            if random.chance(percent: 5) {
                isSending.toggle()
            }
            let captured = start + length + 1_000_000
            builder.add(
                FrameCaptured(index: index, start: .ns(start), durationNanoseconds: length),
                atNanoseconds: captured,
                device
            )
            let sent =
                captured
                + Int64(random.below(random.chance(percent: 2) ? 2_500_000_000 : 100_000_000))
            for peer in peers {
                if isSending {
                    addJourney(of: index, start, sent, device, peer, &builder, &random)
                } else if random.chance(percent: 3) {
                    builder.add(
                        PacketSent(index: 0, bytes: 20, content: .keepalive, path: .local),
                        atNanoseconds: captured,
                        device,
                        peer
                    )
                }
            }
            start += length
            index += 1
        }
    }

    private static func addJourney(
        of index: Int64,
        _ start: Int64,
        _ sent: Int64,
        _ device: String,
        _ peer: String,
        _ builder: inout TraceBuilder,
        _ random: inout LawRandom
    ) {
        let path = PacketPath.allCases[random.below(2)]
        builder.add(
            PacketSent(index: index, bytes: 60, content: .voice, path: path),
            atNanoseconds: sent,
            device,
            peer
        )
        guard !random.chance(percent: 5) else {
            builder.add(
                PacketDropped(index: index, bytes: 60, content: .voice, reason: .loss),
                atNanoseconds: sent + 5_000,
                device,
                peer
            )
            let means = ConcealmentMeans.allCases[random.below(2)]
            let heard = start + 120_000_000
            let samples = Int64(480 + random.below(481))
            builder.add(
                FrameConcealed(
                    index: index,
                    samples: samples,
                    heard: .ns(heard),
                    means: TraceWord(means)
                ),
                atNanoseconds: sent + 60_000_000,
                peer,
                device
            )
            return
        }
        let arrived = sent + Int64(random.below(30_000_000))
        builder.add(
            PacketArrived(index: index, bytes: 60, content: .voice, path: path),
            atNanoseconds: arrived,
            peer,
            device
        )
        guard !random.chance(percent: 4) else {
            let reason = JitterBuffer.DiscardReason.allCases[random.below(4)]
            builder.add(
                FrameDiscarded(index: index, reason: TraceWord(reason)),
                atNanoseconds: arrived,
                peer,
                device
            )
            return
        }
        let rendered =
            arrived + Int64(random.below(random.chance(percent: 3) ? 1_000_000_000 : 50_000_000))
        let played = FramePlayed(
            index: index,
            samples: Int64(816 + random.below(289)),
            heard: .ns(rendered + 10_000_000),
            captured: .ns(start)
        )
        builder.add(played, atNanoseconds: rendered, peer, device)
        if random.chance(percent: 2) {
            builder.add(played, atNanoseconds: rendered + 20_000_000, peer, device)
        }
    }
}
