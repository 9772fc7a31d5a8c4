// swift-tools-version: 6.2
import PackageDescription

/// The benchmarks, a package of their own: they use the simulator as any other package would, so a
/// lost `@inlinable` shows as a loss of speed.
let package = Package(
    name: "kodama-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "kodama", path: "../..")],
    targets: [
        .target(name: "CAllocationCount"),
        .executableTarget(
            name: "kodama-bench",
            dependencies: [
                "CAllocationCount",
                .product(name: "SansIO", package: "kodama"),
                .product(name: "KodamaSimulation", package: "kodama"),
            ],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .treatAllWarnings(as: .error),
            ]
        ),
        .executableTarget(
            name: "security-bench",
            dependencies: [
                .product(name: "SansIO", package: "kodama"),
                .product(name: "SansIOTesting", package: "kodama"),
                .product(name: "GroupSecurity", package: "kodama"),
            ],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .treatAllWarnings(as: .error),
            ]
        ),
        .executableTarget(
            name: "voice-bench",
            dependencies: [
                .product(name: "SansIO", package: "kodama"),
                .product(name: "VoiceActivity", package: "kodama"),
                .product(name: "OpusAudio", package: "kodama"),
                .product(name: "KodamaSimulation", package: "kodama"),
                .product(name: "KodamaSpeech", package: "kodama"),
                .product(name: "KodamaEvidence", package: "kodama"),
                .product(name: "KodamaLanguage", package: "kodama"),
                .product(name: "KodamaIntercom", package: "kodama"),
                .product(name: "KodamaHarness", package: "kodama"),
            ],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .treatAllWarnings(as: .error),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
