import KodamaLanguage

extension KodamaSystem {
    /// The ping app and its server: what a command line registers.
    public static let ping = KodamaSystem(
        "ping",
        evidence: .ping,
        vocabulary: .ping,
        host: PingHost.self
    )
}
