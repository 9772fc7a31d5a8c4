public import KodamaNetwork

// What an app's client is given from outside, as on a real phone: addresses and entropy.

extension PhoneApp {
    /// The socket of the app's first port at the system's preferred address; `nil` without an address.
    public var socket: SocketAddress? {
        phone.addresses.first.map { SocketAddress(address: $0, port: firstPort) }
    }

    /// The seed for the app's draws; each launch has its own.
    ///
    /// - Parameters:
    ///   - purpose: Separates these draws from the app's other draws, so that neither changes the other.
    ///   - stage: The stage of the run.
    /// - Returns: The same bits for the same run's seed, phone, purpose and launch.
    public func seed(_ purpose: StaticString, on stage: borrowing Stage) -> UInt64 {
        phone.seed(purpose, launchCount, on: stage)
    }
}
