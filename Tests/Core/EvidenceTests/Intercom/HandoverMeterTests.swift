@testable import KodamaEvidence
@testable import KodamaIntercom
@testable import KodamaSimulation
import PeerTransport
import SansIO
import Testing

@Suite("Silence at a handover, from the world's records (K-13)")
struct HandoverMeterTests {
    private typealias Talk = HandoverTalk

    private static let toLocal = "handover.silence.to_local.time"
    private static let toLocalCut = "handover.silence.to_local.cut.time"
    private static let cut = "handover.silence.to_internet.cut.time"
    private static let warned = "handover.silence.to_internet.warned.time"
    private static let other = "handover.silence.to_internet.other.time"
    private static let onset = "handover.onset.clipped.time"

    /// A radio that ends at 10 s, and a sender who notices 200 ms later.
    private func hardCut() -> Talk {
        var talk = Talk()
        talk.internet(isUp: true, at: 2_000)
        talk.frames(1_000..<10_000, by: [.local])
        talk.link(.stopped, at: 10_000)
        talk.frames(10_000..<10_200, by: [.local], arrive: false)
        talk.frames(10_200..<12_000, by: [.local, .internet])
        return talk
    }

    @Test(
        "What a hard cut costs is the time between the last sound before it and the first after it"
    )
    func cutCounts() {
        var talk = hardCut()
        talk.frames(12_000..<20_000, by: [.internet])
        #expect(talk.samples(Self.cut) == (1, 200))
        #expect(talk.samples(Self.warned).count == 0 && talk.samples(Self.other).count == 0)
    }

    @Test("A handover that never ends is open, one that goes back is none")
    func unfinished() {
        var talk = hardCut()
        #expect(talk.occasions(Self.cut)?.censoredCount == 1)
        talk.link(.restored, at: 12_000)
        talk.frames(12_000..<20_000, by: [.local])
        #expect(talk.samples(Self.cut).count == 0)
    }

    @Test("A radio that was changed a second before it ended gave a warning, half a second did not")
    func warning() {
        for (lead, metric) in [(1_500 as Int64, Self.warned), (500, Self.cut)] {
            var talk = hardCut()
            talk.link(.changed, at: 10_000 - lead)
            talk.frames(12_000..<20_000, by: [.internet])
            #expect(talk.samples(metric) == (1, 200), "\(lead) ms")
        }
    }

    @Test("Where the Internet did not stand by, the silence has a metric of its own")
    func cold() {
        var talk = Talk()
        talk.frames(1_000..<10_000, by: [.local])
        talk.link(.stopped, at: 10_000)
        talk.frames(10_000..<16_000, by: [.local], arrive: false)
        talk.internet(isUp: true, at: 16_000)
        talk.frames(16_000..<17_000, by: [.local, .internet])
        talk.frames(17_000..<20_000, by: [.internet])
        #expect(talk.samples(Self.other) == (1, 6_000))
    }

    @Test("A return without a gap counts as 0 ms, one with made-up sound as what it lasts")
    func back() {
        for gap in [0, 40] as [Int64] {
            var talk = Talk()
            talk.frames(1_000..<10_000, by: [.internet])
            talk.frames(10_000..<11_000, by: [.local, .internet])
            talk.frames(11_000..<(11_000 + gap), by: [.local], arrive: false)
            talk.frames((11_000 + gap)..<15_000, by: [.local])
            #expect(talk.samples(Self.toLocal) == (1, gap))
        }
    }

    @Test("A frame that is shortened leaves no silence before the next, and excuses none (K-13)")
    func shortened() {
        // The time scaler has cut nothing of it yet, or what follows was lost.
        for gap in [0, 40] as [Int64] {
            var talk = Talk()
            talk.frames(1_000..<10_000, by: [.internet])
            talk.playedSamples = 816
            talk.frames(10_000..<11_000, by: [.local, .internet])
            talk.playedSamples = 960
            talk.frames(11_000..<(11_000 + gap), by: [.local], arrive: false)
            talk.frames((11_000 + gap)..<15_000, by: [.local])
            // The last of the shortened ones ends 3 ms before the hole.
            #expect(talk.samples(Self.toLocal) == (1, gap > 0 ? gap + 3 : 0))
        }
        // Sound is made up for 20 ms between two frames that follow each other.
        var late = Talk()
        late.frames(1_000..<10_000, by: [.internet])
        late.playedSamples = 816
        late.frames(10_000..<10_500, by: [.local, .internet])
        late.playedSamples = 960
        late.delay = 120
        late.frames(10_500..<11_000, by: [.local, .internet])
        late.frames(11_000..<15_000, by: [.local])
        #expect(late.samples(Self.toLocal) == (1, 23))
    }

    /// A return to the radio by way of both, in which 400 ms are lost by the two together.
    private func holedReturn(_ prepare: (inout TraceBuilder) -> Void) -> Talk {
        var talk = Talk()
        prepare(&talk.builder)
        talk.frames(1_000..<10_000, by: [.internet])
        talk.frames(10_000..<10_400, by: [.local, .internet], arrive: false)
        talk.frames(10_400..<12_000, by: [.local, .internet])
        talk.frames(12_000..<15_000, by: [.local])
        return talk
    }

    @Test(
        "A return to the radio in which the Internet ends is told from one that it outlasts (K-13)",
        arguments: [
            (WorldFault.radioDown, "a/cellular", 9_900), (.radioDown, "a/cellular", 11_000),
            (.mediaCut, "b/cellular", 10_010),
        ] as [(WorldFault, String, Int64)]
    )
    func internetEnds(fault: WorldFault, radio: String, time: Int64) {
        let talk = holedReturn { $0.add(FaultBegan(fault: fault, parameter: 0), at: time, radio) }
        #expect(talk.samples(Self.toLocalCut) == (1, 400))
        #expect(talk.samples(Self.toLocal).count == 0)
    }

    @Test("What the Internet loses while it stands, or lost before, is the return's silence (K-13)")
    func internetStands() {
        let untouched = holedReturn { _ in }
        let slowed = holedReturn {
            $0.add(LinkChanged(disruption: .slowed, parameter: 0), at: 9_900, "a/cellular")
        }
        let back = holedReturn {
            $0.add(FaultBegan(fault: .radioDown, parameter: 0), at: 500, "a/cellular")
            $0.add(FaultBegan(fault: .radioUp, parameter: 0), at: 900, "a/cellular")
        }
        let unblocked = holedReturn {
            $0.add(FaultBegan(fault: .blackHole, parameter: 0), at: 500, "b/cellular")
            $0.add(FaultEnded(fault: .blackHole), at: 900, "b/cellular")
        }
        for (talk, name) in [
            (untouched, "untouched"), (slowed, "slowed"), (back, "back"), (unblocked, "unblocked"),
        ] {
            #expect(talk.samples(Self.toLocal) == (1, 400), "\(name)")
            #expect(talk.samples(Self.toLocalCut).count == 0, "\(name)")
        }
    }

    @Test("What a call takes from one of the two in a handover is not the handover's (K-13)")
    func soundTaken() {
        for (lost, silence) in [(0, 0), (400, 400)] as [(Int64, Int64)] {
            var talker = Talk()
            talker.frames(1_000..<10_000, by: [.internet])
            talker.frames(10_000..<11_000, by: [.local, .internet])
            talker.builder.add(UserActed(action: .phoneCallBegins), at: 11_010, "a")
            talker.frames(17_000..<(17_000 + lost), by: [.local], arrive: false)
            talker.frames((17_000 + lost)..<20_000, by: [.local])
            #expect(talker.samples(Self.toLocal) == (1, silence))
        }
        var listener = Talk()
        listener.listenerCaptures(1_000..<11_000)
        listener.frames(1_000..<10_000, by: [.internet])
        listener.frames(10_000..<11_000, by: [.local, .internet])
        listener.builder.add(CallAudioChanged(isActive: true), at: 11_010, "b.calls")
        listener.frames(11_000..<17_000, by: [.local], arrive: false)
        listener.frames(17_000..<20_000, by: [.local])
        var early = listener
        listener.listenerCaptures(17_000..<20_000)
        #expect(listener.samples(Self.toLocal) == (1, 0))
        // The speaker may sound before the microphone has delivered its first frame.
        early.listenerCaptures(17_200..<20_000)
        #expect(early.samples(Self.toLocal) == (1, 0))
    }

    @Test("What a headset cuts off at the listener in a handover is not the handover's (K-13)")
    func soundRerouted() {
        for (act, time, length, silence) in [
            (.plugHeadset, 11_050, 80, 0), (.plugHeadset, 11_050, 200, 200),
            (.plugHeadset, 10_900, 80, 80), (.lock, 11_050, 80, 80),
        ] as [(UserAct, Int64, Int64, Int64)] {
            var talk = Talk()
            talk.listenerCaptures(1_000..<20_000)
            talk.frames(1_000..<10_000, by: [.internet])
            talk.frames(10_000..<11_000, by: [.local, .internet])
            talk.builder.add(UserActed(action: act), at: time, "b")
            talk.frames(11_000..<(11_000 + length), by: [.local], arrive: false)
            talk.frames((11_000 + length)..<20_000, by: [.local])
            #expect(talk.samples(Self.toLocal) == (1, silence), "\(act) at \(time) ms")
        }
    }

    @Test("A silence that a headset comes into is not the headset's, unless a loss began it (K-13)")
    func soundReroutedInSilence() {
        for (time, silence) in [(10_590, 0), (10_610, 0), (10_650, 80)] as [(Int64, Int64)] {
            var talk = Talk()
            talk.listenerCaptures(1_000..<20_000)
            talk.frames(1_000..<10_000, by: [.internet])
            talk.frames(10_000..<10_500, by: [.local, .internet])
            // It would have sounded from 10.6 s on.
            talk.frames(10_500..<10_520, by: [.local, .internet], lost: .loss)
            talk.builder.add(UserActed(action: .plugHeadset), at: time, "b")
            talk.frames(10_520..<10_600, by: [.local, .internet], arrive: false)
            talk.frames(10_600..<11_000, by: [.local, .internet])
            talk.frames(11_000..<20_000, by: [.local])
            #expect(talk.samples(Self.toLocal) == (1, silence), "at \(time) ms")
        }
    }

    @Test("An app that stops its own sound in a handover is not excused by that (K-13)")
    func soundStopped() {
        // What was done long before, or when the sound was away already, is no reason for it.
        for acts in [[], [5_000, 11_800]] as [[Int64]] {
            var talker = Talk()
            talker.frames(1_000..<10_000, by: [.internet])
            talker.frames(10_000..<11_000, by: [.local, .internet])
            for time in acts { talker.builder.add(UserActed(action: .openApp), at: time, "a") }
            talker.frames(12_000..<20_000, by: [.local])
            #expect(talker.samples(Self.toLocal) == (1, 1_000), "\(acts)")
            var listener = Talk()
            listener.listenerCaptures(1_000..<11_000)
            listener.frames(1_000..<10_000, by: [.internet])
            listener.frames(10_000..<11_000, by: [.local, .internet])
            for time in acts { listener.builder.add(UserActed(action: .openApp), at: time, "b") }
            listener.frames(11_000..<12_000, by: [.local], arrive: false)
            listener.frames(12_000..<20_000, by: [.local])
            listener.listenerCaptures(12_000..<20_000)
            #expect(listener.samples(Self.toLocal) == (1, 1_000), "\(acts)")
        }
    }

    @Test("An act that takes the sound from no app excuses none that stops its own (K-13)")
    func soundUntouched() {
        for (act, silence) in [
            (.openApp, 0), (.lock, 1_000), (.leaveApp, 1_000), (.unmute, 1_000),
        ] as [(UserAct, Int64)] {
            var talker = Talk()
            talker.frames(1_000..<10_000, by: [.internet])
            talker.frames(10_000..<11_000, by: [.local, .internet])
            talker.builder.add(UserActed(action: act), at: 10_900, "a")
            talker.frames(12_000..<20_000, by: [.local])
            #expect(talker.samples(Self.toLocal) == (1, silence), "\(act)")
        }
    }

    @Test("Who leaves the group in the middle of a handover ends it (K-13)")
    func leaves() {
        for app in ["a.intercom", "b.intercom"] {
            var talk = Talk()
            talk.frames(1_000..<10_000, by: [.internet])
            talk.frames(10_000..<10_500, by: [.local, .internet])
            talk.builder.add(GroupLeft(group: 1), at: 10_600, app)
            talk.builder.add(GroupJoined(group: 1), at: 15_000, app)
            talk.frames(16_000..<20_000, by: [.local])
            #expect(talk.samples(Self.toLocal).count == 0, "\(app)")
            talk.frames(20_000..<21_000, by: [.local, .internet])
            talk.frames(21_000..<25_000, by: [.internet])
            #expect(talk.samples(Self.other) == (1, 0), "\(app)")
        }
    }

    @Test("A slower path that is waited for is silence too, though no frame is lost")
    func delayed() {
        var talk = Talk()
        talk.internet(isUp: true, at: 2_000)
        talk.frames(1_000..<10_000, by: [.local])
        talk.link(.changed, at: 7_000)
        talk.delay = 150
        talk.frames(10_000..<11_000, by: [.local, .internet])
        talk.frames(11_000..<15_000, by: [.internet])
        #expect(talk.samples(Self.other) == (1, 50))
    }

    @Test("What a path loses while it still carries is its own loss, and what it loses last is not")
    func ownLoss() {
        for (reason, silence) in [(LinkDropReason.loss, 0 as Int64), (.queueFull, 60)] {
            var talk = Talk()
            talk.internet(isUp: true, at: 2_000)
            talk.frames(1_000..<8_000, by: [.local])
            talk.link(.changed, at: 8_000)
            talk.frames(8_000..<8_060, by: [.local], lost: reason)
            talk.frames(8_060..<10_000, by: [.local, .internet])
            talk.link(.stopped, at: 10_000)
            talk.frames(10_000..<12_000, by: [.internet])
            #expect(talk.samples(Self.warned) == (1, silence), "\(reason)")
        }
        var talk = Talk()
        talk.internet(isUp: true, at: 2_000)
        talk.frames(1_000..<8_000, by: [.local])
        talk.link(.changed, at: 8_000)
        // Out of reach a radio loses everything.
        talk.frames(8_000..<8_060, by: [.local], lost: .loss)
        talk.frames(8_060..<10_000, by: [.internet])
        #expect(talk.samples(Self.other) == (1, 60))
    }

    @Test("A path that carries again after the other was heard has lost on its own (K-13)")
    func ownLossProvenLate() {
        for (burst, silence) in [(220, 0), (1_020, 20)] as [(Int64, Int64)] {
            var talk = Talk()
            talk.frames(1_000..<10_000, by: [.internet])
            talk.frames(10_000..<(10_000 + burst), by: [.internet], lost: .loss)
            // What comes by radio sounds long before its copies are there.
            talk.internetTransit = 235
            talk.frames((10_000 + burst)..<12_000, by: [.local, .internet])
            talk.frames(12_000..<15_000, by: [.local])
            #expect(talk.samples(Self.toLocal) == (1, silence), "\(burst) ms")
        }
        var talk = Talk()
        talk.frames(1_000..<10_000, by: [.internet])
        talk.frames(10_000..<10_220, by: [.internet], lost: .loss)
        talk.frames(10_220..<12_000, by: [.local])
        #expect(talk.samples(Self.toLocal) == (1, 220), "the Internet carries no more")
    }

    @Test("What a radio loses that carries is its own loss, though a copy comes too late (K-13)")
    func ownLossOfCopied() {
        for (carrier, silence) in [(.internet, 0), (.local, 20)] as [(PacketPath, Int64)] {
            var talk = Talk()
            talk.internet(isUp: true, at: 2_000)
            talk.frames(1_000..<8_000, by: [.local])
            talk.link(.changed, at: 8_000)
            talk.frames(8_000..<8_020, by: [.local, .internet])
            // It came by one of its two ways, and sounded by neither.
            talk.frames(8_020..<8_040, by: [.local, .internet], arrive: false, lost: .loss)
            talk.came(8_020, by: carrier)
            talk.frames(8_040..<10_000, by: [.local, .internet])
            talk.link(.stopped, at: 10_000)
            talk.frames(10_000..<12_000, by: [.internet])
            #expect(talk.samples(Self.warned) == (1, silence), "\(carrier)")
        }
    }

    @Test("Who says nothing is not missed")
    func pause() {
        var talk = Talk(spokenUntil: 9_000)
        talk.builder.add(SpeechBegan(spurt: 1), at: 10_500, "ann", "a")
        talk.internet(isUp: true, at: 2_000)
        talk.frames(1_000..<9_000, by: [.local])
        talk.link(.stopped, at: 9_500)
        talk.frames(10_600..<12_000, by: [.local, .internet])
        talk.frames(12_000..<20_000, by: [.internet])
        #expect(talk.samples(Self.cut).count == 0)
    }

    /// A radio that ends at 10 s in a pause, the Internet standing by; the talk goes on until 15 s.
    private func onsetAfterCut(
        at onset: Int64 = 10_500,
        standsBy: Bool = true,
        stops: Bool = true
    ) -> Talk {
        var talk = Talk(spokenUntil: 9_000)
        talk.builder.add(SpeechBegan(spurt: 2), at: onset, "ann", "a")
        talk.builder.add(SpeechEnded(spurt: 2), at: 15_000, "ann", "a")
        if standsBy { talk.internet(isUp: true, at: 2_000) }
        talk.frames(1_000..<9_000, by: [.local])
        if stops { talk.link(.stopped, at: 10_000) }
        return talk
    }

    @Test("What a spurt loses that begins in a dead radio's silence is its onset (K-13, K-15)")
    func lostOnset() {
        var lost = onsetAfterCut()
        lost.frames(10_500..<11_000, by: [.local], arrive: false)
        lost.frames(11_000..<12_000, by: [.local, .internet])
        lost.frames(12_000..<15_000, by: [.internet])
        #expect(lost.samples(Self.onset) == (1, 500))
        #expect(lost.samples(Self.cut) == (1, 500), "what was said while the radio was gone")
        var unheard = onsetAfterCut()
        unheard.frames(10_500..<15_000, by: [.local], arrive: false)
        #expect(unheard.samples(Self.onset) == (1, 4_500))
        var kept = onsetAfterCut()
        kept.frames(10_500..<15_000, by: [.internet])
        #expect(kept.samples(Self.onset) == (1, 0))
    }

    @Test("An onset in the very moment in which the radio ends is one after it")
    func onsetAtCut() {
        var talk = onsetAfterCut(at: 10_000)
        talk.frames(10_000..<11_200, by: [.local], arrive: false)
        // The radio is back before what is said then is over.
        talk.link(.restored, at: 11_000)
        talk.frames(11_200..<15_000, by: [.local])
        #expect(talk.samples(Self.onset) == (1, 1_200))
    }

    @Test("Without an end of the radio, or an Internet that stood by, no onset counts")
    func otherOnsets() {
        for (standsBy, stops) in [(false, true), (true, false)] {
            var talk = onsetAfterCut(standsBy: standsBy, stops: stops)
            talk.frames(10_500..<11_000, by: [.local], arrive: false)
            talk.frames(11_000..<15_000, by: [.internet])
            #expect(talk.samples(Self.onset).count == 0)
        }
        // Whoever spoke on when the radio ended is missed in the middle.
        var spokenOn = hardCut()
        spokenOn.frames(12_000..<20_000, by: [.internet])
        #expect(spokenOn.samples(Self.onset).count == 0)
    }

    @Test("Of the spurts after one end of the radio the first counts, and after another end anew")
    func laterOnsets() {
        var talk = onsetAfterCut()
        talk.frames(10_500..<15_000, by: [.internet])
        for (onset, end) in [(16_000, 18_000), (21_000, 23_000)] as [(Int64, Int64)] {
            talk.builder.add(SpeechBegan(spurt: 3), at: onset, "ann", "a")
            talk.builder.add(SpeechEnded(spurt: 3), at: end, "ann", "a")
        }
        talk.frames(16_000..<16_400, by: [.internet], arrive: false)
        talk.frames(16_400..<18_000, by: [.internet])
        talk.frames(21_000..<21_300, by: [.local], arrive: false)
        talk.frames(21_300..<23_000, by: [.internet])
        #expect(talk.samples(Self.onset) == (1, 0))
        talk.link(.restored, at: 19_000)
        talk.link(.stopped, at: 20_000)
        #expect(talk.samples(Self.onset) == (2, 300))
    }

    @Test(
        "The first word counts from the joining where speech was missed, and not where it began later"
    )
    func firstWord() {
        let name = "group.first_word.time"
        var missed = Talk()
        missed.frames(12_000..<13_000, by: [.local])
        #expect(missed.samples(name) == (1, 12_100))
        var early = Talk()
        early.frames(600..<2_000, by: [.local])
        #expect(early.samples(name).count == 0)
    }

    @Test("A frame that a listener of another group hears is counted (A-F-018)")
    func crossGroup() {
        var talk = Talk()
        talk.frames(1_000..<2_000, by: [.local])
        #expect(talk.total("voice.cross_group.played") == 0)
        talk.builder.add(GroupLeft(group: 1), at: 2_500, "b.intercom")
        talk.builder.add(GroupJoined(group: 2), at: 2_600, "b.intercom")
        talk.frames(3_000..<3_100, by: [.local])
        #expect(talk.total("voice.cross_group.played") == 5)
    }

    @Test("What was said before its speaker changed groups is the former group's (A-F-018)")
    func saidBeforeLeaving() {
        var talk = Talk()
        talk.frames(1_000..<2_000, by: [.local])
        talk.builder.add(GroupLeft(group: 1), at: 2_000, "a.intercom")
        talk.builder.add(GroupJoined(group: 2), at: 2_040, "a.intercom")
        #expect(talk.total("voice.cross_group.played") == 0)
        talk.frames(2_000..<2_040, by: [.local])
        #expect(talk.total("voice.cross_group.played") == 2, "said in neither group")
        talk.frames(2_100..<2_200, by: [.local])
        #expect(talk.total("voice.cross_group.played") == 7)
    }

    @Test("Changes of path are counted from one to the next (S-HO-002)")
    func interval() {
        var talk = hardCut()
        talk.frames(12_000..<20_000, by: [.internet])
        talk.frames(20_000..<21_000, by: [.local, .internet])
        talk.frames(21_000..<25_000, by: [.local])
        #expect(talk.samples("handover.interval.time") == (1, 9_000))
    }
}
