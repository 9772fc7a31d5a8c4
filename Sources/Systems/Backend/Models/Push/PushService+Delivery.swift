import AppServer
import KodamaPhone
import KodamaSimulation
import SansIO

/// A notification's way from acceptance to the last mile.
extension PushService {
    /// Accepts a notification, or says what is wrong with its device token.
    mutating func accept(
        _ fields: PushFields,
        _ payload: String,
        in turn: inout Turn<Effect>
    ) throws(PushReason) -> PushResponse {
        guard let token = tokens[fields.deviceToken] else { throw .badDeviceToken }
        guard token.topic == fields.topic else { throw .deviceTokenNotForTopic }
        if let death = token.death, death.confirmedAt <= turn.now {
            return PushResponse(
                statusCode: death.reason.statusCode,
                reason: death.reason.rawValue,
                timestamp: clock.reading(at: death.confirmedAt).wholeMilliseconds
            )
        }
        guard let registration = devices[token.device].registrationIndex(of: token.topic) else {
            throw .internalServerError
        }
        let isTooMuch = devices[token.device].registrations[registration]
            .countRequest(at: turn.now, settings)
        guard !isTooMuch else { throw .tooManyRequests }
        guard notifications.count + 2 <= Self.inTransitMax else { throw .serviceUnavailable }
        accepted += 1
        let notification = PushNotification(
            id: fields.id ?? madeID(),
            topic: fields.topic,
            kind: fields.kind,
            collapseID: fields.collapseID,
            payload: payload,
            acceptedAt: turn.now
        )
        let expiration = expiration(fields.expiration, at: turn.now)
        send(notification, by: fields.deviceToken, token, registration, expiration, at: turn.now)
        if token.death != nil {
            turn.order(.discarded(notification.id, devices[token.device].id, .appRemoved))
        }
        return PushResponse(statusCode: 200)
    }

    /// Until when a notification is kept: no longer than anything is.
    ///
    /// One whose time was over before it came is tried once: an assumption.
    private func expiration(_ asked: PushExpiration?, at now: Instant) -> PushExpiration {
        let time = clock.reading(at: now)
        let end = time.advanced(by: settings.storageMax)
        guard case .until(let asked) = asked else { return asked ?? .until(end) }
        return asked <= time ? .once : .until(min(asked, end))
    }

    /// Draws a notification's fate and sends it on its way.
    private mutating func send(
        _ notification: PushNotification,
        by text: String,
        _ token: PushToken,
        _ registration: Int,
        _ expiration: PushExpiration,
        at now: Instant
    ) {
        let ordinal = devices[token.device].registrations[registration].accepted
        devices[token.device].registrations[registration].accepted += 1
        var fate = devices[token.device].registrations[registration].fates
        fate.index = ordinal &* PushRegistration.drawsPerNotification
        var latency = ailments.delay(at: now) + fate.latency(settings.latency)
        let isStraggler = fate.bernoulli(settings.stragglers)
        let straggling = fate.latency(settings.straggling)
        if isStraggler { latency += straggling }
        let isDuplicated = fate.bernoulli(settings.duplicates)
        let distance = fate.duration(in: .zero...settings.duplicateWithin)
        let givesWay = fate.bernoulli(settings.olderKept)
        guard token.death == nil else { return }
        let push = QueuedPush(
            ordinal: accepted,
            notification: notification,
            token: text,
            expiration: expiration,
            givesWay: givesWay
        )
        let delivery = QueuedDelivery(device: token.device, push: push)
        let due = now.advanced(by: latency)
        Transit(due: due, content: delivery).insert(into: &notifications)
        guard isDuplicated else { return }
        let again = Transit(due: due.advanced(by: distance), content: delivery)
        again.insert(into: &notifications)
    }

    /// Sends a notification by the device's connection, or keeps it until there is one.
    mutating func deliver(_ delivery: QueuedDelivery, in turn: inout Turn<Effect>) {
        let device = devices[delivery.device]
        let push = delivery.push
        guard tokens[push.token]?.death?.reason != .unregistered else {
            return discard([push], of: device.id, .appRemoved, in: &turn)
        }
        guard !push.expiration.isOver(at: clock.reading(at: turn.now)) else {
            return discard([push], of: device.id, .expired, in: &turn)
        }
        switch device.reach {
        case .online:
            turn.order(.deliver(push.notification, to: device.id))
            keep(delivery, in: &turn)
        case .gone:
            keep(delivery, in: &turn)
        case .offline:
            guard push.expiration != .once else {
                return discard([push], of: device.id, .notStored, in: &turn)
            }
            keep(delivery, in: &turn)
            let gone = devices[delivery.device].coalesce()
            discard(gone, of: device.id, .superseded, in: &turn)
        }
    }

    private mutating func keep(_ delivery: QueuedDelivery, in turn: inout Turn<Effect>) {
        guard let forgotten = devices[delivery.device].keep(delivery.push) else { return }
        discard([forgotten], of: devices[delivery.device].id, .superseded, in: &turn)
    }

    func discard(
        _ pushes: [QueuedPush],
        of device: PushDeviceID,
        _ reason: PushDiscardReason,
        in turn: inout Turn<Effect>
    ) {
        for push in pushes {
            turn.order(.discarded(push.notification.id, device, reason))
        }
    }

    /// The identity of a notification whose provider gave it none.
    private func madeID() -> UniqueID {
        let bits = RandomStream(seed: seed, purpose: "apns-id", entity: "")
        var generator = SeededGenerator(seed: bits.bits(at: accepted))
        return UniqueID(from: &generator)
    }
}

extension WallTime {
    /// The time cut to whole milliseconds, as an answer's body has it.
    var wholeMilliseconds: WallTime {
        WallTime(nanosecondsSince1970: nanosecondsSince1970 / 1_000_000 * 1_000_000)
    }
}
