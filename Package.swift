// swift-tools-version: 6.2
import PackageDescription

/// Every target is compiled alike: explicit existentials, private imports, warnings as errors.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// Tests run in release too, against optimized code; optimizing themselves would take longer than they run.
let tests = strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

// Linux links libopus whole, so that OpusSearch is what it searches with; its package knows the shared one only.
#if os(Linux)
let opusPackage: String? = nil
#else
let opusPackage: String? = "opus"
#endif

let package = Package(
    name: "kodama",
    platforms: [.iOS(.v17), .macOS(.v15)],
    products: [
        .library(name: "SansIO", targets: ["SansIO"]),
        .library(name: "SansIOTesting", targets: ["SansIOTesting"]),
        .library(name: "VoiceActivity", targets: ["VoiceActivity"]),
        .library(name: "AudioProcessing", targets: ["AudioProcessing"]),
        .library(name: "OpusAudio", targets: ["OpusAudio"]),
        .library(name: "PeerTransport", targets: ["PeerTransport"]),
        .library(name: "GroupSecurity", targets: ["GroupSecurity"]),
        .library(name: "GroupStore", targets: ["GroupStore"]),
        .library(name: "RealtimeVoice", targets: ["RealtimeVoice"]),
        .library(name: "IncomingCalls", targets: ["IncomingCalls"]),
        .library(name: "WakeFlow", targets: ["WakeFlow"]),
        .library(name: "ReplicaChanges", targets: ["ReplicaChanges"]),
        .library(name: "ReplicaSync", targets: ["ReplicaSync"]),
        .library(name: "ReplicaStore", targets: ["ReplicaStore"]),
        .library(name: "CoachExchange", targets: ["CoachExchange"]),
        .library(name: "CoachAccount", targets: ["CoachAccount"]),
        .library(name: "CoachStore", targets: ["CoachStore"]),
        .library(name: "AppCoordination", targets: ["AppCoordination"]),
        .library(name: "MachineHost", targets: ["MachineHost"]),
        .library(name: "AppServer", targets: ["AppServer"]),
        .library(name: "KodamaSimulation", targets: ["KodamaSimulation"]),
        .library(name: "KodamaSpeech", targets: ["KodamaSpeech"]),
        .library(name: "KodamaNetwork", targets: ["KodamaNetwork"]),
        .library(name: "KodamaPhone", targets: ["KodamaPhone"]),
        .library(name: "KodamaEvidence", targets: ["KodamaEvidence"]),
        .library(name: "KodamaLanguage", targets: ["KodamaLanguage"]),
        .library(name: "KodamaWorld", targets: ["KodamaWorld"]),
        .library(name: "KodamaHarness", targets: ["KodamaHarness"]),
        .library(name: "KodamaSwarm", targets: ["KodamaSwarm"]),
        .library(name: "KodamaStudio", targets: ["KodamaStudio"]),
        .library(name: "KodamaCommand", targets: ["KodamaCommand"]),
        // What a system of one's own is written against, in one product; and the systems beside it.
        .library(
            name: "Kodama",
            targets: [
                "SansIO", "SansIOTesting", "KodamaSimulation", "KodamaNetwork", "KodamaPhone",
                "KodamaEvidence", "KodamaLanguage", "KodamaWorld", "KodamaCommand",
            ]
        ),
        .library(name: "KodamaShipped", targets: ["KodamaShipped"]),
        .library(name: "KodamaRecordings", targets: ["KodamaRecordings"]),
        .library(name: "KodamaBackend", targets: ["KodamaBackend"]),
        .library(name: "KodamaSession", targets: ["KodamaSession"]),
        .library(name: "KodamaCalls", targets: ["KodamaCalls"]),
        .library(name: "KodamaIntercom", targets: ["KodamaIntercom"]),
        .library(name: "KodamaReplica", targets: ["KodamaReplica"]),
        .library(name: "KodamaCoach", targets: ["KodamaCoach"]),
        .library(name: "KodamaGuest", targets: ["KodamaGuest"]),
        .executable(name: "kodama", targets: ["kodama"]),
        .executable(name: "kodama-lab", targets: ["kodama-lab"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: [
        // Client: what an iOS app links.
        .target(name: "SansIO", path: "Sources/Client/SansIO", swiftSettings: strict),
        .target(
            name: "SansIOTesting",
            dependencies: ["SansIO"],
            path: "Sources/Client/SansIOTesting",
            swiftSettings: strict
        ),
        .target(
            name: "TextFormats",
            path: "Sources/Client/TextFormats",
            swiftSettings: strict
        ),
        .target(
            name: "VoiceActivity",
            dependencies: ["SansIO"],
            path: "Sources/Client/VoiceActivity",
            swiftSettings: strict
        ),
        .target(
            name: "AudioProcessing",
            path: "Sources/Client/AudioProcessing",
            swiftSettings: strict
        ),
        .systemLibrary(
            name: "COpus",
            path: "Sources/Client/COpus",
            pkgConfig: opusPackage,
            providers: [.apt(["libopus-dev"]), .brew(["opus"])]
        ),
        .target(name: "OpusSearch", path: "Sources/Client/OpusSearch"),
        .target(
            name: "OpusAudio",
            dependencies: ["SansIO", "COpus", "OpusSearch"],
            path: "Sources/Client/OpusAudio",
            swiftSettings: strict,
            linkerSettings: [
                .linkedLibrary(":libopus.a", .when(platforms: [.linux])),
                .linkedLibrary("m", .when(platforms: [.linux])),
                .linkedLibrary("opus", .when(platforms: [.iOS, .macOS])),
            ]
        ),
        .target(
            name: "PeerTransport",
            dependencies: ["SansIO"],
            path: "Sources/Client/PeerTransport",
            swiftSettings: strict
        ),
        .target(
            name: "GroupSecurity",
            dependencies: [
                "SansIO", "TextFormats", .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Sources/Client/GroupSecurity",
            swiftSettings: strict
        ),
        .target(
            name: "DatabaseFiles",
            dependencies: [
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            path: "Sources/Client/DatabaseFiles",
            swiftSettings: strict
        ),
        .target(
            name: "GroupStore",
            dependencies: [
                "SansIO", "GroupSecurity", "DatabaseFiles",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Sources/Client/GroupStore",
            swiftSettings: strict
        ),
        .target(
            name: "RealtimeVoice",
            dependencies: ["SansIO"],
            path: "Sources/Client/RealtimeVoice",
            swiftSettings: strict
        ),
        .target(
            name: "IncomingCalls",
            dependencies: ["SansIO", "TextFormats"],
            path: "Sources/Client/IncomingCalls",
            swiftSettings: strict
        ),
        .target(
            name: "WakeFlow",
            dependencies: ["SansIO"],
            path: "Sources/Client/WakeFlow",
            swiftSettings: strict
        ),
        .target(
            name: "ReplicaChanges",
            dependencies: ["TextFormats"],
            path: "Sources/Client/ReplicaChanges",
            swiftSettings: strict
        ),
        .target(
            name: "ReplicaSync",
            dependencies: ["SansIO", "TextFormats", "ReplicaChanges"],
            path: "Sources/Client/ReplicaSync",
            swiftSettings: strict
        ),
        .target(
            name: "ReplicaStore",
            dependencies: [
                "ReplicaChanges", "ReplicaSync", "TextFormats", "DatabaseFiles",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            path: "Sources/Client/ReplicaStore",
            swiftSettings: strict
        ),
        .target(
            name: "CoachExchange",
            dependencies: [
                "SansIO", "TextFormats", .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Sources/Client/CoachExchange",
            swiftSettings: strict
        ),
        .target(
            name: "CoachAccount",
            dependencies: ["SansIO", "TextFormats", "CoachExchange"],
            path: "Sources/Client/CoachAccount",
            swiftSettings: strict
        ),
        .target(
            name: "CoachStore",
            dependencies: [
                "SansIO", "CoachExchange", "CoachAccount", "ReplicaChanges", "ReplicaSync",
                "ReplicaStore", "TextFormats",
            ],
            path: "Sources/Client/CoachStore",
            swiftSettings: strict
        ),
        .target(
            name: "AppCoordination",
            dependencies: [
                "SansIO", "VoiceActivity", "OpusAudio", "PeerTransport", "GroupSecurity",
                "RealtimeVoice", "IncomingCalls", "WakeFlow", "CoachAccount", "CoachExchange",
            ],
            path: "Sources/Client/AppCoordination",
            swiftSettings: strict
        ),
        .target(
            name: "MachineHost",
            dependencies: ["SansIO"],
            path: "Sources/Client/MachineHost",
            swiftSettings: strict
        ),

        // Server: what the apps' own server runs.
        .target(
            name: "AppServer",
            dependencies: [
                "SansIO", "TextFormats", "ReplicaChanges", "CoachExchange",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Sources/Server/AppServer",
            swiftSettings: strict
        ),

        // Core: the simulator, without any system. No codec, cryptography, database or client machine.
        .target(
            name: "KodamaSimulation",
            dependencies: ["SansIO"],
            path: "Sources/Core/Simulation",
            swiftSettings: strict
        ),
        .target(
            name: "KodamaSpeech",
            dependencies: ["SansIO", "AudioProcessing", "KodamaSimulation"],
            path: "Sources/Core/Speech",
            swiftSettings: strict
        ),
        .target(
            name: "KodamaNetwork",
            dependencies: ["SansIO"],
            path: "Sources/Core/Network",
            swiftSettings: strict
        ),
        .target(
            name: "KodamaPhone",
            dependencies: ["SansIO", "KodamaSimulation"],
            path: "Sources/Core/Phone",
            swiftSettings: strict
        ),
        .target(
            name: "KodamaEvidence",
            dependencies: ["SansIO", "KodamaSimulation", "KodamaNetwork"],
            path: "Sources/Core/Evidence",
            swiftSettings: strict
        ),
        .target(
            name: "KodamaLanguage",
            dependencies: [
                "SansIO", "KodamaSimulation", "KodamaNetwork", "KodamaPhone", "KodamaEvidence",
                .product(name: "Yams", package: "Yams"),
            ],
            path: "Sources/Core/Language",
            swiftSettings: strict
        ),
        .target(
            name: "KodamaWorld",
            dependencies: [
                "SansIO", "SansIOTesting", "KodamaSimulation", "KodamaSpeech", "KodamaNetwork",
                "KodamaPhone", "KodamaEvidence", "KodamaLanguage",
            ],
            path: "Sources/Core/World",
            swiftSettings: strict
        ),
        .target(
            name: "KodamaHarness",
            dependencies: [
                "SansIO", "KodamaSimulation", "KodamaSpeech", "KodamaEvidence", "KodamaLanguage",
                "KodamaWorld",
            ],
            path: "Sources/Core/Harness",
            swiftSettings: strict
        ),
        .target(
            name: "KodamaSwarm",
            dependencies: [
                "SansIO", "KodamaSimulation", "KodamaSpeech", "KodamaEvidence", "KodamaLanguage",
                "KodamaWorld", "KodamaHarness",
            ],
            path: "Sources/Core/Swarm",
            swiftSettings: strict
        ),
        .target(
            name: "KodamaStudio",
            dependencies: [
                "KodamaSpeech", "KodamaEvidence", "KodamaLanguage", "KodamaHarness",
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "FlyingSocks", package: "FlyingFox"),
            ],
            path: "Sources/Core/Studio",
            swiftSettings: strict
        ),
        .target(
            name: "KodamaCommand",
            dependencies: [
                "SansIO", "KodamaSimulation", "KodamaSpeech", "KodamaEvidence", "KodamaLanguage",
                "KodamaWorld", "KodamaHarness", "KodamaSwarm", "KodamaStudio",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Core/Command",
            swiftSettings: strict
        ),

        // Systems: one module each, from its records to its servers; and the decoder of recordings, for
        // those that make sound.
        .systemLibrary(
            name: "CSpanDSP",
            path: "Sources/Systems/CSpanDSP",
            pkgConfig: "spandsp",
            providers: [.apt(["libspandsp-dev"]), .brew(["spandsp"])]
        ),
        .target(
            name: "KodamaRecordings",
            dependencies: ["CSpanDSP", "KodamaSpeech"],
            path: "Sources/Systems/Recordings",
            swiftSettings: strict
        ),
        .target(
            name: "KodamaBackend",
            dependencies: [
                "SansIO", "AppServer", "KodamaSimulation", "KodamaNetwork", "KodamaPhone",
            ],
            path: "Sources/Systems/Backend",
            swiftSettings: strict
        ),
        .target(
            name: "KodamaSession",
            dependencies: [
                "SansIO", "RealtimeVoice", "AppCoordination", "AppServer", "KodamaSimulation",
                "KodamaNetwork", "KodamaPhone", "KodamaEvidence", "KodamaLanguage", "KodamaWorld",
                "KodamaBackend", "KodamaSpeech", "AudioProcessing", "OpusAudio", "PeerTransport",
                .product(name: "Yams", package: "Yams"),
            ],
            path: "Sources/Systems/Session",
            swiftSettings: strict
        ),
        .target(
            name: "KodamaCalls",
            dependencies: [
                "SansIO", "IncomingCalls", "RealtimeVoice", "AppCoordination", "AppServer",
                "TextFormats", "KodamaSimulation", "KodamaNetwork", "KodamaPhone",
                "KodamaEvidence", "KodamaLanguage", "KodamaWorld", "KodamaBackend",
                "KodamaSession",
            ],
            path: "Sources/Systems/Calls",
            swiftSettings: strict
        ),
        .target(
            name: "KodamaReplica",
            dependencies: [
                "SansIO", "ReplicaChanges", "ReplicaSync", "ReplicaStore", "RealtimeVoice",
                "AppCoordination", "AppServer", "KodamaSimulation", "KodamaNetwork",
                "KodamaPhone", "KodamaEvidence", "KodamaLanguage", "KodamaWorld", "KodamaSession",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Sources/Systems/Replica",
            swiftSettings: strict
        ),
        .target(
            name: "KodamaIntercom",
            dependencies: [
                "SansIO", "VoiceActivity", "AudioProcessing", "OpusAudio", "PeerTransport",
                "GroupSecurity", "GroupStore", "AppCoordination", "RealtimeVoice", "TextFormats",
                "KodamaSimulation", "KodamaSpeech", "KodamaNetwork", "KodamaPhone",
                "KodamaEvidence", "KodamaLanguage", "KodamaWorld", "KodamaRecordings",
            ],
            path: "Sources/Systems/Intercom",
            swiftSettings: strict
        ),
        .target(
            name: "KodamaCoach",
            dependencies: [
                "SansIO", "WakeFlow", "RealtimeVoice", "AppCoordination", "CoachExchange",
                "CoachAccount", "CoachStore", "ReplicaStore", "AppServer", "KodamaSimulation",
                "KodamaNetwork", "KodamaPhone", "KodamaEvidence", "KodamaLanguage", "KodamaWorld",
                "KodamaSession", "KodamaSpeech", "OpusAudio", "TextFormats",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Sources/Systems/Coach",
            swiftSettings: strict
        ),
        .target(
            name: "KodamaGuest",
            dependencies: [
                "SansIO", "TextFormats", "AppServer", "KodamaSimulation", "KodamaNetwork",
                "KodamaPhone", "KodamaEvidence", "KodamaLanguage", "KodamaWorld", "KodamaSession",
            ],
            path: "Sources/Systems/Guest",
            exclude: ["Examples"],
            swiftSettings: strict
        ),

        .target(
            name: "KodamaShipped",
            dependencies: [
                "KodamaLanguage", "KodamaCalls", "KodamaCoach", "KodamaGuest", "KodamaIntercom",
                "KodamaReplica", "KodamaSession",
            ],
            path: "Sources/Systems/Shipped",
            swiftSettings: strict
        ),

        // Tools: the command line with the systems that the product ships, and the laboratory for its parts.
        .executableTarget(
            name: "kodama",
            dependencies: ["KodamaCommand", "KodamaShipped"],
            path: "Sources/Tools/kodama",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "kodama-lab",
            dependencies: [
                "SansIO", "VoiceActivity", "AudioProcessing", "OpusAudio", "AppCoordination",
                "AppServer", "KodamaSimulation", "KodamaNetwork", "KodamaSpeech", "KodamaLanguage",
                "KodamaWorld", "KodamaHarness", "KodamaCommand", "KodamaIntercom",
                "KodamaRecordings", "KodamaShipped", "PlayoutTrials",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Tools/kodama-lab",
            swiftSettings: strict
        ),
        .target(
            name: "PlayoutTrials",
            dependencies: ["SansIO", "KodamaSimulation", "PeerTransport"],
            path: "Sources/Tools/PlayoutTrials",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "detector-features",
            dependencies: ["VoiceActivity"],
            path: "Sources/Tools/detector-features",
            swiftSettings: strict
        ),

        // Tests, one target per target.
        .testTarget(
            name: "SansIOTests",
            dependencies: ["SansIO", "SansIOTesting"],
            path: "Tests/Client/SansIOTests",
            swiftSettings: tests
        ),
        .testTarget(
            name: "TextFormatsTests",
            dependencies: ["TextFormats"],
            path: "Tests/Client/TextFormatsTests",
            swiftSettings: tests
        ),
        .testTarget(
            name: "VoiceActivityTests",
            dependencies: ["VoiceActivity", "SansIO", "SansIOTesting"],
            path: "Tests/Client/VoiceActivityTests",
            swiftSettings: tests
        ),
        .testTarget(
            name: "AudioProcessingTests",
            dependencies: ["AudioProcessing"],
            path: "Tests/Client/AudioProcessingTests",
            swiftSettings: tests
        ),
        .testTarget(
            name: "OpusAudioTests",
            dependencies: ["OpusAudio", "OpusSearch", "SansIO"],
            path: "Tests/Client/OpusAudioTests",
            swiftSettings: tests
        ),
        .testTarget(
            name: "PeerTransportTests",
            dependencies: ["PeerTransport", "SansIO", "SansIOTesting"],
            path: "Tests/Client/PeerTransportTests",
            swiftSettings: tests
        ),
        .testTarget(
            name: "GroupSecurityTests",
            dependencies: [
                "GroupSecurity", "SansIO", "SansIOTesting",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Tests/Client/GroupSecurityTests",
            swiftSettings: tests
        ),
        .target(
            name: "FileHarms",
            path: "Tests/Client/FileHarms",
            swiftSettings: strict
        ),
        .testTarget(
            name: "GroupStoreTests",
            dependencies: [
                "GroupStore", "GroupSecurity", "SansIO", "SansIOTesting", "FileHarms",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Tests/Client/GroupStoreTests",
            swiftSettings: tests
        ),
        .testTarget(
            name: "RealtimeVoiceTests",
            dependencies: ["RealtimeVoice", "SansIO", "SansIOTesting"],
            path: "Tests/Client/RealtimeVoiceTests",
            swiftSettings: tests
        ),
        .testTarget(
            name: "IncomingCallsTests",
            dependencies: ["IncomingCalls", "SansIO", "SansIOTesting"],
            path: "Tests/Client/IncomingCallsTests",
            swiftSettings: tests
        ),
        .testTarget(
            name: "WakeFlowTests",
            dependencies: ["WakeFlow", "SansIO", "SansIOTesting"],
            path: "Tests/Client/WakeFlowTests",
            swiftSettings: tests
        ),
        .testTarget(
            name: "ReplicaChangesTests",
            dependencies: ["ReplicaChanges", "TextFormats"],
            path: "Tests/Client/ReplicaChangesTests",
            swiftSettings: tests
        ),
        .testTarget(
            name: "ReplicaSyncTests",
            dependencies: ["ReplicaChanges", "ReplicaSync", "SansIO", "SansIOTesting"],
            path: "Tests/Client/ReplicaSyncTests",
            swiftSettings: tests
        ),
        .testTarget(
            name: "ReplicaStoreTests",
            dependencies: [
                "ReplicaStore", "ReplicaChanges", "ReplicaSync", "SansIO", "SansIOTesting",
                "AppServer", "DatabaseFiles", "FileHarms", "KodamaNetwork", "KodamaPhone",
                "KodamaSimulation",
                "KodamaEvidence",
                "KodamaLanguage", "KodamaWorld", "KodamaBackend", "KodamaSession", "KodamaCalls",
                "KodamaReplica", "KodamaIntercom", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Tests/Client/ReplicaStoreTests",
            swiftSettings: tests
        ),
        .testTarget(
            name: "CoachExchangeTests",
            dependencies: [
                "CoachExchange", "TextFormats", "SansIO",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Tests/Client/CoachExchangeTests",
            swiftSettings: tests
        ),
        .testTarget(
            name: "CoachAccountTests",
            dependencies: [
                "CoachAccount", "CoachExchange", "CoachStore", "AppServer", "ReplicaStore",
                "TextFormats", "SansIO", "SansIOTesting",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Tests/Client/CoachAccountTests",
            swiftSettings: tests
        ),
        .testTarget(
            name: "CoachStoreTests",
            dependencies: [
                "CoachStore", "CoachAccount", "CoachExchange", "ReplicaStore", "ReplicaChanges",
                "SansIO", "SansIOTesting", "FileHarms",
            ],
            path: "Tests/Client/CoachStoreTests",
            swiftSettings: tests
        ),
        .testTarget(
            name: "MachineHostTests",
            dependencies: ["MachineHost", "IncomingCalls", "SansIO"],
            path: "Tests/Client/MachineHostTests",
            swiftSettings: tests
        ),
        .testTarget(
            name: "AppServerTests",
            dependencies: [
                "AppServer", "CoachExchange", "IncomingCalls", "ReplicaChanges", "ReplicaSync",
                "TextFormats",
                "KodamaNetwork", "KodamaPhone", "SansIO", "SansIOTesting", "KodamaSimulation",
                "KodamaEvidence", "KodamaLanguage", "KodamaWorld", "KodamaBackend", "KodamaSession",
                "KodamaCalls", "KodamaReplica", "KodamaIntercom",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Tests/Server/AppServerTests",
            swiftSettings: tests
        ),
        .testTarget(
            name: "ModelsTests",
            dependencies: [
                "KodamaNetwork", "KodamaPhone", "RealtimeVoice", "IncomingCalls", "AppServer",
                "KodamaSimulation", "SansIO", "SansIOTesting", "KodamaEvidence", "KodamaLanguage",
                "KodamaWorld", "KodamaBackend", "KodamaSession", "KodamaCalls", "KodamaReplica",
                "KodamaIntercom", "GroupSecurity",
            ],
            path: "Tests/Core/ModelsTests",
            swiftSettings: tests
        ),
        .testTarget(
            name: "AppCoordinationTests",
            dependencies: [
                "AppCoordination", "OpusAudio", "PeerTransport", "GroupSecurity", "VoiceActivity",
                "RealtimeVoice", "IncomingCalls", "WakeFlow", "CoachAccount", "CoachExchange",
                "SansIO", "SansIOTesting",
            ],
            path: "Tests/Client/AppCoordinationTests",
            swiftSettings: tests
        ),
        .testTarget(
            name: "SimulationTests",
            dependencies: ["KodamaSimulation", "SansIO"],
            path: "Tests/Core/SimulationTests",
            swiftSettings: tests
        ),
        .testTarget(
            name: "SpeechTests",
            dependencies: ["KodamaSpeech", "KodamaRecordings", "AudioProcessing", "SansIO"],
            path: "Tests/Core/SpeechTests",
            swiftSettings: tests
        ),
        .testTarget(
            name: "EvidenceTests",
            dependencies: [
                "KodamaShipped",
                "KodamaEvidence", "VoiceActivity", "PeerTransport", "RealtimeVoice",
                "IncomingCalls", "ReplicaSync", "KodamaNetwork", "KodamaPhone", "KodamaSimulation",
                "SansIO", "SansIOTesting", "KodamaLanguage", "KodamaWorld", "KodamaBackend",
                "KodamaSession", "KodamaCalls", "KodamaReplica", "KodamaIntercom",
            ],
            path: "Tests/Core/EvidenceTests",
            swiftSettings: tests
        ),
        .testTarget(
            name: "PlayoutTrialsTests",
            dependencies: ["PlayoutTrials", "PeerTransport"],
            path: "Tests/Core/PlayoutTrialsTests",
            swiftSettings: tests
        ),
        .testTarget(
            name: "ScenariosTests",
            dependencies: [
                "KodamaShipped",
                "KodamaLanguage", "KodamaSimulation", "KodamaEvidence", "AppCoordination", "SansIO",
                "VoiceActivity", "OpusAudio", "PeerTransport", "RealtimeVoice", "ReplicaChanges",
                "ReplicaSync", "KodamaNetwork", "KodamaPhone", "KodamaWorld", "KodamaBackend",
                "KodamaSession", "KodamaCalls", "KodamaReplica", "KodamaIntercom",
            ],
            path: "Tests/Core/ScenariosTests",
            exclude: ["Broken", "Golden"],
            swiftSettings: tests
        ),
        .testTarget(
            name: "SimulatedWorldTests",
            dependencies: [
                "KodamaShipped",
                "KodamaWorld", "AppCoordination", "OpusAudio", "PeerTransport", "GroupSecurity",
                "KodamaEvidence", "RealtimeVoice", "IncomingCalls", "ReplicaChanges",
                "ReplicaStore", "AppServer",
                "KodamaNetwork", "KodamaPhone", "KodamaLanguage", "KodamaSimulation",
                "KodamaSpeech", "KodamaRecordings", "SansIO", "SansIOTesting", "VoiceActivity",
                "KodamaBackend", "KodamaSession", "KodamaCalls", "KodamaReplica", "KodamaIntercom",
            ],
            path: "Tests/Core/SimulatedWorldTests",
            swiftSettings: tests
        ),
        .testTarget(
            name: "CoachTests",
            dependencies: [
                "KodamaCoach", "KodamaHarness", "KodamaWorld", "KodamaLanguage", "KodamaEvidence",
                "KodamaPhone", "KodamaSimulation", "KodamaSession", "KodamaSpeech", "WakeFlow",
                "CoachExchange", "CoachStore", "ReplicaChanges", "SansIO", "SansIOTesting",
            ],
            path: "Tests/Systems/CoachTests",
            swiftSettings: tests
        ),
        .testTarget(
            name: "GuestTests",
            dependencies: [
                "KodamaGuest", "KodamaSession", "KodamaHarness", "KodamaWorld", "KodamaLanguage",
                "KodamaEvidence", "KodamaSimulation", "SansIO", "TextFormats",
            ],
            path: "Tests/Systems/GuestTests",
            exclude: ["Guests"],
            swiftSettings: tests
        ),
        .testTarget(
            name: "HarnessTests",
            dependencies: [
                "KodamaShipped",
                "KodamaHarness", "KodamaWorld", "KodamaEvidence", "KodamaLanguage",
                "KodamaSimulation", "KodamaSpeech", "SansIO", "PeerTransport", "KodamaNetwork",
                "KodamaPhone", "KodamaBackend", "KodamaSession", "KodamaCalls", "KodamaReplica",
                "KodamaIntercom",
            ],
            path: "Tests/Core/HarnessTests",
            exclude: ["Golden"],
            swiftSettings: tests
        ),
        .testTarget(
            name: "SwarmTests",
            dependencies: [
                "KodamaShipped", "KodamaSwarm", "KodamaHarness", "KodamaLanguage",
                "KodamaEvidence", "KodamaSimulation",
            ],
            path: "Tests/Core/SwarmTests",
            swiftSettings: tests
        ),
        .testTarget(
            name: "StudioTests",
            dependencies: [
                "KodamaShipped", "KodamaStudio", "KodamaHarness", "KodamaLanguage",
                "KodamaEvidence",
            ],
            path: "Tests/Core/StudioTests",
            swiftSettings: tests
        ),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "KodamaCommand", "KodamaEvidence", "KodamaLanguage",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/Core/CommandTests",
            swiftSettings: tests
        ),
        .testTarget(
            name: "CommandLineTests",
            dependencies: ["kodama", "kodama-lab", "AppServer", "SansIO"],
            path: "Tests/System/CommandLineTests",
            swiftSettings: tests
        ),
        .executableTarget(
            name: "loopback-phone",
            dependencies: ["GroupSecurity", "PeerTransport", "SansIO"],
            path: "Tests/System/loopback-phone",
            swiftSettings: strict
        ),
        .testTarget(
            name: "LoopbackTests",
            dependencies: ["loopback-phone"],
            path: "Tests/System/LoopbackTests",
            swiftSettings: tests
        ),
        .testTarget(
            name: "TidyTests",
            path: "Tests/System/TidyTests",
            swiftSettings: tests
        ),
    ],
    swiftLanguageModes: [.v6]
)
