public import SansIO

/// What becomes of calls that ring for a user when the user's devices change or cannot take them.
extension APIServer {
    /// How long a call rings that no device has a token for.
    ///
    /// Mostly the system gives another at once, and the app repeats its first try after 2 s; an
    /// assumption.
    static let tokenGapMax = Duration.seconds(5)
    /// How many devices are remembered that a call cannot ring on: all that may know of it.
    static let unavailableMax = 2 * DeviceRegistry.devicesPerUserMax

    /// Pushes the calls that ring for a user to a device that is new, or has another token now.
    ///
    /// No push that was sent before reaches it. A device that knows of a call by its former token takes this
    /// one for a duplicate.
    mutating func announceRinging(
        to device: DeviceRegistry.Device,
        of user: UserName,
        at now: WallTime
    ) {
        for call in calls.ringing(for: user, at: now)
        where !call.unavailable.contains(device.deviceID) {
            pushCommands.append(.send(PushOrder(call, to: device)))
            guard call.abandonedUntil != nil || call.unpushed.contains(device.deviceID) else {
                continue
            }
            var call = call
            call.abandonedUntil = nil
            call.unpushed.removeAll { $0 == device.deviceID }
            calls.keep(call)
        }
    }

    /// Remembers that a device knows of a call that rings.
    ///
    /// One that cannot take it may have asked before it said so.
    mutating func rings(_ call: CallRecord, on device: String) {
        guard !call.aware.contains(device), !call.unavailable.contains(device),
            call.aware.count < DeviceRegistry.devicesPerUserMax
        else { return }
        var call = call
        call.aware.append(device)
        call.abandonedUntil = nil
        calls.keep(call)
    }

    /// Forgets the token of a user's device, which is dead.
    ///
    /// A call that no device knows of is over soon, unless one registers: its push is lost.
    mutating func forgetToken(of deviceID: String, of user: UserName, at now: WallTime) {
        let ringing = calls.ringing(for: user, at: now)
        for call in ringing { withdraw(call, from: deviceID) }
        devices.forget(deviceID: deviceID, of: user)
        for call in ringing { pushLost(of: call, to: deviceID, at: now) }
    }

    /// A call's push reaches a device no more, which may have another token soon.
    private mutating func pushLost(of call: CallRecord, to deviceID: String, at now: WallTime) {
        var call = call
        if !call.unpushed.contains(deviceID), call.unpushed.count < Self.unavailableMax {
            call.unpushed.append(deviceID)
        }
        if isUntakeable(call) { call.abandonedUntil = now.advanced(by: Self.tokenGapMax) }
        calls.keep(call)
    }

    /// Forgets a device of a user's.
    ///
    /// Calls that ring for the user and can be taken on no other device are over: their callers would hear
    /// them ring for nobody.
    mutating func leave(_ deviceID: String, of user: UserName, at now: WallTime) {
        let ringing = calls.ringing(for: user, at: now)
        let isAware = ringing.contains { $0.aware.contains(deviceID) }
        guard isAware || devices.devices(of: user).contains(where: { $0.deviceID == deviceID })
        else { return }
        for call in ringing { withdraw(call, from: deviceID) }
        devices.forget(deviceID: deviceID, of: user)
        for var call in ringing {
            call.aware.removeAll { $0 == deviceID }
            calls.keep(call)
            deviceGone(call, at: now)
        }
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
        if !call.unavailable.contains(device), call.unavailable.count < Self.unavailableMax {
            call.unavailable.append(device)
        }
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
        guard isUntakeable(call) else { return }
        withdraw(call)
        calls.end(call, end, by: device, at: now)
    }

    private func isUntakeable(_ call: CallRecord) -> Bool {
        let pushed = devices.devices(of: call.callee).map(\.deviceID)
            .filter { !call.unpushed.contains($0) }
        return (pushed + call.aware).allSatisfy(call.unavailable.contains)
    }

    /// Takes what became of a push: a call that can be announced to no device is over.
    ///
    /// Its caller would hear it ring for its whole time.
    ///
    /// - Parameters:
    ///   - callId: The call that the push announces.
    ///   - deviceToken: The token that it went to; one that is dead has been forgotten before,
    ///     unless it was registered after its death.
    ///   - outcome: What became of it.
    ///   - now: The server's clock.
    public mutating func pushFinished(
        callId: String,
        deviceToken: String,
        _ outcome: PushOutcome,
        at now: WallTime
    ) {
        guard let call = calls.call(callId, at: now), call.state == .ringing else { return }
        let known = devices.devices(of: call.callee).first { $0.token == deviceToken }
        switch outcome {
        case .accepted, .withdrawn, .expired:
            return
        case .unregistered:
            guard let device = known?.deviceID else { return deviceGone(call, at: now) }
            // Its registration came after the token's death, as one does that was stuck.
            pushLost(of: call, to: device, at: now)
        case .refused, .overloaded:
            guard let device = known?.deviceID else { return }
            unavailable(call, .failed, on: device, at: now)
        }
    }
}
