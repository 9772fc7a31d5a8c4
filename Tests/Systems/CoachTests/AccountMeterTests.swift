import KodamaEvidence
import KodamaLanguage
import SansIO
import Testing

@testable import KodamaCoach

@Suite("Each report of an account is judged by its number (AN-08, AN-09)")
struct AccountMeterTests {
    private let phone = ComponentIndex(1)
    private let server = ComponentIndex(0)
    private let directory = TraceDirectory(
        names: ["api-server", "mika-phone.coach"],
        systems: CoachStory.registry.evidence
    )

    private func kept(_ report: Int64) -> any TraceForm {
        ReportKept(account: 1, report: report, isReflection: TraceFlag(false))
    }

    private func counted(_ report: Int64, _ times: Int64 = 1) -> any TraceForm {
        ReportCounted(account: 1, report: report, times: times)
    }

    private func settled(_ report: Int64, isTaken: Bool = true) -> any TraceForm {
        ReportSettled(account: 1, report: report, isTaken: TraceFlag(isTaken))
    }

    /// How often the invariants were broken: counted once, and nothing lost.
    private func broken(_ forms: [any TraceForm]) -> [Int] {
        meter(forms).invariants.map { $0.result(TraceLines(directory)).violationCount }
    }

    private func meter(_ forms: [any TraceForm]) -> AccountMeter {
        var meter = AccountMeter()
        for (second, form) in forms.enumerated() {
            let at = Instant.zero.advanced(by: .seconds(second))
            let record = TraceRecord(form, at: at, of: phone)
            let isAccounts = meter.take(record, at: second)
            #expect(isAccounts)
        }
        return meter
    }

    @Test("What is kept, counted once and marked breaks nothing")
    func good() {
        let good = [kept(1), kept(2), counted(1), settled(1), counted(2), settled(2)]
        #expect(broken(good) == [0, 0])
    }

    @Test("One that is counted twice is noticed while another still waits")
    func twice() {
        #expect(broken([kept(1), kept(2), counted(1), counted(1, 2)]) == [1, 0])
    }

    @Test("A mark, or a count, of a report that was never kept is noticed")
    func neverKept() {
        #expect(broken([kept(1), settled(2, isTaken: false)]) == [1, 0])
        #expect(broken([kept(1), counted(2)]) == [1, 0])
    }

    @Test("One that is marked as taken while the server has only another is lost")
    func lost() {
        #expect(broken([kept(1), kept(2), counted(1), settled(2)]) == [0, 1])
        #expect(broken([kept(1), counted(1), settled(1), counted(1, 0)]) == [0, 1])
        #expect(broken([StoreOpened(account: 1, reports: 3, missing: 1)]) == [0, 1])
    }

    @Test("A rejected report gives no time, and one that waits is open at the end")
    func times() throws {
        let told = meter([
            kept(1), kept(2), kept(3), counted(1), settled(1), settled(2, isTaken: false),
        ])
        let metrics = told.metrics.map { $0.result(TraceLines(directory)) }
        let time = try #require(metrics.first { $0.name == "account.report.time" })
        #expect(time.samples == 1)
        #expect(time.occasions.excludedCount == 1)
        #expect(time.occasions.count == 3)
    }
}
