/// An event on its way to a component of the world.
///
/// Plain values without references, so that the queue moves them as bytes.
enum Delivery: BitwiseCopyable {
    /// A device's microphone has a frame ready.
    case microphone(device: UInt16)
    /// A device's speaker asks for sound.
    case speaker(device: UInt16)
    /// A device's app wants to be woken.
    case wake(device: UInt16)
    /// A datagram reaches the device that it was sent to.
    case datagram(slot: UInt32)
    /// A person begins or ends a talk spurt.
    case speech(person: UInt16)
    /// An entry of the timeline is due.
    case timeline(entry: UInt16)
    /// A link's disruption ends.
    case restore(link: UInt16)
    /// Something that chance brings is due.
    case chance(occurrence: UInt32)
    /// A packet reaches its host.
    case packet(slot: UInt32)
    /// Something in a phone with a session wants to be woken.
    case phoneWake(phone: UInt16)
    /// Something at the servers' site wants to be woken.
    case siteWake
    /// An agent wants to be woken.
    case agentWake(agent: UInt32)
    /// The user opens the app for the first time.
    case opens(phone: UInt16)
    /// A launched app runs its first line.
    case launched(phone: UInt16, launch: UInt16)
    /// A phone with a session has a frame of voice ready.
    case voiceFrame(phone: UInt16)
    /// An agent has a frame of voice ready.
    case agentFrame(agent: UInt32)
    /// An agent that was called for reaches its room.
    case agentArrives(agent: UInt32)
    /// What a phone's user says, or stops saying, reaches the agent.
    case agentHears(phone: UInt16)
    /// The answer to a request is ready.
    case apiAnswer(slot: UInt32)
    /// A block of a phone's packets ends.
    case unblock(phone: UInt16, fault: UInt8)
    /// The room server is back.
    case roomsBack
    /// The app's own server answers again.
    case apiBack
    /// An outage of a radio begins by itself.
    case radioOutage(phone: UInt16, radio: UInt8)
}

/// Which of two deliveries at one instant comes first, before their sources are compared.
///
/// The world changes before anybody acts in it; then packets arrive, then phones act.
enum DeliveryRank {
    static let timeline = 0
    static let speech = 1
    static let datagram = 2
    static let microphone = 3
    static let speaker = 4
    static let wake = 5
    static let phone = 6
    static let site = 7
}

/// The numbers of event sources that are no device's.
enum DeliverySource {
    /// Phones with a session, from here on.
    static let phone = 100_000
    /// The servers' site.
    static let site = 200_000
    /// Agents, from here on; more than `agentsMax` of them share sources.
    static let agent = 210_000
    static let agentsMax = 50_000
}
