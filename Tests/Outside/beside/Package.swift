// swift-tools-version: 6.2
import PackageDescription

/// A command line with the shipped systems and one of another package.
let package = Package(
    name: "beside",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "kodama", path: "../../.."),
        .package(path: "../ping"),
    ],
    targets: [
        .executableTarget(
            name: "kodama-ping",
            dependencies: [
                .product(name: "Kodama", package: "kodama"),
                .product(name: "KodamaShipped", package: "kodama"),
                .product(name: "PingSystem", package: "ping"),
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
