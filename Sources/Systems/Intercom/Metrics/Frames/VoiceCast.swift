import KodamaEvidence

/// The devices of a run, in slots given in the order in which they are first heard of.
struct VoiceCast {
    /// What is known of one device.
    struct Device {
        /// The phone.
        let phone: ComponentIndex
        /// Whether its app is in a group now.
        var isJoined = false
        /// Whether its app ever was in a group.
        var hasJoined = false
        /// The group that its app is in, or was in last, and since when.
        var group: Int64?
        var joinedAt: Int64 = 0
        /// When its app last left a group.
        var leftAt: Int64 = 0
        /// The group that its app was in before, and until when.
        var former: (group: Int64, until: Int64)?
        /// What of all that people say at it is to be heard, and when they say that.
        var due = DueSpeech()
        var truth = SpeechTruth()
        /// When speech began that has not been carried to anybody yet.
        var freshOnset: Int64?
        /// How long its frames last, by the latest captured.
        var frameDuration: Int64 = 20_000_000
        /// When its sound was last away after somebody's act.
        var soundGap = SoundGap()

        /// Whether what was said at it belongs to a group: to the one that its app is in, or to the
        /// one before if it was said there and is still on its way.
        func belongs(to group: Int64?, said instant: Int64) -> Bool {
            if self.group == group { return true }
            return former.map { $0.group == group && instant < $0.until } ?? false
        }
    }

    /// The devices by slot.
    var devices: [Device] = []
    private var slots: [Int32]
    private let estimatedMOS = Measure.score(
        "voice.mos.estimated",
        """
        Estimate for each stream, from one speaker to one listener, with at least 50 frames of \
        speech: G.107.2 (fullband) with published Opus factors (Ie 20.2, Bpl 11.3), from the mean \
        mouth-to-ear time, the share of frames extrapolated, and how many of them come in a row. \
        No measurement of a call.
        """,
        "ITU-T G.107.2; Alahmadi, Pocta, Melvin, ACM TOMM 17(4) 133, 2021",
        excluding: ["less than 50 frames of speech"]
    )

    private let owners: Owners

    init(owners: Owners) {
        self.owners = owners
        slots = Array(repeating: -1, count: owners.count)
    }

    /// The slot of a component, if it is known to be a device.
    func slot(of component: ComponentIndex) -> Int? {
        guard let place = owners.place(of: component) else { return nil }
        let slot = slots[place]
        return slot < 0 ? nil : Int(slot)
    }

    /// The slot of a device that is or was in a group.
    func member(_ component: ComponentIndex) -> Int? {
        guard let slot = slot(of: component), devices[slot].hasJoined else { return nil }
        return slot
    }

    /// The slots of a speaker and a listener that both are or were in a group.
    func members(
        _ origin: ComponentIndex,
        _ listener: ComponentIndex
    ) -> (origin: Int, listener: Int)? {
        guard let origin = member(origin), let listener = member(listener) else { return nil }
        return (origin, listener)
    }

    /// Gives a component a slot.
    mutating func open(_ component: ComponentIndex) -> Int {
        let phone = owners.phone(of: component)
        slots[Int(phone.index)] = Int32(devices.count)
        devices.append(Device(phone: phone))
        return devices.count - 1
    }

    /// The scores of all streams, by listener and then by speaker.
    func metrics(_ pairs: PairTable<VoicePair>) -> [any AnyMeasure] {
        var scores = estimatedMOS
        for listener in devices.indices {
            for origin in pairs.partners(of: listener) {
                guard let pair = pairs.existing(origin, listener) else { continue }
                let stream = pairs.values[pair].stream
                let (phone, speaker) = (devices[listener].phone, devices[origin].phone)
                let occurrence = Occurrence(stream.span, of: phone, about: speaker)
                if let score = stream.estimatedScore {
                    scores.add(score, at: occurrence)
                } else {
                    scores.exclude("less than 50 frames of speech", at: occurrence)
                }
            }
        }
        return [scores]
    }
}

/// What one listener hears of one speaker, for the E-model.
struct HeardStream {
    /// The samples of 20 ms at 48 kHz.
    static let samplesPerFrame: Int64 = 960

    /// Samples of frames played, whole ones however they were scaled, extrapolated or repaired.
    var dueSamples: Int64 = 0
    /// Samples extrapolated.
    var lostSamples: Int64 = 0
    /// How often sound began to be extrapolated.
    var burstCount: Int64 = 0
    /// From the first frame that carries speech to the latest.
    private(set) var span = Span(start: 0, end: 0)
    private var speechCount: Int64 = 0
    private var delaySum: Int64 = 0

    private static var speechCountMin: Int64 { 50 }

    /// A frame that carries speech was heard so long after it was spoken.
    mutating func played(at heard: Int64, after delay: Int64) {
        span = Span(start: speechCount == 0 ? heard : span.start, end: heard)
        speechCount += 1
        delaySum += delay
    }

    /// The estimated mean opinion score in thousandths.
    var estimatedScore: Int64? {
        guard speechCount >= Self.speechCountMin else { return nil }
        let loss = Proportion(numerator: lostSamples, denominator: dueSamples)
        return EModel.meanOpinionScoreThousandths(
            mouthToEarNanoseconds: delaySum / speechCount,
            lostPartsPerMillion: loss.partsPerMillion(roundedUp: false) ?? 0,
            burstThousandths: burstCount == 0
                ? 1_000 : lostSamples * 1_000 / (burstCount * Self.samplesPerFrame)
        )
    }
}
