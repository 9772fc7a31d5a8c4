public import KodamaLanguage
import KodamaRecordings
import OpusAudio

extension KodamaSystem {
    /// The intercom: groups of phones that talk over radio and Internet.
    public static let intercom = KodamaSystem(
        "intercom",
        evidence: .intercom,
        vocabulary: .intercom,
        host: IntercomSystem.self,
        libraries: [OpusFormat.libraryVersion],
        decoder: G722.decode,
        swarm: .intercom
    )
}
