import AppCoordination
import KodamaEvidence
import KodamaNetwork
import KodamaPhone
import KodamaSession
import KodamaWorld
import RealtimeVoice
import SansIO

/// How the app has the microphone published, and what the phone can spare.
struct Microphone {
    var published = PublishedAudio.speech
    var reserves = PhoneReserves()
    /// Whether frames are being made.
    var isStreaming = false
    /// Until when they are those of an answer.
    var answersUntil = Instant.zero
}

// The microphone's stream as the agent's room gets it where conversations are sound, and what its rates are.

extension CoachApp {
    // MARK: What the phone can spare

    /// The phone's battery or its network's data became scarce, or did not stay so.
    func changeReserves(on stage: inout Stage, _ change: (inout PhoneReserves) -> Void) {
        change(&microphone.reserves)
        tasks.tell(.conditionChanged(backgroundCondition), on: &stage)
        tellReserves(on: &stage)
    }

    /// Tells the app, if it asks for that.
    func tellReserves(on stage: inout Stage) {
        guard plan.voice.audio.isEnabled else { return }
        tellSession(.reservesChanged(microphone.reserves), on: &stage)
    }

    /// What the system looks at before it runs the app's tasks.
    var backgroundCondition: BackgroundCondition {
        var condition = BackgroundCondition()
        condition.batteryPercent = microphone.reserves.batteryPercent ?? condition.batteryPercent
        condition.isCharging = microphone.reserves.isCharging
        condition.isLowPowerMode = microphone.reserves.isLowPowerMode
        condition.isReady = isPowered && !armory.isBeforeFirstUnlock
        return condition
    }

    // MARK: What is published

    /// The app has the microphone published so from now on.
    func publish(_ audio: PublishedAudio, on stage: inout Stage) {
        microphone.published = audio
        sound?.encodeWords(at: audio.bitRate)
        let form = AudioPublished(
            bitsPerSecond: audio.bitRate.bitsPerSecond,
            sampleRateHertz: Int64(audio.sampleRateHertz)
        )
        note(form, on: &stage)
        reviewLoad(on: &stage)
    }

    /// Whether the session's microphone is sampled at no more than wideband's rate.
    var isWideband: Bool { online.hasEngine && microphone.published.sampleRateHertz <= 16_000 }

    // MARK: The stream

    /// Begins to make frames of what the microphone hears, where it is published and conversations are sound.
    func startStream(on stage: inout Stage) {
        guard sound != nil, !microphone.isStreaming, streamRoute != nil else { return }
        microphone.isStreaming = true
        schedule(.microphoneFrame, after: SessionVoice.frame, on: &stage)
    }

    private var streamRoute: MediaRoute? { soundIsOn ? currentRoom?.mediaRoute : nil }

    /// The microphone has a frame ready: of the room's noise, unless the user answers.
    func microphoneFrame(on stage: inout Stage) {
        guard let route = streamRoute else { return microphone.isStreaming = false }
        schedule(.microphoneFrame, after: SessionVoice.frame, on: &stage)
        guard stage.now >= microphone.answersUntil else { return }
        let bytes = SessionVoice.payloadBytes(at: microphone.published.bitRate)
        sendFrame(0, bytes: bytes, along: route, on: &stage)
    }

    /// Sends a frame of the microphone's; the number says which of an answer's it is.
    func sendFrame(
        _ number: UInt32,
        bytes: Int,
        along route: MediaRoute,
        on stage: inout Stage
    ) {
        // A speaking flag would make the model of the agent answer.
        let frame = MediaFrame(
            track: route.track,
            sequence: Int64(number),
            captured: stage.now.advanced(by: .zero - SessionVoice.frame),
            isSpeech: false
        )
        let packet = Packet(
            from: route.source,
            to: route.destination,
            wireBytes: bytes + SessionVoice.headerBytes,
            .media(frame)
        )
        currentRoom?.noteSent(bytes: bytes)
        stage.send(packet)
    }
}
