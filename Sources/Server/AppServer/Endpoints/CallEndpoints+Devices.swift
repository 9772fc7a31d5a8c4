import SansIO

/// What becomes of calls that ring for a user when the user's devices change.
extension APIServer {
    /// Pushes the calls that ring for a user to a device that is new, or has another token now.
    ///
    /// No push that was sent before reaches it. A device that knows of a call by its former token takes this
    /// one for a duplicate.
    mutating func announceRinging(
        to device: DeviceRegistry.Device,
        of user: String,
        at now: WallTime
    ) {
        for call in calls.ringing(for: user, at: now)
        where !call.unavailable.contains(device.deviceID) {
            pushCommands.append(.send(PushOrder(call, to: device)))
        }
    }

    /// Forgets a device of a user's.
    ///
    /// Calls that ring for the user and can be taken on no other device are over: their callers would hear
    /// them ring for nobody.
    mutating func leave(_ deviceID: String, of user: String, at now: WallTime) {
        guard devices.devices(of: user).contains(where: { $0.deviceID == deviceID }) else { return }
        let ringing = calls.ringing(for: user, at: now)
        for call in ringing { withdraw(call, from: deviceID) }
        devices.forget(deviceID: deviceID, of: user)
        for call in ringing { deviceGone(call, at: now) }
    }

    /// One of the callee's devices is none of theirs any more: as if they had never had it.
    mutating func deviceGone(_ call: CallRecord, at now: WallTime) {
        endUntakeable(call, call.unavailable.isEmpty ? .unanswered : .failed, by: nil, at: now)
    }
}
