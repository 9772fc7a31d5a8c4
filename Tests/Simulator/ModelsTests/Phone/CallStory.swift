import IncomingCalls
import Models
import SansIO
import SansIOTesting

/// What the stories of the call screen speak of: two apps and their calls.
protocol CallStory {}

extension CallStory {
    static var calls: AppID { AppID(0) }
    static var other: AppID { AppID(1) }

    /// A call's identity.
    static func call(_ number: UInt64) -> UniqueID { UniqueID(high: 0, low: number) }

    static func operation(_ number: UInt32) -> OperationID { OperationID(number: number) }

    static func action(_ number: UInt32) -> ActionID { ActionID(number: number) }

    /// A report of a call, whose operation has the call's number.
    static func report(_ number: UInt64) -> SystemCallCommand {
        .reportIncoming(operation(UInt32(number)), call(number), .unusable)
    }

    /// The action to start a call.
    static func start(_ number: UInt64) -> SystemCallAction {
        .start(call(number), handle: "ren", hasVideo: false)
    }

    static func held(_ number: UInt64, _ isHeld: Bool = true) -> SystemCallAction {
        .setHeld(call(number), isHeld: isHeld)
    }
}
