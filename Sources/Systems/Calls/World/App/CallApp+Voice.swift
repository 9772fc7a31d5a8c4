import KodamaEvidence
import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import KodamaSession
import KodamaSimulation
import KodamaWorld
import RealtimeVoice
import SansIO

/// Somebody's voice as it is heard in a call.
struct CallVoice: Equatable {
    /// The app of the one who talks.
    var talker: ComponentIndex
    /// The call.
    var call: Int64
    /// The room object that plays it, by its serial, and the way by which it comes.
    var room: UInt32
    var route: MediaRoute
    /// From the mouth to the ear.
    var latency: Duration
}

/// A way by which somebody's voice goes from the room server to a phone.
struct CallWay {
    /// The app of the one who talks.
    var talker: ComponentIndex
    /// The room of the call.
    var room: String
    /// From the room server to the phone.
    var route: MediaRoute
    /// From the mouth to the room server.
    var delay: Duration
}

extension CallDesk {
    /// The ways of all voices to an app's phone: of those whom its user has a call with, for no other room takes
    /// both.
    fileprivate func voiceWays(to app: CallApp, on stage: borrowing Stage) -> [CallWay] {
        var ways: [CallWay] = []
        for talker in mates(of: app) where talker.index != app.index {
            for (room, uplink, delay) in talker.uplinks(on: stage) {
                for route in talker.rooms.forwardedRoutes(of: uplink)
                where route.destination.address.host == app.phone.host {
                    let way = CallWay(talker: talker.index, room: room, route: route, delay: delay)
                    ways.append(way)
                }
            }
        }
        return ways
    }
}

// Whose voice is heard in whose call follows from the room objects, the room server and the links, as for
// sessions by reachability: nobody's word is taken for it.

extension CallApp {
    func touchPath(on stage: inout Stage) { touchFlows(on: &stage) }

    /// What one phone does changes what those hear whom its user has a call with.
    func touchFlows(on stage: inout Stage) {
        for app in system.desk.mates(of: self) { stage.touch(app) }
    }

    func review(on stage: inout Stage) {
        reviewPath(on: &stage)
        let living = livingRooms
        let latest = voicesHeard(in: living, on: stage)
        // Frames that are made are counted as they come and go.
        if roomSound == nil { feedStatistics(of: living, latest, at: stage.now) }
        for voice in voices where !latest.contains(where: { $0.isSame(as: voice) }) {
            stage.note(CallVoiceStopped(call: voice.call), of: index, about: voice.talker)
        }
        for voice in latest where !voices.contains(where: { $0.isSame(as: voice) }) {
            let heard = stage.now.advanced(by: voice.latency)
            let flowing = CallVoiceFlowing(call: voice.call, heard: heard)
            stage.note(flowing, of: index, about: voice.talker)
        }
        voices = latest
    }

    /// The room objects of the process that runs.
    var livingRooms: [RoomObject] {
        guard phase == .running else { return [] }
        let launch = launchCount
        return roomObjects.filter { $0.launch == launch }
    }

    /// Whose voice reaches the ear at this phone.
    private func voicesHeard(in rooms: [RoomObject], on stage: borrowing Stage) -> [CallVoice] {
        guard soundIsOn else { return [] }
        let listening = rooms.filter(\.isPlaying)
        guard !listening.isEmpty else { return [] }
        var voices: [CallVoice] = []
        for way in system.desk.voiceWays(to: self, on: stage) {
            let route = way.route
            guard let heard = listening.first(where: { $0.hears(by: route) }),
                let down = latency(of: route, up: false, on: stage)
            else { continue }
            voices.append(
                CallVoice(
                    talker: way.talker,
                    call: system.desk.call(inRoom: way.room) ?? 0,
                    room: heard.serial,
                    route: route,
                    latency: way.delay + down + sdk.playoutDelay
                )
            )
        }
        return voices
    }

    /// The ways by which the user's voice reaches the room server now, with their rooms and delays.
    fileprivate func uplinks(
        on stage: borrowing Stage
    ) -> [(room: String, route: MediaRoute, delay: Duration)] {
        guard soundIsOn, hasMicrophone else { return [] }
        var ways: [(room: String, route: MediaRoute, delay: Duration)] = []
        for object in livingRooms {
            guard let route = object.mediaRoute,
                let delay = latency(of: route, up: true, on: stage),
                let room = rooms.room(hearing: route)
            else { continue }
            ways.append((room, route, delay))
        }
        return ways
    }

    /// How long voice is under way between the phone and the room server, if it passes.
    private func latency(of route: MediaRoute, up: Bool, on stage: borrowing Stage) -> Duration? {
        let address = up ? route.source.address : route.destination.address
        let way: LinkWays = up ? .forward : .backward
        return phone.delay(of: route.trafficClass, by: address, way, on: stage)
            .map { .nanoseconds($0) }
    }

    /// Lets each room object count the frames that are not made.
    private func feedStatistics(of rooms: [RoomObject], _ heard: [CallVoice], at now: Instant) {
        let speaks = soundIsOn
        for room in rooms {
            let route = heard.first { $0.room == room.serial }?.route
            room.noteVoice(isSpeaking: speaks, comingInBy: route, at: now)
        }
    }
}

extension CallVoice {
    /// Whether it is the same person in the same call, by whatever way.
    fileprivate func isSame(as other: CallVoice) -> Bool {
        talker == other.talker && call == other.call
    }
}
