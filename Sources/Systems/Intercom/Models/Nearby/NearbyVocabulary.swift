import GroupSecurity
import KodamaNetwork
import KodamaPhone

/// What sessions of phones nearby send one another, beside the app's own data.
enum NearbyMessage: PacketPayload, Equatable {
    static var cargo: PacketCargo { .nearby }

    /// An app is there and shows this; `session` is drawn anew whenever it begins.
    case announcement(info: [UInt8], session: UInt64)
    /// A connection of this number is wanted; `info` answers to what the invited phone shows.
    case invitation(connection: UInt64, info: [UInt8], session: UInt64)
    /// It is welcome.
    case acceptance(connection: UInt64)
    /// The connection stands.
    case heartbeat(connection: UInt64)
    /// The connection was closed on purpose.
    case goodbye(connection: UInt64)

    /// Its bytes on the wire by assumption: a frame of the radio's own with addresses and a service
    /// record of 60 bytes, and what an app shows of itself.
    var wireBytes: Int {
        switch self {
        case .announcement(let info, _), .invitation(_, let info, _): 100 + info.count
        case .acceptance, .heartbeat, .goodbye: 100
        }
    }
}

/// A group whose members are looked for nearby, as they show themselves in a period.
struct SoughtGroup: Sendable, Equatable {
    let hash: GroupHash
    let period: SignPeriod
}

/// A fact for a session of phones nearby.
enum NearbyEvent: Sendable, Equatable {
    /// The app shows `info` to others, and takes those who show a sign of `group`, or the same without one.
    ///
    /// Told again with a later period it shows itself by another name, and goes on.
    case began(info: [UInt8], group: SoughtGroup? = nil)
    /// The app shows itself no more and looks for nobody; the connections that stand go on (Apple's
    /// `stopAdvertisingPeer` and `stopBrowsingForPeers`, without `disconnect`).
    case hidden
    /// The app wants none of it any more.
    case stopped
    /// The radio was switched on or off.
    case radioChanged(isOn: Bool)
    /// A message came from a phone nearby.
    case received(NearbyMessage, from: UInt32)
    /// The app closed a connection; `isCut` keeps its phone out for a while.
    case closed(connection: UInt64, isCut: Bool)
}

/// An order of a session of phones nearby, or news for the app.
enum NearbyEffect: Sendable, Equatable {
    /// Send this to a phone nearby, or to all of them.
    case transmit(NearbyMessage, to: UInt32?)
    /// A connection to a phone stands: data passes.
    case connected(connection: UInt64, to: UInt32)
    /// A connection is gone, or known to be gone at last.
    case lost(connection: UInt64, NearbyLoss)
}

/// Why a session counts a connection as lost.
enum NearbyLoss: Int64, Sendable, Hashable, CaseIterable {
    /// Nothing came for so long that the framework noticed.
    case silence
    /// The other side closed it.
    case closed
    /// The same phone opened another one.
    case replaced
    /// This phone's radio was switched off.
    case radioOff
}
