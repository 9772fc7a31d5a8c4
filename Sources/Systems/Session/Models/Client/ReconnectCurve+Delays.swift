import KodamaNetwork
import KodamaPhone
import RealtimeVoice
import SansIO

extension ReconnectCurve {
    /// How many attempts a reconnect has.
    ///
    /// The Swift SDK takes the app's figure; 10 elsewhere (client-sdk-js,
    /// `room/DefaultReconnectPolicy.ts`; client-sdk-android, `room/RTCEngine.kt`; rust-sdks,
    /// `livekit/src/rtc_engine/mod.rs`).
    ///
    /// - Parameter options: What the app asked for.
    /// - Returns: A number of at least 1.
    func attemptsMax(_ options: ConnectOptions) -> Int {
        switch self {
        case .swift: max(1, options.reconnectAttempts)
        case .js, .android, .rust: 10
        }
    }

    /// How long all attempts together may take, if that is limited: 60 s on Android
    /// (client-sdk-android, `room/RTCEngine.kt`).
    var totalTimeMax: Duration? {
        switch self {
        case .android: .seconds(60)
        case .swift, .js, .rust: nil
        }
    }

    /// How long to wait after a failed attempt before the next one begins.
    ///
    /// - Parameters:
    ///   - number: Which attempt failed, from 1; 0 asks for the wait before the first one.
    ///   - options: What the app asked for; only the Swift SDK listens.
    ///   - jitter: How much chance adds, in 2³²ths of all that the SDK may add.
    /// - Returns: The wait; zero if the next attempt begins at once.
    func delay(
        afterFailedAttempt number: Int,
        options: ConnectOptions,
        jitter: UInt32
    ) -> Duration {
        switch self {
        case .swift: swiftDelay(after: number, options, jitter)
        case .js: jsDelay(after: number, jitter)
        case .android: .milliseconds(min(5_000, 100 + 500 * number * number))
        case .rust: rustDelay(after: number, jitter)
        }
    }

    /// The Swift SDK's ease-out circle from the first delay to the maximum.
    ///
    /// With i = attempt − 1 and m = attempts − 1 the SDK's √(1 − (i/m − 1)²) is √(i(2m − i))/m. Jitter
    /// adds up to a tenth; the last index is the maximum exactly (client-sdk-swift,
    /// `Extensions/TimeInterval.swift`).
    private func swiftDelay(
        after number: Int,
        _ options: ConnectOptions,
        _ jitter: UInt32
    )
        -> Duration
    {
        guard number > 0 else { return .zero }
        let index = number - 1
        guard index < options.reconnectAttempts - 1 else { return options.reconnectMaxDelay }
        let steps = max(2, options.reconnectAttempts) - 1
        let rise = Double(index * (2 * steps - index)).squareRoot() / Double(steps)
        let first = options.reconnectAttemptDelay.wholeNanoseconds
        let range = options.reconnectMaxDelay.wholeNanoseconds - first
        let delay = first + Int64(rise * Double(range))
        return .nanoseconds(delay + Self.share(jitter, of: delay / 10))
    }

    /// The JavaScript SDK's table; from the third entry on chance adds up to a second
    /// (client-sdk-js 2.21, `room/DefaultReconnectPolicy.ts`).
    private func jsDelay(after number: Int, _ jitter: UInt32) -> Duration {
        let table = [0, 300, 1_200, 2_700, 4_800]
        let base = number < table.count ? table[number] : 7_000
        let spread = number < 2 ? 0 : Self.share(jitter, of: 1_000_000_000)
        return .milliseconds(base) + .nanoseconds(spread)
    }

    /// The Rust SDK's full jitter: anything from nothing to 300 ms, doubled with each failure, at most 7 s
    /// (rust-sdks, `livekit/src/rtc_engine/reconnect_strategy.rs`).
    private func rustDelay(after number: Int, _ jitter: UInt32) -> Duration {
        guard number > 0 else { return .zero }
        let most = min(7_000, 300 << min(number - 1, 5))
        return .nanoseconds(Self.share(jitter, of: Int64(most) * 1_000_000))
    }

    private static func share(_ jitter: UInt32, of whole: Int64) -> Int64 {
        Int64(UInt64(whole).multipliedFullWidth(by: UInt64(jitter) << 32).high)
    }
}
