import AppServer
import SansIO

/// One thing that the push provider decided, and when.
struct Decision {
    /// How far two services may be apart in time: less than half of the shortest time-out.
    static let tolerance = Duration.seconds(2)

    var time: Duration
    var what: String

    init(_ effect: PushProvider.Effect, at time: Duration, since launch: WallTime) {
        self.time = time
        what =
            switch effect {
            case .mintToken(let id, let issuedAt):
                "mint provider token \(id.number) of \(Self.minutes(from: launch, to: issuedAt)) min"
            case .openConnection(let id): "open connection \(id.number)"
            case .closeConnection(let id): "close connection \(id.number)"
            case .ping(let id): "ping connection \(id.number)"
            case .send(let operation, let connection, let order, let id, let token):
                "send \(order.callId) as \(id.text.prefix(8)), operation \(operation.number),"
                    + " on connection \(connection.number) with provider token \(token.number)"
            case .forgetDevice(_, let death):
                "forget the device, dead since \(Self.seconds(from: launch, to: death)) s"
            case .finished(let call, _, .refused(let response)):
                "\(call) refused: \(response.statusCode) \(response.reason ?? "")"
            case .finished(let call, _, let outcome): "\(call) \(outcome)"
            }
    }

    /// What two runs of a story differ in; nothing if the same was decided at about the same times.
    static func differences(_ simulated: [Decision], _ real: [Decision]) -> [String] {
        var differences: [String] = []
        for index in 0..<max(simulated.count, real.count) {
            let left = index < simulated.count ? simulated[index] : nil
            let right = index < real.count ? real[index] : nil
            guard let left, let right, left.what == right.what else {
                differences.append(
                    "decision \(index + 1): in the simulation \(left?.line ?? "none"),"
                        + " over HTTP/2 \(right?.line ?? "none")"
                )
                // What follows is out of step.
                return differences
            }
            let apart = right.time - left.time
            if apart > tolerance || apart < .zero - tolerance {
                differences.append("decision \(index + 1), \(left.what): \(apart) apart")
            }
        }
        return differences
    }

    /// The decision as it is shown.
    var line: String {
        let milliseconds = time.wholeNanoseconds / 1_000_000
        let tenths = (milliseconds + 50) / 100
        return "\(tenths / 10).\(tenths % 10) s: \(what)"
    }

    private static func seconds(from launch: WallTime, to time: WallTime) -> Int64 {
        (time.nanosecondsSince1970 - launch.nanosecondsSince1970) / 1_000_000_000
    }

    /// Minutes, as the two runs mint at times that differ by milliseconds.
    private static func minutes(from launch: WallTime, to time: WallTime) -> Int64 {
        (seconds(from: launch, to: time) + (time < launch ? -30 : 30)) / 60
    }
}
