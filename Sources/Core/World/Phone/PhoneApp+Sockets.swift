public import KodamaNetwork

// What an app's client is given from outside, as on a real phone: addresses and entropy.

extension PhoneApp {
    /// The socket of the app's first port at the address that the system likes best; `nil` without one.
    public var socket: SocketAddress? {
        phone.addresses.first.map { SocketAddress(address: $0, port: firstPort) }
    }

    /// The seed for what the app draws from now on; each launch has its own.
    ///
    /// - Parameters:
    ///   - purpose: What is drawn, so that one more draw of another kind changes none of these.
    ///   - stage: The stage of the run.
    /// - Returns: The same bits for the same run's seed, phone, purpose and launch.
    public func seed(_ purpose: StaticString, on stage: borrowing Stage) -> UInt64 {
        phone.seed(purpose, launchCount, on: stage)
    }
}
