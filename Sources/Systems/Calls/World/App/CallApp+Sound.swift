import KodamaNetwork
import KodamaPhone
import KodamaSession
import KodamaWorld
import SansIO

// A call as sound (`voice: real`): the microphone's frames through libopus and the room server to the other
// phone, and from there through our jitter buffer and libopus to the speaker. Who is heard in which call is
// written down as without sound: by the state of the paths.

extension CallApp {
    var usesFrames: Bool { roomSound != nil }

    func personSpoke(begins: Bool, on stage: inout Stage) { speakers += begins ? 1 : -1 }

    /// The microphone has a frame ready: it leaves by each room in which the user is heard.
    ///
    /// An app without the permission takes in silence, of which nobody hears anything.
    func captureFrame(_ number: Int64, on stage: inout Stage) {
        guard process != nil, hasMicrophone, let roomSound else { return }
        var routes: [MediaRoute] = []
        for room in livingRooms {
            guard let route = room.mediaRoute else { continue }
            room.noteMediaSent()
            routes.append(route)
        }
        let clock = phone.sound.microphoneClock
        let isSpeaking = speakers > 0
        for packet in roomSound.capture(number, by: clock, along: routes, isSpeech: isSpeaking) {
            stage.send(packet)
        }
    }

    /// A frame of somebody's whom the user has a call with has come in.
    func take(_ frame: MediaFrame, in packet: Packet, on stage: inout Stage) {
        let route = MediaRoute(from: packet.source, to: packet.destination, track: frame.track)
        guard let roomSound, soundIsOn,
            livingRooms.contains(where: { $0.isPlaying && $0.hears(by: route) })
        else { return }
        for talker in system.desk.mates(of: self) where talker.index != index {
            guard let packet = talker.roomSound?.sender.packet(of: frame) else { continue }
            return roomSound.ear.receive(frame, packet, of: talker.index, on: &stage)
        }
    }

    /// The speaker asks for sound.
    func renderSound(on stage: inout Stage) {
        guard process != nil else { return }
        roomSound?.ear.render(SoundHardware.samplesPerRender, on: &stage)
    }
}
