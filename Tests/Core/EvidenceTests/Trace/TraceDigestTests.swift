@testable import KodamaEvidence
@testable import KodamaIntercom
import SansIO
import Testing

@Suite("Digests of traces")
struct TraceDigestTests {
    private func digest(_ trace: RecordedTrace) -> TraceDigest {
        var digest = TraceDigest()
        digest.fold(trace)
        return digest
    }

    /// The same trace with its components in the opposite order.
    private func reversed(_ trace: RecordedTrace) -> RecordedTrace {
        var turned = trace
        turned.directory.names.reverse()
        let last = UInt32(trace.directory.names.count - 1)
        for place in turned.records.indices {
            if turned.records[place].component != .none {
                turned.records[place].component.index = last - turned.records[place].component.index
            }
            if turned.records[place].subject != .none {
                turned.records[place].subject.index = last - turned.records[place].subject.index
            }
        }
        return turned
    }

    @Test("The digest of a known trace is the known one (HN-01)")
    func golden() {
        let digest = digest(
            Timeline(speech: ".##..", sent: ".####", played: ".#2xr").trace
        )
        #expect(digest.run.description == "8e442358e78583ad")
        #expect(digest.digest(of: "aoi")?.description == "f4ff5e9c8a1b6aff")
        #expect(digest.digest(of: "aoi-phone")?.description == "973e7e1254be1538")
        #expect(digest.digest(of: "ren")?.description == "42d92877396daff6")
        #expect(digest.digest(of: "ren-phone")?.description == "de04cc17bfd2e741")
    }

    @Test("A component without records has a digest of its own")
    func silent() {
        var digest = TraceDigest()
        digest.begin(TraceDirectory(names: ["a", "b"], systems: .shipped))
        #expect(digest.digest(of: "a") != nil)
        #expect(digest.digest(of: "a") != digest.digest(of: "b"))
        #expect(digest.digest(of: "c") == nil)
    }

    @Test("The indices of components do not matter (HN-01)", arguments: 1...5)
    func indices(seed: Int) {
        let trace = RandomCall(seed: UInt64(seed)).trace
        let (straight, turned) = (digest(trace), digest(reversed(trace)))
        #expect(straight.run == turned.run)
        #expect(straight.components.map(\.digest) == turned.components.map(\.digest))
    }

    @Test("A device in no group leaves the digests of all others as they were", arguments: 1...5)
    func bystander(seed: Int) {
        let without = digest(RandomCall(seed: UInt64(seed)).trace)
        let with = digest(RandomCall(seed: UInt64(seed), bystander: true).trace)
        for (name, digest) in without.components {
            #expect(with.digest(of: name) == digest, "\(name)")
        }
        #expect(with.run != without.run)
    }

    @Test("Each change of one record changes its component's digest and the run's, no other's")
    func changes() {
        let trace = Timeline(speech: ".##..", sent: ".####", played: ".#2xr").trace
        let original = digest(trace)
        let changes: [(inout TraceRecord) -> Void] = [
            { $0.instant.nanoseconds ^= 1 },
            { $0.kind = LinkChanged.kind },
            { $0.subject.index ^= 2 },
            { $0.values[0] ^= 1 },
            { $0.values[1] ^= 1 << 62 },
            { $0.values[2] ^= .min },
            { $0.values[3] ^= 1 << 31 },
        ]
        for place in trace.records.indices where trace.records[place].subject.index < 4 {
            for change in changes {
                var changed = trace
                change(&changed.records[place])
                let found = digest(changed)
                #expect(found.run != original.run)
                let own = trace.directory.name(of: trace.records[place].component)
                for (name, value) in original.components {
                    #expect((found.digest(of: name) == value) == (name != own))
                }
            }
        }
    }

    @Test("The order of a component's own records matters, that between components does not")
    func order() {
        var builder = TraceBuilder(["a", "b"])
        builder.add(GroupJoined(group: 0), at: 1, "a")
        builder.add(GroupJoined(group: 0), at: 1, "b")
        builder.add(GroupLeft(group: 0), at: 1, "b")
        var trace = builder.trace
        let original = digest(trace)
        trace.records.swapAt(0, 1)
        #expect(digest(trace).run == original.run)
        trace.records.swapAt(1, 2)
        #expect(digest(trace).run == original.run)
        trace.records.swapAt(0, 1)
        #expect(digest(trace).run != original.run)
    }

    @Test("A digest's text reads back")
    func text() {
        for bits in [0, 1, 0xFF, .max, 0x0123_4567_89AB_CDEF] as [UInt64] {
            let digest = Digest64(bits: bits)
            #expect(digest.description.count == 16)
            #expect(Digest64(digest.description) == digest)
        }
        #expect(Digest64("+123456789abcdef") == nil)
        #expect(Digest64("0123") == nil)
    }
}
