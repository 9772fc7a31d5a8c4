/// The token by which the push service finds this app on this device (VP-03).
public struct DeviceToken: Sendable, Hashable {
    /// The token in lower-case hexadecimal digits, as APNs wants it in a path.
    public let text: String

    /// Takes what PushKit gave (`PKPushCredentials.token`); `nil` if it is empty or has more than 128 bytes.
    ///
    /// Tokens have 32 bytes today; Apple asks not to rely on it ("Registering your app with APNs").
    public init?(_ bytes: [UInt8]) {
        guard (1...128).contains(bytes.count) else { return nil }
        var text = ""
        for byte in bytes {
            text += byte < 16 ? "0" : ""
            text += String(byte, radix: 16)
        }
        self.text = text
    }
}

/// What the server is told of a device (VP-03).
public struct DeviceRegistration: Sendable, Equatable {
    /// The token for VoIP pushes.
    public var voipDeviceToken: DeviceToken
    /// The app's bundle identifier; the push's topic is this and `.voip`.
    public var bundleId: String
    /// The platform: `ios`.
    public var platform: String

    /// Makes a registration.
    public init(voipDeviceToken: DeviceToken, bundleId: String, platform: String = "ios") {
        self.voipDeviceToken = voipDeviceToken
        self.bundleId = bundleId
        self.platform = platform
    }
}
