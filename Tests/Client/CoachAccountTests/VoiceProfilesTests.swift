import AppServer
import CoachAccount
import CoachExchange
import CoachStore
import SansIO
import SansIOTesting
import Testing

@Suite("A voice is cloned whole or not at all, and deleted for good (AN-17)")
struct VoiceProfilesTests {
    private static let rules: RecordingRules = {
        var rules = RecordingRules()
        (rules.bytesPerSecond, rules.partByteCount) = (4, 40)
        return rules
    }()
    private static let audio = (0..<160).map { UInt8($0) }

    private static func entropy(_ byte: UInt8 = 1) throws -> VoiceEntropy {
        try #require(VoiceEntropy((0..<96).map { UInt8($0) ^ byte }))
    }

    private static func machine(_ progress: VoiceProgress) -> (VoiceProfiles, [VoiceProfiles.Event])
    {
        (VoiceProfiles(rules: rules, seed: 5), [.opened(progress)])
    }

    /// What the driver of an app does.
    private static func perform(
        _ effect: VoiceProfiles.Effect,
        in town: CoachTown,
        _ shown: (VoiceStatus) -> Void = { _ in }
    ) throws -> VoiceProfiles.Event? {
        switch effect {
        case .keepKeys(let operation, let recording, let voice):
            (town.recordingKey, town.voiceKey) = (recording, voice)
            return .keysKept(operation, isKept: true)
        case .keepRecording(let operation, let file):
            town.recording = file
            return .recordingKept(operation, isKept: true)
        case .keepProgress(let operation, let progress):
            try town.store.keep(progress, at: town.wall)
            return .progressKept(operation, isKept: true)
        case .readRecording(let operation):
            guard let key = town.recordingKey, let file = town.recording else {
                return .recordingRead(operation, .missing)
            }
            return .recordingRead(operation, .found(key: key.bytes, file: file))
        case .destroyRecording: (town.recordingKey, town.recording) = (nil, nil)
        case .destroyVoiceKey: town.voiceKey = nil
        case .callServer(let operation, let request):
            return .serverAnswered(operation, town.send(request))
        case .cancelCall: break
        case .show(let status): shown(status)
        }
        return nil
    }

    /// Records, if nothing was kept before, and goes on to the end, also through a kill.
    private static func clone(_ town: CoachTown) throws -> VoiceProfiles {
        try town.run {
            let progress = try town.store.voiceProgress()
            let opened = Self.machine(progress)
            var events = opened.1
            if progress == .none {
                events += [
                    .consented(version: 1, at: town.wall),
                    .recorded(Self.audio, try Self.entropy(UInt8(town.random.below(200)))),
                ]
            }
            return (opened.0, events)
        } perform: {
            try Self.check(town)
            return try Self.perform($0, in: town)
        }
    }

    private static func delete(_ town: CoachTown) throws -> VoiceProfiles {
        try town.run {
            let progress = try town.store.voiceProgress()
            let (machine, events) = Self.machine(progress)
            // A user whose app went before it said so asks again.
            return (machine, events + [.deletionRequested])
        } perform: {
            try Self.perform($0, in: town)
        }
    }

    /// What holds at every instant.
    private static func check(_ town: CoachTown) throws {
        let there = town.server.coach.voices(of: CoachTown.user)
        switch try town.store.voiceProgress() {
        case .registered(let profile, let voice):
            #expect(there.contains(voice), "the phone has a voice that the server lacks")
            #expect(town.voiceKey != nil)
            #expect(try town.store.record(CoachVoice.self, profile)?.voice == voice)
        case .sealed: #expect(town.recording != nil || !there.isEmpty)
        case .none, .deleting: break
        }
    }

    @Test("A recording becomes a voice, and recording and key are destroyed (AN-10)")
    func cloned() throws {
        let town = try CoachTown(seed: 1)
        let machine = try Self.clone(town)
        #expect(machine.status == .registered)
        #expect(
            town.server.coach.voices(of: CoachTown.user) == [try #require(machine.usable).voice]
        )
        #expect(town.recording == nil && town.recordingKey == nil && town.voiceKey != nil)
        #expect(!town.server.coach.keepsRecordings(of: CoachTown.user))
        #expect(town.requests == 6, "an offer, four parts and a completion")
    }

    @Test("Over a link that loses it is cloned once", arguments: 0..<40 as Range<UInt64>)
    func lossy(seed: UInt64) throws {
        let town = try CoachTown(seed: seed)
        town.lossPercent = 30
        let machine = try Self.clone(town)
        #expect(machine.status == .registered)
        #expect(town.server.coach.voices(of: CoachTown.user).count == 1)
        #expect(town.recording == nil && town.recordingKey == nil)
    }

    @Test("A kill at every step leaves nothing half registered", arguments: [0, 20])
    func kills(lossPercent: Int) throws {
        let whole = try CoachTown(seed: 3)
        whole.lossPercent = lossPercent
        _ = try Self.clone(whole)
        #expect(whole.steps > 15)
        for step in 1...whole.steps {
            let town = try CoachTown(seed: 3)
            town.lossPercent = lossPercent
            town.killAt = step
            let machine = try Self.clone(town)
            #expect(machine.status == .registered, "killed before step \(step)")
            #expect(town.server.coach.voices(of: CoachTown.user).count == 1, "step \(step)")
            #expect(town.recording == nil && town.recordingKey == nil, "step \(step)")
            #expect(!town.server.coach.keepsRecordings(of: CoachTown.user), "step \(step)")
            try Self.check(town)
        }
    }

    @Test(
        "A deletion is final, with a kill at every step: nothing opens the voice (AN-04)",
        arguments: [0, 30]
    )
    func deletions(lossPercent: Int) throws {
        for step in 1...20 {
            let town = try CoachTown(seed: 4)
            let cloned = try Self.clone(town)
            let (profile, voice) = try #require(cloned.usable)
            guard case .link(let url, _) = town.ask(.presignWake(profile: profile)) else {
                Issue.record("there is no link")
                return
            }
            let user = CoachTown.user
            #expect(town.server.voice(opened: url, of: user, at: town.wall) == voice)
            #expect(town.server.voice(opened: url + "A", of: user, at: town.wall) == nil)
            #expect(town.server.voice(opened: url, of: "tom", at: town.wall) == nil)
            town.lossPercent = lossPercent
            town.killAt = town.steps + step
            let machine = try Self.delete(town)
            #expect(machine.status == VoiceStatus.none(nil) && machine.usable == nil)
            #expect(town.voiceKey == nil && town.recordingKey == nil && town.recording == nil)
            #expect(town.server.coach.voices(of: user).isEmpty)
            #expect(town.server.voice(opened: url, of: user, at: town.wall) == nil)
            #expect(town.ask(.presignWake(profile: profile)) == .gone)
            #expect(try town.store.isVoiceDeleted(profile))
        }
    }

    @Test("Parts that the server has forgotten meanwhile are sent again")
    func forgotten() throws {
        let town = try CoachTown(seed: 5)
        var hasSlept = false
        let machine = try town.run {
            let (machine, events) = Self.machine(.none)
            let recorded = VoiceProfiles.Event.recorded(Self.audio, try Self.entropy())
            return (machine, events + [.consented(version: 1, at: town.wall), recorded])
        } perform: { effect in
            if case .callServer(_, .clonePart(_, index: 2, _)) = effect, !hasSlept {
                hasSlept = true
                town.now = town.now.advanced(by: .seconds(2 * 86_400))
            }
            return try Self.perform(effect, in: town)
        }
        #expect(machine.status == .registered && hasSlept)
        #expect(town.requests == 9, "an offer, four parts, a completion, two parts, a completion")
        #expect(
            town.server.coach.voices(of: CoachTown.user) == [try #require(machine.usable).voice]
        )
    }

    @Test("A deletion while it is uploaded wins, also over what arrives late (AN-04)")
    func deletedEarly() throws {
        for after in 1...12 {
            let town = try CoachTown(seed: 6)
            var count = 0
            var late: [CoachRequest] = []
            let machine = try town.run {
                var (machine, events) = Self.machine(try town.store.voiceProgress())
                events += [
                    .consented(version: 1, at: town.wall),
                    .recorded(Self.audio, try Self.entropy()),
                ]
                return (machine, events)
            } perform: { effect in
                count += 1
                if case .callServer(_, let request) = effect { late.append(request) }
                if count == after { return .deletionRequested }
                return try Self.perform(effect, in: town)
            }
            #expect(machine.status == VoiceStatus.none(nil), "after \(after)")
            #expect(town.recording == nil && town.recordingKey == nil && town.voiceKey == nil)
            if late.contains(where: { if case .deleteVoice = $0 { true } else { false } }) {
                for request in late where request != late.last {
                    if case .deleteVoice = request { continue }
                    #expect(town.ask(request) == .gone, "\(request)")
                }
            }
            #expect(town.server.coach.voices(of: CoachTown.user).isEmpty, "after \(after)")
        }
    }

    @Test("A damaged recording is not uploaded: the user is asked for another (AN-10)")
    func damaged() throws {
        let town = try CoachTown(seed: 7)
        town.killAt = 9
        var hasDamaged = false
        var shown: [VoiceStatus] = []
        let machine = try town.run {
            let progress = try town.store.voiceProgress()
            let (machine, events) = Self.machine(progress)
            guard progress == .none, !hasDamaged else {
                hasDamaged = true
                town.recording?[100] ^= 1
                return (machine, events)
            }
            let recorded = VoiceProfiles.Event.recorded(Self.audio, try Self.entropy())
            return (machine, events + [.consented(version: 1, at: town.wall), recorded])
        } perform: {
            try Self.perform($0, in: town) { shown.append($0) }
        }
        #expect(hasDamaged)
        #expect(machine.status == VoiceStatus.none(.recordingDamaged))
        #expect(town.server.coach.voices(of: CoachTown.user).isEmpty && town.recording == nil)
    }

    @Test("Without consent, too short or too long nothing is kept (AN-17)")
    func refusals() throws {
        var story = Transcript(VoiceProfiles(rules: Self.rules, seed: 1))
        let entropy = try Self.entropy()
        try story.expect(.opened(.none), at: .zero) {
            VoiceProfiles.Effect.destroyRecording
            VoiceProfiles.Effect.destroyVoiceKey
            VoiceProfiles.Effect.show(.none(nil))
        }
        try story.expect(.recorded(Self.audio, entropy), at: .zero) {
            VoiceProfiles.Effect.show(.none(.noConsent))
        }
        try story.expect(.consented(version: 1, at: time(1)), at: .zero)
        try story.expect(.recorded(Array(Self.audio[..<119]), entropy), at: .zero) {
            VoiceProfiles.Effect.show(.none(.tooShort))
        }
        try story.expect(.recorded(Self.audio + Self.audio, entropy), at: .zero) {
            VoiceProfiles.Effect.show(.none(.tooLong))
        }
    }

    @Test("The profile is the server's limit's, and goes on when that is reset (AN-20)")
    func limited() throws {
        let town = try CoachTown(seed: 8) { $0.coach.voiceClones = .init(1, in: .seconds(3_600)) }
        _ = try Self.clone(town)
        _ = try Self.delete(town)
        var shown: [VoiceStatus] = []
        let start = town.now
        let machine = try town.run {
            let (machine, events) = Self.machine(.none)
            let recorded = VoiceProfiles.Event.recorded(Self.audio, try Self.entropy(77))
            return (machine, events + [.consented(version: 1, at: town.wall), recorded])
        } perform: {
            try Self.perform($0, in: town) { shown.append($0) }
        }
        #expect(machine.status == .registered)
        let isShown = shown.contains {
            if case .limited(let limit) = $0 { limit.allowed == 1 } else { false }
        }
        #expect(isShown, "\(shown)")
        #expect(start.duration(to: town.now) > .seconds(3_000))
    }

    @Test("The voice profiles keep the laws of their contract", arguments: 0..<30 as Range<UInt64>)
    func laws(seed: UInt64) throws {
        let offer = CloneOffer(
            profile: "p",
            consentVersion: 1,
            consented: time(1),
            salt: [UInt8](repeating: 1, count: 16),
            partCount: 4
        )
        let entropy = try Self.entropy()
        let answers: [CoachAnswer] = [
            .accepted, .uploading(missing: [0, 1]), .uploading(missing: []), .beginFirst, .gone,
            .registered(voice: "v"), .partsMissing([1]), .rejected("no"), .unauthorized, .failed,
            .limited(UsageCount(kind: .voiceClones, used: 1, allowed: 1, resetsIn: .seconds(9))),
        ]
        try checkLaws(
            seed: seed,
            steps: 400,
            make: { VoiceProfiles(rules: Self.rules, seed: seed) },
            foreign: [
                .keysKept(OperationID(number: .max), isKept: true),
                .keysKept(OperationID(number: .max), isKept: false),
                .recordingKept(OperationID(number: .max), isKept: true),
                .recordingKept(OperationID(number: .max), isKept: false),
                .progressKept(OperationID(number: .max), isKept: true),
                .progressKept(OperationID(number: .max), isKept: false),
                .recordingRead(OperationID(number: .max), .missing),
                .recordingRead(OperationID(number: .max), .unavailable),
            ] + answers.map { .serverAnswered(OperationID(number: .max), $0) }
        ) { random, _ in
            let operation = OperationID(number: UInt32(1 + random.below(60)))
            switch random.below(12) {
            case 0:
                let all: [VoiceProgress] = [.none, .sealed(offer), .deleting(profile: "p")]
                return .opened(all[random.below(3)])
            case 1: return .consented(version: 1, at: time(1))
            case 2: return .recorded(Self.audio, entropy)
            case 3: return .deletionRequested
            case 4: return .keysKept(operation, isKept: random.chance(percent: 80))
            case 5: return .recordingKept(operation, isKept: random.chance(percent: 80))
            case 6: return .progressKept(operation, isKept: random.chance(percent: 80))
            case 7:
                let all: [RecordingAnswer] = [.missing, .unavailable, .found(key: [], file: [])]
                return .recordingRead(operation, all[random.below(3)])
            case 8: return .pathRestored
            case 9: return .signedIn
            default: return .serverAnswered(operation, answers[random.below(answers.count)])
            }
        }
    }
}
