extension WorldFault {
    /// Everything on a radio vanishes.
    public static let blackHole = WorldFault(
        "black-hole",
        number: 0,
        withholds: [.signalling, .media],
        .stacking,
        begins: FaultText(
            "nothing passes over the radio any more",
            wholePhone: "nothing passes over any of the phone's radios any more"
        ),
        ends: FaultText(
            "packets pass over the radio again",
            wholePhone: "packets pass over the phone's radios again"
        )
    )
    /// Signalling on a radio vanishes.
    public static let signallingCut = WorldFault(
        "signalling-cut",
        number: 1,
        withholds: [.signalling],
        .stacking,
        begins: FaultText(
            "no signalling passes over the radio any more",
            wholePhone: "no signalling passes over any of the phone's radios any more"
        ),
        ends: FaultText(
            "signalling passes over the radio again",
            wholePhone: "signalling passes over the phone's radios again"
        )
    )
    /// Media on a radio vanishes.
    public static let mediaCut = WorldFault(
        "media-cut",
        number: 2,
        withholds: [.media],
        .stacking,
        begins: FaultText(
            "no media passes over the radio any more",
            wholePhone: "no media passes over any of the phone's radios any more"
        ),
        ends: FaultText(
            "media passes over the radio again",
            wholePhone: "media passes over the phone's radios again"
        )
    )
    /// A captive portal keeps a phone from its servers.
    package static let captivePortal = WorldFault(
        "captive-portal",
        number: 27,
        withholds: [.signalling, .media],
        .stacking,
        begins: "a captive portal takes the phone's connections, and nothing else passes",
        ends: "the captive portal lets everything pass again"
    )
    /// A firewall keeps a phone from its servers.
    package static let firewall = WorldFault(
        "firewall",
        number: 28,
        withholds: [.signalling, .media],
        .stacking,
        begins: "a firewall resets the phone's connects, and nothing else passes",
        ends: "the firewall lets everything pass again"
    )
    /// A radio lost its network.
    public static let radioDown = WorldFault(
        "radio-down",
        number: 3,
        withholds: [.network],
        begins: FaultText(
            "the radio loses its network",
            wholePhone: "the phone's radios lose their networks"
        )
    )
    /// A radio has a network again.
    public static let radioUp = WorldFault(
        "radio-up",
        number: 4,
        .repairs([.radioDown]),
        begins: FaultText(
            "the radio has a network again",
            wholePhone: "the phone's radios have networks again"
        )
    )
    /// A phone's keychain is locked or fails.
    public static let secureStorage = WorldFault(
        "secure-storage",
        number: 14,
        withholds: [.keychain],
        begins: "the phone's keychain is locked or fails",
        ends: "the phone's keychain works again"
    )
    /// A phone's disk is full.
    public static let diskFull = WorldFault(
        "disk-full",
        number: 26,
        withholds: [.disk],
        begins: "the phone's disk is full",
        ends: "the phone's disk has room again"
    )
    /// A phone's voice engine starts late or not at all.
    public static let voiceEngine = WorldFault(
        "voice-engine",
        number: 15,
        withholds: [.voice],
        begins: "the phone's voice engine starts late or not at all",
        ends: "the phone's voice engine starts as it should again"
    )
    /// A phone's clock is wrong.
    public static let clock = WorldFault(
        "clock",
        number: 16,
        withholds: [.clock],
        begins: "the phone's clock is set wrong",
        ends: "the phone's clock is right again"
    )
    /// A phone lets nothing ring: Do Not Disturb.
    public static let focus = WorldFault(
        "focus",
        number: 17,
        withholds: [.ringing],
        begins: "Do Not Disturb is turned on",
        ends: "Do Not Disturb is turned off"
    )

    /// The faults by which packets vanish on a radio.
    package static let blocks = [blackHole, signallingCut, mediaCut, captivePortal, firewall]
    /// The faults of phones and their radios.
    static let core =
        blocks + [radioDown, radioUp, secureStorage, diskFull, voiceEngine, clock, focus]
}
