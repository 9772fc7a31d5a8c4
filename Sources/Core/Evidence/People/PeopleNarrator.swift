/// Says what users do with their phones; what they say would be a sentence a second.
package struct PeopleNarrator: SystemNarrator {
    package init(_ directory: TraceDirectory) {}

    package mutating func follow(_ record: TraceRecord, in narration: inout Narration) {
        guard record.kind == UserActed.kind, let act = UserActed(record).action.value else {
            return
        }
        let text = act.sentence(narration.app(record.subject))
        narration.say("the user \(text)", of: record.component, at: record.instant)
    }
}

extension UserAct {
    /// What the user does, after "the user", to an app if it is done to one.
    package func sentence(_ app: String) -> String {
        switch self {
        case .openApp: "opens \(app)"
        case .leaveApp: "leaves the app"
        case .openControlCentre: "pulls Control Centre over the app"
        case .closeControlCentre: "puts Control Centre away"
        case .killApp: "throws \(app) out of the app switcher"
        case .phoneCallBegins: "is called by phone"
        case .phoneCallEnds: "ends the phone call"
        case .connect: "asks for the conversation"
        case .disconnect: "ends the conversation"
        case .mute: "mutes the microphone"
        case .unmute: "unmutes the microphone"
        case .tapNotification: "taps a notification of \(app)"
        case .signIn: "signs in"
        case .logOut: "logs out"
        case .unlock: "unlocks the phone for the first time since its restart"
        case .allowMicrophone: "allows \(app) the microphone"
        case .refuseMicrophone: "refuses \(app) the microphone"
        case .lock: "locks the phone"
        case .dial: "calls somebody"
        case .answerCall: "answers the call"
        case .endAndAnswerCall: "ends the call that goes on and answers the one that rings"
        case .declineCall: "declines the call"
        case .endCall: "ends the call"
        case .muteCall: "mutes the call"
        case .unmuteCall: "unmutes the call"
        case .holdCall: "puts the call on hold"
        case .unholdCall: "takes the call back from hold"
        case .playMusic: "starts music in another app"
        case .stopMusic: "stops the music"
        case .plugHeadset: "plugs a headset in"
        case .unplugHeadset: "unplugs the headset"
        case .connectBluetooth: "switches a Bluetooth headset on"
        case .disconnectBluetooth: "switches the Bluetooth headset off"
        case .logOutOfCalls: "logs out of the calling app"
        case .signInToCalls: "signs in to the calling app"
        case .allowInFocus: "lets \(app) through Do Not Disturb"
        case .silenceInFocus: "lets \(app) through Do Not Disturb no more"
        case .writeReplica: "writes in \(app)"
        case .readReplica: "looks at the rows in \(app)"
        case .syncReplica: "asks \(app) for the latest rows"
        case .signOutOfReplica: "signs out of \(app)"
        case .signInToReplica: "signs in to \(app)"
        case .updateReplicaApp: "gets another version of \(app)"
        case .phoneCallRings: "is called by phone, and does not answer"
        case .declinePhoneCall: "declines the phone call"
        case .alarmRings: "hears an alarm"
        case .stopAlarm: "stops the alarm"
        }
    }
}
