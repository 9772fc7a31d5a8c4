/// What each module may import; a new import is added here.
enum ImportTable {
    static let rows: [String: Set<String>] = client.merging(core) { $1 }
        .merging(systems) { $1 }.merging(tools) { $1 }

    /// What an app links, and what its server runs.
    static let client: [String: Set<String>] = [
        "SansIO": [],
        "SansIOTesting": ["SansIO"],
        "VoiceActivity": ["SansIO"],
        "AudioProcessing": [],
        "OpusAudio": ["SansIO", "COpus"],
        "TextFormats": [],
        "PeerTransport": ["SansIO"],
        "GroupSecurity": ["SansIO", "TextFormats", "Crypto"],
        "DatabaseFiles": ["GRDB", "GRDBSQLite", "Glibc", "Darwin"],
        "GroupStore": ["SansIO", "GroupSecurity", "DatabaseFiles", "GRDB"],
        "RealtimeVoice": ["SansIO"],
        "IncomingCalls": ["SansIO", "TextFormats"],
        "WakeFlow": ["SansIO"],
        "ReplicaChanges": ["TextFormats"],
        "ReplicaSync": ["SansIO", "TextFormats", "ReplicaChanges"],
        "ReplicaStore": [
            "ReplicaChanges", "ReplicaSync", "TextFormats", "DatabaseFiles", "GRDB", "GRDBSQLite",
        ],
        "CoachExchange": ["SansIO", "TextFormats", "Crypto"],
        "CoachAccount": ["SansIO", "TextFormats", "CoachExchange"],
        "CoachStore": [
            "SansIO", "TextFormats", "CoachExchange", "CoachAccount", "ReplicaChanges",
            "ReplicaSync", "ReplicaStore",
        ],
        "AppCoordination": [
            "SansIO", "VoiceActivity", "OpusAudio", "PeerTransport", "GroupSecurity",
            "RealtimeVoice", "IncomingCalls", "WakeFlow", "CoachAccount", "CoachExchange",
        ],
        "MachineHost": ["SansIO"],
        "AppServer": ["SansIO", "TextFormats", "ReplicaChanges", "CoachExchange", "Crypto"],
    ]

    /// The simulator without any system.
    static let core: [String: Set<String>] = [
        "KodamaSimulation": ["SansIO"],
        "KodamaSpeech": ["SansIO", "AudioProcessing", "KodamaSimulation", "Foundation"],
        "KodamaNetwork": ["SansIO"],
        "KodamaPhone": ["SansIO", "KodamaSimulation"],
        "KodamaEvidence": ["SansIO", "KodamaSimulation", "KodamaNetwork"],
        "KodamaLanguage": [
            "SansIO", "KodamaSimulation", "KodamaNetwork", "KodamaPhone", "KodamaEvidence", "Yams",
            "Foundation",
        ],
        "KodamaWorld": [
            "SansIO", "SansIOTesting", "KodamaSimulation", "KodamaSpeech", "KodamaNetwork",
            "KodamaPhone", "KodamaEvidence", "KodamaLanguage",
        ],
        "KodamaHarness": [
            "SansIO", "KodamaSimulation", "KodamaSpeech", "KodamaEvidence", "KodamaLanguage",
            "KodamaWorld", "Foundation", "Synchronization", "Glibc", "Darwin",
        ],
        "KodamaSwarm": [
            "SansIO", "KodamaSimulation", "KodamaSpeech", "KodamaEvidence", "KodamaLanguage",
            "KodamaWorld", "KodamaHarness", "Foundation",
        ],
        "KodamaStudio": [
            "KodamaSpeech", "KodamaEvidence", "KodamaLanguage", "KodamaHarness", "FlyingFox",
            "FlyingSocks", "Foundation", "Synchronization", "Glibc", "Darwin",
        ],
        "KodamaCommand": [
            "SansIO", "KodamaSimulation", "KodamaSpeech", "KodamaEvidence", "KodamaLanguage",
            "KodamaWorld", "KodamaHarness", "KodamaSwarm", "KodamaStudio", "ArgumentParser",
            "Foundation", "Synchronization",
        ],
    ]

    /// What a system may import of the core.
    static let simulator: Set = [
        "SansIO", "KodamaSimulation", "KodamaNetwork", "KodamaPhone", "KodamaEvidence",
        "KodamaLanguage", "KodamaWorld",
    ]

    /// The systems: beside the core, their client modules, and the systems on which they stand.
    static let systems: [String: Set<String>] = [
        "KodamaBackend": [
            "SansIO", "AppServer", "KodamaSimulation", "KodamaNetwork", "KodamaPhone",
        ],
        "KodamaSession": simulator.union([
            "RealtimeVoice", "AppCoordination", "AppServer", "Yams", "KodamaBackend",
            "KodamaSpeech", "AudioProcessing", "OpusAudio", "PeerTransport",
        ]),
        "KodamaCalls": simulator.union([
            "IncomingCalls", "RealtimeVoice", "AppCoordination", "AppServer", "TextFormats",
            "KodamaBackend", "KodamaSession",
        ]),
        "KodamaReplica": simulator.union([
            "ReplicaChanges", "ReplicaSync", "ReplicaStore", "RealtimeVoice", "AppCoordination",
            "AppServer", "GRDB", "KodamaSession",
        ]),
        "KodamaCoach": simulator.union([
            "WakeFlow", "RealtimeVoice", "AppCoordination", "KodamaSession", "KodamaSpeech",
            "CoachExchange", "OpusAudio", "CoachAccount", "CoachStore", "ReplicaStore", "AppServer",
            "TextFormats", "Crypto",
        ]),
        "KodamaGuest": simulator.union([
            "TextFormats", "AppServer", "Synchronization", "Glibc", "Darwin", "KodamaSession",
        ]),
        "KodamaIntercom": simulator.union([
            "KodamaSpeech", "VoiceActivity", "AudioProcessing", "OpusAudio", "PeerTransport",
            "GroupSecurity", "GroupStore", "AppCoordination", "RealtimeVoice", "TextFormats",
            "KodamaRecordings",
        ]),
        "KodamaRecordings": ["CSpanDSP", "KodamaSpeech"],
        "KodamaShipped": [
            "KodamaLanguage", "KodamaCalls", "KodamaCoach", "KodamaGuest", "KodamaIntercom",
            "KodamaReplica", "KodamaSession",
        ],
    ]

    /// The command lines.
    static let tools: [String: Set<String>] = [
        "kodama": ["KodamaCommand", "KodamaShipped"],
        "kodama-lab": [
            "SansIO", "VoiceActivity", "AudioProcessing", "OpusAudio", "AppCoordination",
            "AppServer", "KodamaSpeech", "KodamaLanguage", "KodamaHarness", "KodamaCommand",
            "KodamaIntercom", "KodamaRecordings", "KodamaShipped", "PlayoutTrials",
            "KodamaNetwork", "KodamaSimulation", "KodamaWorld", "ArgumentParser", "Foundation",
            "Glibc",
        ],
        "PlayoutTrials": ["SansIO", "KodamaSimulation", "PeerTransport"],
        "detector-features": ["VoiceActivity", "Foundation"],
    ]
}
