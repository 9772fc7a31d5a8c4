public import SansIO

/// What becomes of calls that ring for a user when the user's devices change or cannot take them.
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

    /// One of the callee's devices cannot take the call; it is over when none can.
    mutating func unavailable(
        _ call: CallRecord,
        _ reason: CallEnd,
        on device: String,
        at now: WallTime
    ) {
        var call = call
        withdraw(call, from: device)
        if !call.unavailable.contains(device) { call.unavailable.append(device) }
        calls.keep(call)
        endUntakeable(call, reason == .busy ? .busy : .failed, by: device, at: now)
    }

    /// Ends a call that none of the callee's devices can take.
    mutating func endUntakeable(
        _ call: CallRecord,
        _ end: CallEnd,
        by device: String?,
        at now: WallTime
    ) {
        let others = devices.devices(of: call.callee).map(\.deviceID)
        guard others.allSatisfy(call.unavailable.contains) else { return }
        withdraw(call)
        calls.end(call, end, by: device, at: now)
    }

    /// Takes what became of a push: a call that can be announced to no device is over.
    ///
    /// Its caller would hear it ring for its whole time.
    ///
    /// - Parameters:
    ///   - callId: The call that the push announces.
    ///   - deviceToken: The token that it went to; one that is dead has been forgotten before.
    ///   - outcome: What became of it.
    ///   - now: The server's clock.
    public mutating func pushFinished(
        callId: String,
        deviceToken: String,
        _ outcome: PushOutcome,
        at now: WallTime
    ) {
        guard let call = calls.call(callId, at: now), call.state == .ringing else { return }
        switch outcome {
        case .accepted, .withdrawn, .expired:
            return
        case .unregistered:
            deviceGone(call, at: now)
        case .refused, .overloaded:
            let known = devices.devices(of: call.callee).first { $0.token == deviceToken }
            guard let device = known?.deviceID else { return }
            unavailable(call, .failed, on: device, at: now)
        }
    }
}
