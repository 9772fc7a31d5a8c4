public import AppCoordination
public import Models
import PeerTransport

/// Everything that can be tuned, in one value: what every parameter reads and sets.
///
/// A phone takes from it what its app needs, the servers what is theirs.
public struct Tuning: Sendable, Equatable {
    /// The intercom app.
    public var intercom = IntercomConfiguration()
    /// The voice session app.
    public var voice = VoiceAppConfiguration()
    /// The model of the SDK under it.
    public var sdk = RoomClientConfiguration()
    /// The system of the phones with the session app.
    public var phone = PhoneSystemConfiguration()
    /// The servers that sessions talk to.
    public var services = ServicesPlan()

    /// The default figures of all parts.
    public init() {}
}

/// A named choice of figures to start from; parameters win over it.
public enum Preset: String, Sendable, Hashable, CaseIterable {
    /// Our own figures: those that meet the promises.
    case standard = "default"
    /// The source designs' figures (D-07, D-15).
    case asSpecified = "as-specified"

    /// The figures.
    public var tuning: Tuning {
        var tuning = Tuning()
        guard self == .asSpecified else { return tuning }
        tuning.voice = .asSpecified
        tuning.intercom.jitterBuffer.floor = .milliseconds(20)
        tuning.intercom.jitterBuffer.ceiling = .milliseconds(60)
        return tuning
    }
}

/// Whose figure a parameter is.
public enum ParameterScope: String, Sendable, Hashable, CaseIterable {
    /// The intercom app's, on each device that runs it.
    case intercom
    /// The voice session app's, its SDK's and its phone's, on each device that runs it.
    case session
    /// The servers' that sessions talk to; the same for all devices.
    case servers
}
