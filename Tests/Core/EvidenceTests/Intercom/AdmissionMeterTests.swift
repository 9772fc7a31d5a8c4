@testable import KodamaEvidence
import Testing

@Suite("What does not happen in a group is known where it could have (A-NF-003, S-SEC-004)")
struct AdmissionMeterTests {
    private static let names = [
        "group.packets.refused", "group.packets.refused.forged", "group.packets.refused.replayed",
        "group.connections.cut", "group.packets.uncounted",
    ]

    /// What is found of two who are in a group from the start on, and of these records of theirs.
    private static func findings(_ records: String = "") throws -> Findings {
        let text = """
            kodama-trace 3 scenario=made seed=1 components=a,b,a.intercom,b.intercom,a/b
            0 a.intercom group.joined - group=1
            0 b.intercom group.joined - group=1
            \(records)60000000000 - run.ended -

            """
        return Findings(try TraceText.parse(Array(text.utf8), systems: .shipped))
    }

    @Test("Where a connection stands, that nothing was refused and none was cut is a finding")
    func nothing() throws {
        let apart = try Self.findings()
        #expect(Self.names.allSatisfy { apart.value($0)?.samples ?? 0 == 0 })
        let joined = try Self.findings(
            "2000000000 a.intercom connection.up b.intercom path=local\n"
        )
        #expect(Self.names.allSatisfy { joined.value($0)?.samples == 1 })
        #expect(Self.names.allSatisfy { joined.total($0) == 0 })
    }

    @Test("That a screen never misses the Internet is a finding (A-F-009)")
    func internetThere() throws {
        let name = "group.internet_missing.shown"
        #expect(try Self.findings().value(name)?.samples ?? 0 == 0)
        let shown = try Self.findings("0 a.intercom group.identified - number=7\n")
        #expect(shown.value(name)?.samples == 1 && shown.total(name) == 0)
    }

    @Test("A group that is not made by somebody in another counts as none not opened (S-GRP-002)")
    func inAnother() throws {
        let findings = try Self.findings(
            """
            3000000000 a.intercom group.unopened - trouble=in-another
            4000000000 a.intercom group.unopened - trouble=secret-unavailable

            """
        )
        #expect(findings.total("group.unopened") == 1)
    }

    @Test("A refusal counts by its reason, a cut once, and what was spoilt unless it was counted")
    func refused() throws {
        let findings = try Self.findings(
            """
            2000000000 a.intercom connection.up b.intercom path=local
            3000000000 a.intercom packet.refused b.intercom reason=forged
            3000000000 a.intercom packet.refused b.intercom reason=malformed
            3000000000 a.intercom packet.refused b.intercom reason=replayed
            3000000000 a.intercom packet.refused b.intercom reason=unknown-session
            3000000000 a.intercom packet.spoilt b.intercom counted=1
            3500000000 a.intercom packet.spoilt b.intercom counted=0
            4000000000 a.intercom connection.cut b.intercom refusal=forged

            """
        )
        #expect(Self.names.map { findings.total($0) } == [4, 2, 1, 1, 1])
        #expect(findings.value("group.packets.uncounted")?.samples == 3)
    }

    @Test("Each refused invite counts by one reason (A-NF-002)")
    func invites() throws {
        let kinds = ["tampered", "early", "expired", "foreign", "own"]
        for (outcome, kind) in [
            ("broken", "tampered"), ("tampered", "tampered"), ("not-yet-valid", "early"),
            ("expired", "expired"), ("foreign-group", "foreign"), ("own-invite", "own"),
        ] {
            let findings = try Self.findings(
                "2000000000 a.intercom invite.answered - outcome=\(outcome) bytes=200\n"
            )
            #expect(findings.total("group.invites.refused") == 1)
            for other in kinds {
                let total = findings.total("group.invites.refused.\(other)")
                #expect(total == (other == kind ? 1 : 0), "\(outcome): \(other)")
            }
        }
    }
}
