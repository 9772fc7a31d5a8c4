// swift-tools-version: 6.2
import PackageDescription

/// Every target is compiled alike: explicit existentials, private imports, warnings as errors.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

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
        .library(name: "Simulation", targets: ["Simulation"]),
        .library(name: "Speech", targets: ["Speech"]),
        .library(name: "Models", targets: ["Models"]),
        .library(name: "Evidence", targets: ["Evidence"]),
        .library(name: "Scenarios", targets: ["Scenarios"]),
        .library(name: "SimulatedWorld", targets: ["SimulatedWorld"]),
        .library(name: "Harness", targets: ["Harness"]),
        .executable(name: "kodama", targets: ["kodama"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
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
            dependencies: ["SansIO"],
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
                "ReplicaStore",
            ],
            path: "Sources/Client/CoachStore",
            swiftSettings: strict
        ),
        .target(
            name: "AppCoordination",
            dependencies: [
                "SansIO", "VoiceActivity", "OpusAudio", "PeerTransport", "GroupSecurity",
                "RealtimeVoice", "IncomingCalls",
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

        // Simulator: what runs them.
        .target(
            name: "Simulation",
            dependencies: ["SansIO"],
            path: "Sources/Simulator/Simulation",
            swiftSettings: strict
        ),
        .systemLibrary(
            name: "CSpanDSP",
            path: "Sources/Simulator/CSpanDSP",
            pkgConfig: "spandsp",
            providers: [.apt(["libspandsp-dev"]), .brew(["spandsp"])]
        ),
        .target(
            name: "Speech",
            dependencies: ["SansIO", "AudioProcessing", "Simulation", "CSpanDSP"],
            path: "Sources/Simulator/Speech",
            swiftSettings: strict
        ),
        .target(
            name: "Evidence",
            dependencies: [
                "SansIO", "VoiceActivity", "PeerTransport", "GroupSecurity", "RealtimeVoice",
                "IncomingCalls", "ReplicaSync", "Models", "Simulation",
            ],
            path: "Sources/Simulator/Evidence",
            swiftSettings: strict
        ),
        .target(
            name: "Models",
            dependencies: [
                "SansIO", "RealtimeVoice", "IncomingCalls", "ReplicaChanges", "ReplicaSync",
                "TextFormats", "AppServer", "Simulation",
            ],
            path: "Sources/Simulator/Models",
            swiftSettings: strict
        ),
        .target(
            name: "Scenarios",
            dependencies: [
                "SansIO", "Simulation", "Evidence", "AppCoordination", "VoiceActivity",
                "OpusAudio", "PeerTransport", "RealtimeVoice", "IncomingCalls", "ReplicaChanges",
                "ReplicaSync", "Models",
                .product(name: "Yams", package: "Yams"),
            ],
            path: "Sources/Simulator/Scenarios",
            swiftSettings: strict
        ),
        .target(
            name: "PlayoutTrials",
            dependencies: ["SansIO", "Simulation", "PeerTransport"],
            path: "Sources/Simulator/PlayoutTrials",
            swiftSettings: strict
        ),
        .target(
            name: "SimulatedWorld",
            dependencies: [
                "SansIO", "SansIOTesting", "VoiceActivity", "AudioProcessing", "OpusAudio",
                "PeerTransport", "GroupSecurity", "GroupStore", "RealtimeVoice", "IncomingCalls",
                "ReplicaChanges", "ReplicaSync", "ReplicaStore", "AppCoordination", "TextFormats",
                "AppServer", "Models", "Simulation", "Speech", "Evidence", "Scenarios",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Sources/Simulator/SimulatedWorld",
            swiftSettings: strict
        ),
        .target(
            name: "Harness",
            dependencies: [
                "SansIO", "VoiceActivity", "AudioProcessing", "OpusAudio", "PeerTransport",
                "AppCoordination", "Simulation", "Speech", "Evidence", "Scenarios",
                "SimulatedWorld",
            ],
            path: "Sources/Simulator/Harness",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "kodama",
            dependencies: [
                "SansIO", "VoiceActivity", "AppCoordination", "Simulation", "PlayoutTrials",
                "Speech", "Evidence", "Scenarios", "SimulatedWorld", "Harness", "AppServer",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Tools/kodama",
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
            swiftSettings: strict
        ),
        .testTarget(
            name: "TextFormatsTests",
            dependencies: ["TextFormats"],
            path: "Tests/Client/TextFormatsTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "VoiceActivityTests",
            dependencies: ["VoiceActivity", "SansIO", "SansIOTesting"],
            path: "Tests/Client/VoiceActivityTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "AudioProcessingTests",
            dependencies: ["AudioProcessing"],
            path: "Tests/Client/AudioProcessingTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "OpusAudioTests",
            dependencies: ["OpusAudio", "OpusSearch", "SansIO"],
            path: "Tests/Client/OpusAudioTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "PeerTransportTests",
            dependencies: ["PeerTransport", "SansIOTesting"],
            path: "Tests/Client/PeerTransportTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "GroupSecurityTests",
            dependencies: [
                "GroupSecurity", "SansIO", "SansIOTesting",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Tests/Client/GroupSecurityTests",
            swiftSettings: strict
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
            swiftSettings: strict
        ),
        .testTarget(
            name: "RealtimeVoiceTests",
            dependencies: ["RealtimeVoice", "SansIO", "SansIOTesting"],
            path: "Tests/Client/RealtimeVoiceTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "IncomingCallsTests",
            dependencies: ["IncomingCalls", "SansIO", "SansIOTesting"],
            path: "Tests/Client/IncomingCallsTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "WakeFlowTests",
            dependencies: ["WakeFlow", "SansIO", "SansIOTesting"],
            path: "Tests/Client/WakeFlowTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "ReplicaChangesTests",
            dependencies: ["ReplicaChanges", "TextFormats"],
            path: "Tests/Client/ReplicaChangesTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "ReplicaSyncTests",
            dependencies: ["ReplicaChanges", "ReplicaSync", "SansIO", "SansIOTesting"],
            path: "Tests/Client/ReplicaSyncTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "ReplicaStoreTests",
            dependencies: [
                "ReplicaStore", "ReplicaChanges", "ReplicaSync", "SansIO", "SansIOTesting",
                "AppServer", "Models", "FileHarms",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Tests/Client/ReplicaStoreTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "CoachExchangeTests",
            dependencies: [
                "CoachExchange", "TextFormats", "SansIO",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Tests/Client/CoachExchangeTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "CoachAccountTests",
            dependencies: [
                "CoachAccount", "CoachExchange", "CoachStore", "AppServer", "ReplicaStore",
                "TextFormats", "SansIO", "SansIOTesting",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Tests/Client/CoachAccountTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "CoachStoreTests",
            dependencies: [
                "CoachStore", "CoachAccount", "CoachExchange", "ReplicaStore", "ReplicaChanges",
                "SansIO", "SansIOTesting",
            ],
            path: "Tests/Client/CoachStoreTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "MachineHostTests",
            dependencies: ["MachineHost", "IncomingCalls", "SansIO"],
            path: "Tests/Client/MachineHostTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "AppServerTests",
            dependencies: [
                "AppServer", "CoachExchange", "IncomingCalls", "ReplicaChanges", "ReplicaSync",
                "TextFormats", "Models", "SansIO", "SansIOTesting",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Tests/Server/AppServerTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "ModelsTests",
            dependencies: [
                "Models", "RealtimeVoice", "IncomingCalls", "AppServer", "Simulation", "SansIO",
                "SansIOTesting",
            ],
            path: "Tests/Simulator/ModelsTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "AppCoordinationTests",
            dependencies: [
                "AppCoordination", "PeerTransport", "GroupSecurity", "VoiceActivity",
                "RealtimeVoice", "IncomingCalls", "SansIO", "SansIOTesting",
            ],
            path: "Tests/Client/AppCoordinationTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "SimulationTests",
            dependencies: ["Simulation"],
            path: "Tests/Simulator/SimulationTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "SpeechTests",
            dependencies: ["Speech", "AudioProcessing", "SansIO"],
            path: "Tests/Simulator/SpeechTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "EvidenceTests",
            dependencies: [
                "Evidence", "VoiceActivity", "PeerTransport", "RealtimeVoice", "IncomingCalls",
                "ReplicaSync", "Models", "Simulation", "SansIO", "SansIOTesting",
            ],
            path: "Tests/Simulator/EvidenceTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "PlayoutTrialsTests",
            dependencies: ["PlayoutTrials"],
            path: "Tests/Simulator/PlayoutTrialsTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "ScenariosTests",
            dependencies: [
                "Scenarios", "Simulation", "Evidence", "AppCoordination", "SansIO",
                "VoiceActivity", "OpusAudio", "PeerTransport", "RealtimeVoice", "ReplicaChanges",
                "ReplicaSync", "Models",
            ],
            path: "Tests/Simulator/ScenariosTests",
            exclude: ["Broken", "Golden"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "SimulatedWorldTests",
            dependencies: [
                "SimulatedWorld", "AppCoordination", "OpusAudio", "PeerTransport", "GroupSecurity",
                "Evidence", "RealtimeVoice", "IncomingCalls", "ReplicaChanges", "AppServer",
                "Models", "Scenarios", "Simulation", "Speech", "SansIO", "SansIOTesting",
                "VoiceActivity",
            ],
            path: "Tests/Simulator/SimulatedWorldTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "HarnessTests",
            dependencies: [
                "Harness", "SimulatedWorld", "Evidence", "Scenarios", "Simulation", "Speech",
                "SansIO", "PeerTransport",
            ],
            path: "Tests/Simulator/HarnessTests",
            exclude: ["Golden"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "CommandLineTests",
            dependencies: ["kodama", "AppServer", "SansIO"],
            path: "Tests/System/CommandLineTests",
            swiftSettings: strict
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
            swiftSettings: strict
        ),
        .testTarget(
            name: "TidyTests",
            path: "Tests/System/TidyTests",
            swiftSettings: strict
        ),
    ],
    swiftLanguageModes: [.v6]
)
