@testable import KodamaPhone
import SansIO
import SansIOTesting

extension LawRandom {
    /// Something that may happen to a notification centre.
    mutating func notificationEvent(at now: Instant) -> UserNotificationCenter.Event {
        let app = AppID(below(2))
        let id = "\(below(70))"
        let operation = OperationID(number: 1)
        let flag = chance(percent: 50)
        let level = InterruptionLevel.allCases[below(4)]
        switch below(19) {
        case 0...5:
            let seconds = Int64(below(200)) - 2
            let local = CivilTime(
                WallTime(nanosecondsSince1970: now.nanoseconds + seconds * 1_000_000_000)
            )
            let trigger: NotificationRequest.Trigger =
                switch below(4) {
                case 0: .interval(.seconds(seconds), repeats: flag)
                case 1: .calendar(local)
                case 2: .date(local.reading)
                default: .repeating(ClockTime(hour: 0, minute: below(10)))
                }
            return .ordered(
                app,
                .add(operation, NotificationRequest(id, trigger, level: level, actions: ["snooze"]))
            )
        case 6: return .posted(app, NotificationRequest(id, nil, level: level))
        case 7: return .presentationChosen(app, identifier: id, isShown: flag)
        case 8: return flag ? .tapped(app, identifier: id) : .listCleared
        case 17: return .actionTapped(app, identifier: id, action: flag ? "snooze" : "stop")
        case 9: return .focusChanged(flag ? Focus(.sleep) : nil)
        case 10: return .frontChanged(app, isInFront: flag)
        case 11:
            let wall = WallTime(secondsSince1970: Int64(below(400)))
            return .clockChanged(flag ? .zone(secondsFromGMT: Int64(below(3)) * 60) : .set(wall))
        case 12: return .powerChanged(isOn: chance(percent: 80))
        case 13: return .appEnded(app)
        case 14: return .ordered(app, flag ? .getPending(operation) : .getDelivered(operation))
        case 15: return .ordered(app, flag ? .removePending([id]) : .removeDelivered([id]))
        case 16: return .ordered(app, .requestAuthorization(operation))
        default:
            var settings = NotificationSettings()
            settings.permission = PermissionCondition(chance(percent: 80) ? .granted : .denied)
            settings.isInSummary = flag
            return .settingsChanged(app, settings)
        }
    }
}
