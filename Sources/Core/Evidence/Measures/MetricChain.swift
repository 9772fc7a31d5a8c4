/// Shares that follow one another, each of what the one before kept, and that multiply to one share.
///
/// A system registers its chains beside its meter, such as a morning's from armed to out of bed; reports show
/// at which link how many were lost.
public struct MetricChain: Sendable, Equatable, Codable {
    /// One share of the chain.
    public struct Link: Sendable, Equatable, Codable {
        /// What the link is called in a report.
        public var name: String
        /// The metric that measures it: a share.
        public var metric: String

        /// Names a link.
        public init(_ name: String, _ metric: String) {
            self.name = name
            self.metric = metric
        }
    }

    /// What runs through the chain, in the plural, such as `mornings`.
    public var name: String
    /// The links, from the first to the last.
    public var links: [Link]
    /// The share that all links multiply to.
    public var whole: Link
    /// The same share as the app's own analytics would show it, if there is a metric of that.
    public var known: Link?

    /// Describes a chain; `Systems` refuses one whose metrics are not declared as shares.
    public init(_ name: String, links: [Link], whole: Link, known: Link? = nil) {
        self.name = name
        self.links = links
        self.whole = whole
        self.known = known
    }

    /// The names of all its metrics.
    public var metrics: [String] { (links + [whole] + (known.map { [$0] } ?? [])).map(\.metric) }
}
