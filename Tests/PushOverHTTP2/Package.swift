// swift-tools-version: 6.2
import PackageDescription

/// The push provider against a real HTTP/2 server, a package of its own: the root package gains no HTTP
/// stack from it.
let package = Package(
    name: "push-over-http2",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "kodama", path: "../.."),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
    ],
    targets: [
        .executableTarget(
            name: "push-over-http2",
            dependencies: [
                .product(name: "SansIO", package: "kodama"),
                .product(name: "AppServer", package: "kodama"),
                .product(name: "KodamaPhone", package: "kodama"),
                .product(name: "KodamaBackend", package: "kodama"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
            ],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .treatAllWarnings(as: .error),
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
