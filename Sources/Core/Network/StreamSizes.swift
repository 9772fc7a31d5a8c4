/// What the parts of a stream weigh on the wire, in bytes.
enum StreamSizes {
    /// IPv4 (RFC 791), TCP (RFC 9293) and its timestamps (RFC 7323): 20 + 20 + 12.
    static let headers = 52
    /// What selective acknowledgements add: 8 bytes a block and 4 for the option, three blocks at most
    /// (RFC 2018 §3).
    static func blocks(_ selective: UInt64) -> Int {
        let count = (selective & ~(selective << 1)).nonzeroBitCount
        return count == 0 ? 0 : 4 + 8 * min(3, count)
    }

    /// A SYN with maximum segment size, SACK permitted, timestamps and window scale: 20 + 40.
    static let synchronize = 60
    /// IPv4 and TCP without options.
    static let reset = 40
    /// A question of one name: IPv4, UDP and 12 + 30 + 4 bytes of RFC 1035.
    static let lookup = 74
    /// Its answer: 16 bytes more, for one address.
    static let lookupAnswer = 90
    /// The most that a segment carries: the 1,280 bytes of RFC 8200 would be safe anywhere, 1,400
    /// leave room for a tunnel within 1,500.
    static let segmentPayload = 1_400
    /// A ClientHello padded to 512 bytes (RFC 7685), in its record.
    static let clientHello = 517
    /// ServerHello, EncryptedExtensions, a chain of two certificates, CertificateVerify, Finished; an
    /// assumption.
    static let serverFlight = 3_000
    /// How many segments the server's flight fills.
    static let serverFlightSegments = (serverFlight + segmentPayload - 1) / segmentPayload
    /// The client's Finished with SHA-384, in its record: 4 + 48 + 22.
    static let clientFinished = 74
    /// What a record adds: header, inner type, tag (RFC 8446 §5.2).
    static let recordOverhead = 22
    /// The most that a record holds (RFC 8446 §5.1).
    static let recordPayload = 16_384

    /// A message of so many bytes once it lies in records.
    static func inRecords(_ byteCount: Int) -> Int {
        let records = max(1, (byteCount + recordPayload - 1) / recordPayload)
        return byteCount + records * recordOverhead
    }
}
