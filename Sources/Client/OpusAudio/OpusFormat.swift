internal import COpus

/// The one sound format of the intercom: 48 kHz, mono, 16 bit, in frames of 20 ms.
public enum OpusFormat {
    /// The linked library's own name and version, such as "libopus 1.3.1", and where its bytes are not
    /// those that OpusSearch makes alike on every x86-64 processor, what it was built for.
    public static var libraryVersion: String {
        let version = String(cString: opus_get_version_string())
        #if os(Linux) && arch(x86_64)
        return version
        #elseif arch(arm64)
        return version + " for arm64"
        #else
        return version + " for this processor"
        #endif
    }

    /// Samples per second; Opus's own clock (RFC 7587, section 4.1).
    public static let sampleRateHertz: Int32 = 48_000
    /// Samples in one frame of 20 ms.
    public static let samplesPerFrame = 960
    /// The most bytes that one packet needs (RFC 6716, section 3.2.1: one frame of 1,275 bytes and its header).
    public static let packetBytesMax = 1_276
}
