// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "ping",
    platforms: [.iOS(.v17), .macOS(.v15)],
    products: [
        // What the app links.
        .library(name: "PingClient", targets: ["PingClient"]),
        // What a command line registers, this one or another beside other systems.
        .library(name: "PingSystem", targets: ["PingSystem"]),
        .executable(name: "ping", targets: ["ping"]),
    ],
    dependencies: [
        .package(name: "kodama", path: "../../..")
    ],
    targets: [
        .target(
            name: "PingClient",
            dependencies: [.product(name: "SansIO", package: "kodama")]
        ),
        .target(
            name: "PingSystem",
            dependencies: ["PingClient", .product(name: "Kodama", package: "kodama")]
        ),
        .executableTarget(
            name: "ping",
            dependencies: ["PingSystem", .product(name: "Kodama", package: "kodama")]
        ),
        .testTarget(
            name: "PingClientTests",
            dependencies: [
                "PingClient", .product(name: "SansIOTesting", package: "kodama"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
