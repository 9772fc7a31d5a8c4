import AppCoordination
@testable import KodamaEvidence
@testable import KodamaLanguage
@testable import KodamaPhone
@testable import KodamaSession
import RealtimeVoice
import SansIO
import Testing

@Suite("What a session waits for its user for, as the world writes it down")
struct SessionAwaitedUserTests {
    private static let phone = "mika-phone"

    /// A minute with a phone, and what happens to it.
    private func run(
        _ change: (inout WorldPlan) -> Void,
        _ happenings: (Duration, TimedAct)...
    ) throws -> WorldRun {
        var plan = WorldPlan.session(.reachability, lasting: .seconds(60))
        change(&plan)
        for (time, action) in happenings { plan.at(time, action) }
        return try WorldRun(plan)
    }

    /// Somebody signs in, logs out and taps to sign in again, before there is a challenge.
    private func runLogin(_ change: (inout WorldPlan) -> Void = { _ in }) throws -> WorldRun {
        try run(
            {
                var settings = SessionAppPlan()
                settings.configuration.login = .signedIn
                $0.phones[0].apps = [AppPlan(settings, start: .opened(at: .zero))]
                change(&$0)
            },
            (.seconds(5), .session(.signIn)),
            (.seconds(20), .session(.logOut)),
            (.milliseconds(20_020), .session(.signIn))
        )
    }

    private func microphones(_ run: WorldRun) -> [MicrophoneState] {
        run.values(MicrophoneChanged.self, of: Self.phone).compactMap(\.state.value)
    }

    private func waits(_ run: WorldRun) -> Distribution? {
        run.distribution("session.connect.time")
    }

    @Test("Who never allowed the microphone is waited for until they do, in Settings (RS-08)")
    func denied() throws {
        let run = try run(
            { $0.phones[0].condition.microphone.status = .denied },
            (.seconds(35), .phone(.setMicrophone("session", isGranted: true))),
            (.seconds(40), .phone(.openApp("session")))
        )
        #expect(microphones(run) == [.refused])
        #expect(run.count("session.unrecovered") == 0)
        #expect(waits(run)?.count == 1)
    }

    @Test("Who is asked is waited for until they answer, or for ever (RS-08)")
    func asked() throws {
        let allowed = try run {
            $0.phones[0].condition.microphone.status = .undetermined
            $0.phones[0].condition.microphone.answerDelay = .seconds(20)
        }
        #expect(microphones(allowed) == [.asked, .allowed])
        let wait = try #require(waits(allowed)?.maximum)
        #expect(wait < 10_000_000_000)
        let refused = try run {
            $0.phones[0].condition.microphone.status = .undetermined
            $0.phones[0].condition.microphone.isGrantedWhenAsked = false
        }
        #expect(microphones(refused) == [.asked, .refused])
        let silent = try run {
            $0.phones[0].condition.microphone.status = .undetermined
            $0.phones[0].condition.microphone.answerDelay = nil
        }
        #expect(microphones(silent) == [.asked])
        for run in [refused, silent] {
            #expect(waits(run)?.count == 0)
            #expect(run.count("session.unrecovered") == 0)
        }
    }

    @Test("Who allowed the microphone long since is not asked, and nothing is written (RS-08)")
    func granted() throws {
        let run = try run { _ in }
        #expect(microphones(run) == [])
        #expect(run.records(SignInShown.self, of: Self.phone).isEmpty)
    }

    @Test("Who taps to sign in before there is anything to sign confirms it when there is (RS-12)")
    func tapsEarly() throws {
        let run = try runLogin()
        let acts = run.acts(of: Self.phone)
        #expect(acts.count { $0 == .signIn } == 2)
        #expect(run.values(SignInShown.self, of: Self.phone).count == 1)
        #expect(run.distribution("session.resume.time")?.count == 2)
        #expect(run.count("session.unrecovered") == 0)
    }

    @Test("Who taps to sign in and leaves the app confirms nothing that it shows then (RS-12)")
    func leavesAfterTap() throws {
        let run = try runLogin { $0.at(.milliseconds(20_021), .phone(.leaveApp)) }
        #expect(run.values(SignInShown.self, of: Self.phone).count == 2)
    }

    @Test("Who is signed out is waited for at the sign-in; whose login is kept is not (RS-12)")
    func signedOut() throws {
        func relaunch(logsOut: Bool) throws -> WorldRun {
            try run(
                {
                    var settings = SessionAppPlan()
                    settings.configuration.login = .signedIn
                    $0.phones[0].apps = [AppPlan(settings, start: .opened(at: .zero))]
                },
                (.seconds(5), .session(.signIn)),
                (.seconds(10), .session(logsOut ? .logOut : .mute)),
                (.seconds(12), .phone(.killApp("session"))),
                (.seconds(14), .phone(.openApp("session")))
            )
        }
        let kept = try relaunch(logsOut: false)
        #expect(kept.values(SignInShown.self, of: Self.phone).map(\.isSignedIn.isSet) == [false])
        #expect(waits(kept)?.count == 1)
        let out = try relaunch(logsOut: true)
        let shown = out.values(SignInShown.self, of: Self.phone).map(\.isSignedIn.isSet)
        #expect(shown == [false, false, false])
        #expect(waits(out)?.count == 0)
        for run in [kept, out] { #expect(run.count("session.unrecovered") == 0) }
    }
}
