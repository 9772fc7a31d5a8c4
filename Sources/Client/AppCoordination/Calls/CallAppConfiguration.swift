public import IncomingCalls
public import RealtimeVoice

/// The configuration of the calling app and all its machines.
public struct CallAppConfiguration: Sendable, Equatable {
    /// How calls are received, remembered and given up.
    public var calls = CallsConfiguration()
    /// How a call's media connect and come back; what leaves on a phase stays `never`, since a call goes on
    /// out of sight.
    public var session = CallAppConfiguration.sessionOfCalls
    /// The app's bundle identifier.
    public var bundleId: String

    /// The default preset.
    ///
    /// - Parameter bundleId: The app's bundle identifier.
    public init(bundleId: String) {
        self.bundleId = bundleId
    }

    /// The source design's published rules for calls; sessions as by default.
    ///
    /// - Parameter bundleId: The app's bundle identifier.
    /// - Returns: The preset.
    public static func asSpecified(bundleId: String) -> CallAppConfiguration {
        var configuration = CallAppConfiguration(bundleId: bundleId)
        configuration.calls = .asSpecified
        return configuration
    }

    private static var sessionOfCalls: RealtimeSessionConfiguration {
        var configuration = RealtimeSessionConfiguration()
        configuration.leaveOn = .never
        configuration.partner = .person
        return configuration
    }
}

/// What the app's storage kept, read before the first push: a push must be reported before its delegate
/// method returns, which leaves no time to read.
public struct CallAppStorage: Sendable, Equatable {
    /// The memory of call ids.
    public var callMemory: String?
    /// The position among the missed calls.
    public var missedCalls: String?

    /// Makes a storage's content; nothing at the first launch.
    public init(callMemory: String? = nil, missedCalls: String? = nil) {
        self.callMemory = callMemory
        self.missedCalls = missedCalls
    }
}

/// What the app's storage keeps: a small file each, readable while the phone is locked.
public enum CallStorageKey: Int64, Sendable, Hashable, CaseIterable {
    /// The memory of call ids.
    case callMemory
    /// The position among the missed calls.
    case missedCalls
}
