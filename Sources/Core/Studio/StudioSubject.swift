package import KodamaEvidence
package import KodamaLanguage
package import KodamaSpeech

/// What a studio is about: a scenario, how it is read, and with what it runs.
package struct StudioSubject: Sendable {
    /// The scenario's file, as the user named it.
    package var file: String
    /// Reads a text as the file, with settings `name=value` on top of the shared ones; one point comes of it.
    package var load:
        @Sendable (_ text: String, _ settings: [String]) throws(StudioRefusal) -> Scenario
    /// All parameters that there are.
    package var catalog: ParameterCatalog
    /// All metrics that there are.
    package var metrics: [MetricDescription]
    /// What is measured besides the figures of gates, such as `session.recovery.time:p95`.
    package var objectives: [Objective]
    /// How many seeds are run in the end; the file's own number if `nil`.
    package var seedCount: Int?
    /// The voices, for real audio.
    package var material: SpeechMaterial?
    /// The settings `name=value` that both sides share, as `--set` took them.
    package var shared: [String]
    /// The other options that repeat a run, such as `--only` and its value.
    package var options: [String]
    /// Which program this is, in one line.
    package var build: String
    /// How many runs go on at a time.
    package var jobCount: Int

    /// Names what a studio is about.
    package init(
        file: String,
        catalog: ParameterCatalog,
        metrics: [MetricDescription],
        objectives: [Objective],
        seedCount: Int?,
        material: SpeechMaterial?,
        shared: [String] = [],
        options: [String],
        build: String,
        jobCount: Int,
        load: @escaping @Sendable (String, [String]) throws(StudioRefusal) -> Scenario
    ) {
        self.file = file
        self.load = load
        self.catalog = catalog
        self.metrics = metrics
        self.objectives = objectives
        self.seedCount = seedCount
        self.material = material
        self.shared = shared
        self.options = options
        self.build = build
        self.jobCount = jobCount
    }

    /// All options that repeat a run, as words of a command line.
    var words: [String] { shared.flatMap { ["--set", $0] } + options }
}

/// Why something cannot be done, in sentences for the user.
package struct StudioRefusal: Error, CustomStringConvertible {
    /// The sentences.
    package var description: String

    /// Says why.
    package init(_ sentences: String) { description = sentences }
}
