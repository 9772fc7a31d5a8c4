@testable import KodamaEvidence
@testable import KodamaSession
import SansIO
import Testing

@Suite("What the world withheld is folded once, for every meter (HN-05)")
struct ConditionsTests {
    private static let names = ["a", "a.session", "a.calls", "a/wifi", "rooms"]

    private static func index(_ name: String) -> ComponentIndex {
        ComponentIndex(names.firstIndex(of: name) ?? 0)
    }

    /// The conditions after one record a second, the first at 0.
    private static func after(
        _ forms: (any TraceForm, String)...,
        systems: Systems = .shipped
    ) -> Conditions {
        var builder = TraceBuilder(names)
        for (second, (form, component)) in forms.enumerated() {
            builder.add(form, at: Int64(second) * 1_000, component)
        }
        var conditions = Conditions(TraceDirectory(names: names, systems: systems))
        for record in builder.records { _ = conditions.take(record) }
        return conditions
    }

    private static func began(_ fault: WorldFault) -> FaultBegan {
        FaultBegan(fault: fault, parameter: 0)
    }

    /// Whole seconds from one to the other, in a run that ends after 10 s.
    private static func seconds(_ spans: Spans) -> [ClosedRange<Int64>] {
        spans.all.map { $0.start / 1_000_000_000...$0.end / 1_000_000_000 }
    }

    private static let end: Int64 = 10_000_000_000

    @Test("A black hole and a cut of media each end by themselves, twice in a row")
    func stacking() {
        let hole = Self.began(.blackHole)
        let holeEnds = FaultEnded(fault: .blackHole)
        let conditions = Self.after(
            (hole, "a/wifi"),
            (hole, "a/wifi"),
            (Self.began(.mediaCut), "a/wifi"),
            (FaultEnded(fault: .mediaCut), "a/wifi"),
            (holeEnds, "a/wifi"),
            (holeEnds, "a/wifi"),
            (hole, "a/wifi"),
            (holeEnds, "a/wifi")
        )
        let without = conditions.without(.media, of: Self.index("a/wifi"), end: Self.end)
        #expect(Self.seconds(without) == [0...5, 6...7])
        #expect(!conditions.isWithout(.media, of: Self.index("a/wifi")))
        let elsewhere = conditions.without(.media, of: Self.index("a"), end: Self.end)
        #expect(elsewhere.all.isEmpty)
    }

    @Test("A keychain that failed from the beginning on failed before, but only the first time")
    func keychain() {
        let works = FaultEnded(fault: .secureStorage)
        let conditions = Self.after(
            (FaultEnded(fault: .focus), "a"),
            (works, "a"),
            (works, "a"),
            (Self.began(.secureStorage), "a"),
            (Self.began(.secureStorage), "a"),
            (works, "a"),
            (works, "a")
        )
        let without = conditions.without(.keychain, of: Self.index("a"), end: Self.end).all
        #expect(without.map(\.start) == [Span.past, 3_000_000_000])
        #expect(without.map(\.end) == [1_000_000_000, 5_000_000_000])
    }

    @Test("A repair ends what there is and no more, and a server that starts anew takes rooms")
    func repairs() {
        let conditions = Self.after(
            (FaultEnded(fault: .serverCleared), "rooms"),
            (Self.began(.serverFull), "rooms"),
            (FaultEnded(fault: .serverCleared), "rooms"),
            (Self.began(.serverDrained), "rooms"),
            (Self.began(.serverDown), "rooms"),
            (FaultEnded(fault: .serverDown), "rooms"),
            (Self.began(.serverFull), "rooms")
        )
        let admission = WorldFault.serverFull.withholds[0]
        let shut = conditions.without(admission, end: Self.end)
        #expect(Self.seconds(shut) == [1...2, 3...4, 6...10])
        #expect(Self.seconds(conditions.without(.server("rooms"), end: Self.end)) == [4...5])
    }

    @Test("A radio is without a network until it is up, a phone without sound while an app has it")
    func radioAndSound() {
        let conditions = Self.after(
            (Self.began(.radioDown), "a/wifi"),
            (Self.began(.radioUp), "a/wifi"),
            (CallAudioChanged(isActive: true), "a.calls"),
            (AppTerminated(), "a.calls"),
            (PathLost(cause: .link), "a.session"),
            (PathUsable(), "a.session")
        )
        let network = conditions.without(.network, of: Self.index("a/wifi"), end: Self.end)
        #expect(Self.seconds(network) == [0...1])
        let sound = conditions.without(.sound, of: Self.index("a"), end: Self.end)
        #expect(Self.seconds(sound) == [2...3])
        let reached = conditions.time(
            with: .path,
            of: Self.index("a.session"),
            from: 0,
            to: Self.end
        )
        #expect(reached == 9_000_000_000)
    }

    // MARK: A fault of a system that nobody ships

    private static let paper = Resource("paper")
    private static let jam = WorldFault(
        "paper-jam",
        number: 201 << 8,
        withholds: [paper],
        begins: "the printer of {phone} is jammed",
        ends: "the printer prints again"
    )

    @Test("A new fault is written, read, told and measured by its declaration alone (HN-02)")
    func declaredOnce() throws {
        var system = EvidenceSystem(SystemID(201), forms: [])
        system.faults = [Self.jam]
        let systems = Systems.core + [system]
        var builder = TraceBuilder(Self.names)
        builder.add(FaultBegan(fault: Self.jam, parameter: 2_000_000_000), at: 0, "rooms", "a")
        builder.add(FaultEnded(fault: Self.jam), at: 2_000, "rooms")
        let trace = RecordedTrace(
            scenario: "jam",
            seed: 1,
            directory: TraceDirectory(names: Self.names, systems: systems),
            records: builder.records
        )
        let text = TraceText.write(trace, instants: .nanoseconds)
        #expect(String(decoding: text, as: UTF8.self).contains("fault=paper-jam parameter="))
        #expect(try TraceText.parse(text, systems: systems).records == trace.records)
        let told = Told.lines(trace)
        #expect(told.first?.contains("printer of a is jammed, for 2") == true, "\(told)")
        #expect(told.last?.contains("printer prints again") == true, "\(told)")
        let conditions = Self.after(
            (Self.began(Self.jam), "rooms"),
            (FaultEnded(fault: Self.jam), "rooms"),
            systems: systems
        )
        #expect(Self.seconds(conditions.without(Self.paper, end: Self.end)) == [0...1])
    }
}
