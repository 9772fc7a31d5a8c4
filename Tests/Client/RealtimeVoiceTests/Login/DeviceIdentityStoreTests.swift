import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

@Suite("The device's identity")
struct DeviceIdentityStoreTests {
    private let kept = "6F1C9A52-0B7E-4C3D-9A11-5E2F8D7C6B5A"

    private func id(_ number: UInt32) -> OperationID { OperationID(number: number) }

    @Test("A kept identity is used, and read only once (RS-03)")
    func keptIdentity() throws {
        var story = Transcript(DeviceIdentityStore(seed: 1))
        try story.expect(.requested, at: .zero) {
            DeviceIdentityStore.Effect.readSecureStorage(id(1))
        }
        try story.expect(.requested, at: .zero)
        try story.expect(.secureStorageRead(id(1), .value(kept)), at: .zero) {
            DeviceIdentityStore.Effect.identified(kept)
        }
        try story.expect(.requested, at: .zero) { DeviceIdentityStore.Effect.identified(kept) }
    }

    /// Lets a store make an identity, or nil if it does not.
    private func made(
        _ store: DeviceIdentityStore,
        instead kept: String? = nil
    ) -> (DeviceIdentityStore, String?) {
        var store = store
        var effects = store.handle(.requested, at: .zero)
        effects += store.handle(.secureStorageRead(id(1), .value(kept)), at: .zero)
        guard case .writeSecureStorage(_, let identity) = effects.last else {
            return (store, nil)
        }
        return (store, identity)
    }

    @Test("A missing identity is made and counts once it is kept (RS-03)")
    func madeIdentity() throws {
        let (store, identity) = made(DeviceIdentityStore(seed: 1))
        let text = try #require(identity)
        var story = Transcript(store)
        try story.expect(.secureStorageWritten(id(1), isKept: true), at: .zero)
        try story.expect(.secureStorageWritten(id(2), isKept: true), at: .zero) {
            DeviceIdentityStore.Effect.identified(text)
        }
    }

    @Test("What cannot be read or kept is not to be had, until it is asked for again (RS-03)")
    func fails() throws {
        var story = Transcript(DeviceIdentityStore(seed: 1))
        try story.expect(.requested, at: .zero) {
            DeviceIdentityStore.Effect.readSecureStorage(id(1))
        }
        try story.expect(.secureStorageRead(id(1), .failed), at: .zero) {
            DeviceIdentityStore.Effect.failed
        }
        try story.expect(.requested, at: .zero) {
            DeviceIdentityStore.Effect.readSecureStorage(id(2))
        }
        var (store, _) = made(DeviceIdentityStore(seed: 1))
        let effects = store.handle(.secureStorageWritten(id(2), isKept: false), at: .zero)
        #expect(effects == [.failed])
    }

    @Test("An identity that belongs to another user is replaced once, and kept (RS-03)")
    func foreign() throws {
        var story = Transcript(DeviceIdentityStore(seed: 1))
        let other = try #require(made(DeviceIdentityStore(seed: 1)).1)
        try story.expect(.requested, at: .zero) {
            DeviceIdentityStore.Effect.readSecureStorage(id(1))
        }
        try story.expect(.refused(kept), at: .zero)
        try story.expect(.secureStorageRead(id(1), .value(kept)), at: .zero) {
            DeviceIdentityStore.Effect.identified(kept)
        }
        try story.expect(.refused("some other"), at: .zero)
        try story.expect(.refused(kept), at: .zero) {
            DeviceIdentityStore.Effect.writeSecureStorage(id(2), other)
        }
        try story.expect(.refused(kept), at: .zero)
        try story.expect(.secureStorageWritten(id(2), isKept: true), at: .zero) {
            DeviceIdentityStore.Effect.identified(other)
        }
        try story.expect(.requested, at: .zero) { DeviceIdentityStore.Effect.identified(other) }
    }

    @Test("A refused identity whose successor is not kept is replaced when refused again (RS-03)")
    func foreignUnkept() throws {
        var story = Transcript(DeviceIdentityStore(seed: 1))
        try story.expect(.requested, at: .zero) {
            DeviceIdentityStore.Effect.readSecureStorage(id(1))
        }
        try story.expect(.secureStorageRead(id(1), .value(kept)), at: .zero) {
            DeviceIdentityStore.Effect.identified(kept)
        }
        var generator = SeededGenerator(seed: 1)
        let first = UniqueID(from: &generator).text
        try story.expect(.refused(kept), at: .zero) {
            DeviceIdentityStore.Effect.writeSecureStorage(id(2), first)
        }
        try story.expect(.secureStorageWritten(id(2), isKept: false), at: .zero) {
            DeviceIdentityStore.Effect.failed
        }
        let second = UniqueID(from: &generator).text
        try story.expect(.refused(kept), at: .zero) {
            DeviceIdentityStore.Effect.writeSecureStorage(id(3), second)
        }
    }

    @Test("A UUID has RFC 9562's form, version 4, and differs from seed to seed (RS-03)")
    func form() throws {
        var seen: Set<String> = []
        for seed in 0..<1_000 as Range<UInt64> {
            let text = try #require(made(DeviceIdentityStore(seed: seed)).1)
            let groups = text.split(separator: "-")
            #expect(groups.map(\.count) == [8, 4, 4, 4, 12])
            #expect(text.allSatisfy { $0 == "-" || $0.isHexDigit && !$0.isLowercase })
            #expect(groups[2].first == "4")
            #expect("89AB".contains(try #require(groups[3].first)))
            seen.insert(text)
        }
        #expect(seen.count == 1_000)
    }

    @Test(
        "Something kept that is no UUID is replaced (RS-03)",
        arguments: [
            "", "device", "6F1C9A52-0B7E-4C3D-9A11-5E2F8D7C6B5",
            "６F1C9A52-0B7E-4C3D-9A11-5E2F8D7C6B5A",
        ]
    )
    func malformed(text: String) {
        #expect(made(DeviceIdentityStore(seed: 1), instead: text).1 != nil)
    }
}
