import KodamaPhone
import KodamaSimulation
import SansIO

/// The devices' side: connections and tokens.
extension PushService {
    /// Gives a device what is kept for it, by its new connection.
    mutating func connect(_ id: PushDeviceID, in turn: inout Turn<Effect>) {
        guard let index = deviceIndex(of: id) else { return }
        devices[index].reach = .online
        absent.removeAll { $0 == index }
        for registration in devices[index].registrations.indices
        where devices[index].registrations[registration].isTokenOwed {
            issue(registration, to: index, in: &turn)
        }
        trim(index, keepsOnce: true, in: &turn)
        for push in devices[index].kept {
            turn.order(.deliver(push.notification, to: id))
        }
    }

    mutating func disconnect(_ id: PushDeviceID, at now: Instant) {
        guard let index = deviceIndices[id], devices[index].isOnline else { return }
        var times = RandomStream(seed: seed, purpose: "push absence", entity: "\(id.number)")
        times.index = devices[index].absences
        devices[index].absences += 1
        let noticedAt = now.advanced(by: times.duration(in: settings.absenceNoticed))
        devices[index].reach = .gone(noticedAt: noticedAt)
        absent.append(index)
    }

    /// From here on the service stores what it cannot deliver, and no longer waits for confirmations.
    mutating func noticeAbsences(in turn: inout Turn<Effect>) {
        guard !absent.isEmpty else { return }
        for index in absent {
            guard case .gone(let noticedAt) = devices[index].reach, noticedAt <= turn.now else {
                continue
            }
            devices[index].reach = .offline
            trim(index, keepsOnce: false, in: &turn)
        }
        absent.removeAll { devices[$0].reach == .offline }
    }

    /// Leaves what is still worth delivering, one notification an app.
    private mutating func trim(_ index: Int, keepsOnce: Bool, in turn: inout Turn<Effect>) {
        let id = devices[index].id
        let time = clock.reading(at: turn.now)
        let expired = devices[index].kept.filter { $0.expiration.isOver(at: time) }
        let once = devices[index].kept.filter { !keepsOnce && $0.expiration == .once }
        devices[index].kept.removeAll { push in
            push.expiration.isOver(at: time) || !keepsOnce && push.expiration == .once
        }
        discard(expired, of: id, .expired, in: &turn)
        discard(once, of: id, .notStored, in: &turn)
        discard(devices[index].coalesce(), of: id, .superseded, in: &turn)
    }

    mutating func requestToken(_ id: PushDeviceID, _ topic: String, in turn: inout Turn<Effect>) {
        guard PushFields.isTopic(topic), let device = deviceIndex(of: id),
            let registration = registrationIndex(of: topic, on: device)
        else { return }
        if devices[device].registrations[registration].token == nil {
            makeToken(registration, on: device)
        }
        issue(registration, to: device, in: &turn)
    }

    mutating func removeApp(_ id: PushDeviceID, _ topic: String, in turn: inout Turn<Effect>) {
        guard let (device, registration) = registered(id, topic) else { return }
        let state = devices[device].registrations[registration]
        var times = RandomStream(
            seed: seed,
            purpose: "push app removal",
            entity: Self.entity(id, topic)
        )
        times.index = state.tokensMade
        let confirmedAt = turn.now.advanced(by: times.duration(in: settings.removalNoticed))
        bury(registration, on: device, .unregistered, at: confirmedAt)
        let lost = devices[device].kept.filter { $0.notification.topic == topic }
        devices[device].kept.removeAll { $0.notification.topic == topic }
        discard(lost, of: id, .appRemoved, in: &turn)
    }

    mutating func replaceToken(_ id: PushDeviceID, _ topic: String, in turn: inout Turn<Effect>) {
        guard let (device, registration) = registered(id, topic) else { return }
        bury(registration, on: device, .expiredToken, at: turn.now)
        makeToken(registration, on: device)
        issue(registration, to: device, in: &turn)
    }

    private mutating func issue(_ registration: Int, to device: Int, in turn: inout Turn<Effect>) {
        guard devices[device].isOnline else {
            devices[device].registrations[registration].isTokenOwed = true
            return
        }
        devices[device].registrations[registration].isTokenOwed = false
        let state = devices[device].registrations[registration]
        let bytes = tokenBytes(devices[device].id, state.topic, number: state.tokensMade)
        turn.order(.issueToken(devices[device].id, topic: state.topic, bytes))
    }

    private mutating func makeToken(_ registration: Int, on device: Int) {
        devices[device].registrations[registration].tokensMade += 1
        let state = devices[device].registrations[registration]
        let bytes = tokenBytes(devices[device].id, state.topic, number: state.tokensMade)
        let text = bytes.map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }
        .joined()
        devices[device].registrations[registration].token = text
        tokens[text] = PushToken(device: device, topic: state.topic, death: nil)
    }

    private mutating func bury(
        _ registration: Int,
        on device: Int,
        _ reason: PushReason,
        at confirmedAt: Instant
    ) {
        guard let text = devices[device].registrations[registration].token else { return }
        devices[device].registrations[registration].token = nil
        devices[device].registrations[registration].isTokenOwed = false
        tokens[text]?.death = PushToken.Death(reason: reason, confirmedAt: confirmedAt)
        deadTokens.append(text)
        guard deadTokens.count > Self.deadTokensMax else { return }
        tokens[deadTokens.removeFirst()] = nil
    }

    /// 32 bytes, as today's devices have; Apple warns not to rely on it.
    private func tokenBytes(_ id: PushDeviceID, _ topic: String, number: UInt64) -> [UInt8] {
        let entity = Self.entity(id, topic)
        let bits = RandomStream(seed: seed, purpose: "device token", entity: entity)
        return (0..<4).flatMap { word -> [UInt8] in
            let drawn = bits.bits(at: number &* 4 &+ UInt64(word))
            return (0..<8).map { UInt8(truncatingIfNeeded: drawn >> (56 - 8 * UInt64($0))) }
        }
    }

    private func registered(_ id: PushDeviceID, _ topic: String) -> (Int, Int)? {
        guard let device = deviceIndices[id],
            let registration = devices[device].registrationIndex(of: topic),
            devices[device].registrations[registration].token != nil
        else { return nil }
        return (device, registration)
    }

    /// A device's index; a new one if there is room for it.
    private mutating func deviceIndex(of id: PushDeviceID) -> Int? {
        if let index = deviceIndices[id] { return index }
        guard devices.count < Self.devicesMax else { return nil }
        devices.append(PushDevice(id))
        deviceIndices[id] = devices.count - 1
        return devices.count - 1
    }

    /// A topic's index on a device; a new one if there is room for it.
    private mutating func registrationIndex(of topic: String, on device: Int) -> Int? {
        if let index = devices[device].registrationIndex(of: topic) { return index }
        guard devices[device].registrations.count < PushDevice.registrationsMax else { return nil }
        let fates = RandomStream(
            seed: seed,
            purpose: "push fate",
            entity: Self.entity(devices[device].id, topic)
        )
        devices[device].registrations.append(PushRegistration(topic: topic, fates: fates))
        return devices[device].registrations.count - 1
    }

    private static func entity(_ id: PushDeviceID, _ topic: String) -> String {
        "\(id.number)/\(topic)"
    }
}
