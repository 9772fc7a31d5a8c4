/// The files that 'new-system' writes, with `__Name__`, `__name__` and so on where the system's own words go.
enum SystemTemplate {
    /// All files, each with its path in the package.
    static let files: [SystemPackage.File] = [
        .init(path: ".gitignore", text: ignored),
        .init(path: "Package.swift", text: manifest),
        .init(path: "README.md", text: readme),
        .init(path: "Scenarios/__name__.yaml", text: scenario),
        .init(path: "Sources/__Name__Client/__Name__Requester.swift", text: client),
        .init(path: "Sources/__Name__System/__Name__App.swift", text: app),
        .init(path: "Sources/__Name__System/__Name__Evidence.swift", text: evidence),
        .init(path: "Sources/__Name__System/__Name__Language.swift", text: language),
        .init(path: "Sources/__Name__System/__Name__Server.swift", text: server),
        .init(path: "Sources/__Name__System/__Name__System.swift", text: registration),
        .init(path: "Sources/__name__/main.swift", text: main),
        .init(path: "Tests/__Name__ClientTests/__Name__RequesterTests.swift", text: test),
    ]

    static let ignored = """
        .build/
        Package.resolved

        """

    static let manifest = """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
            name: "__name__",
            platforms: [.iOS(.v17), .macOS(.v15)],
            products: [
                // What the app links.
                .library(name: "__Name__Client", targets: ["__Name__Client"]),
                // What a command line registers, this one or another beside other systems.
                .library(name: "__Name__System", targets: ["__Name__System"]),
                .executable(name: "__name__", targets: ["__name__"]),
            ],
            dependencies: [
                __dependency__
            ],
            targets: [
                .target(
                    name: "__Name__Client",
                    dependencies: [.product(name: "SansIO", package: "__kodama__")]
                ),
                .target(
                    name: "__Name__System",
                    dependencies: ["__Name__Client", .product(name: "Kodama", package: "__kodama__")]
                ),
                .executableTarget(
                    name: "__name__",
                    dependencies: ["__Name__System", .product(name: "Kodama", package: "__kodama__")]
                ),
                .testTarget(
                    name: "__Name__ClientTests",
                    dependencies: [
                        "__Name__Client", .product(name: "SansIOTesting", package: "__kodama__"),
                    ]
                ),
            ],
            swiftLanguageModes: [.v6]
        )

        """

    static let main = """
        import KodamaCommand
        import __Name__System

        await Kodama.main(systems: [.__name__])

        """

    static let readme = """
        # __name__

        An app that asks its server for something, and a command line that runs it in simulated worlds.

        ```console
        $ swift run __name__ run Scenarios          # many runs, each with weather of its own; do the gates hold?
        $ swift run __name__ explain Scenarios/__name__.yaml --seed 1
        $ swift run __name__ list metrics           # what scenarios can expect; also: parameters, profiles, records
        $ swift run __name__ guide                  # the scenario language, with this system's words
        $ swift test                             # the client machine alone
        ```

        | | |
        |---|---|
        | `Sources/__Name__Client` | the client: a machine without clock, chance, I/O and threads; the app on the phone links the same |
        | `Sources/__Name__System/__Name__App.swift` | the app on a simulated phone: tells the machine what happens, does what it orders |
        | `Sources/__Name__System/__Name__Server.swift` | the server, and what the two send each other |
        | `Sources/__Name__System/__Name__Evidence.swift` | records of what happened, metrics over them, sentences that explain a run |
        | `Sources/__Name__System/__Name__Language.swift` | what scenarios can say: the app, parameters, a verb for the timeline |
        | `Sources/__Name__System/__Name__System.swift` | the one value that registers all this |
        | `Scenarios/__name__.yaml` | a world, a story, and what is expected of it |

        The evidence never looks into the app: metrics know records only, so a client that is wrong cannot
        hide it. Try: leave out the line in `__Name__Requester.wake` that asks again, and run the scenario.

        """

    static let scenario = """
        version: 2
        scenario: __name__
        summary: A phone asks its server over a link that loses packets and is gone for a while; every answer comes.

        # How many runs, each with weather of its own; the same seed is the same run.
        seeds: 20
        duration: 120s

        # 'list profiles' names all links; single values are changed beside it.
        phones:
          - name: phone
            radios: { wifi: { profile: wifi-internet, loss: 10% } }
            apps: { __name__: {} }

        # What is done to the world, and when.
        timeline:
          - at: 30s
            do: { outage: { of: phone, for: 5s } }
          - at: 60s
            do: { __name__-now: { of: phone, count: 10 } }

        # 'list metrics' names what can be expected, 'list parameters' what can be tuned.
        expect:
          - metric: __name__.time
            p95: "<= 2s"
            # Fewer samples than this are no data, and no data is no pass.
            samples: 2000
          - metric: __name__.failures
            value: "== 0"

        """
}
