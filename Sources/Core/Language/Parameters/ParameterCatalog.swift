/// The parameters of one part or of all, in the order in which they are listed.
public struct ParameterCatalog: Sendable {
    /// The parameters; names are unique.
    public let parameters: [Parameter]
    /// What must hold between them.
    public let constraints: [Constraint]

    /// Something that must hold between two parameters.
    public struct Constraint: Sendable {
        /// The parameter that must not be greater.
        public let lesser: String
        /// The parameter that must not be less.
        public let greater: String

        /// Demands that `lesser` is not greater than `greater`.
        public init(_ lesser: String, notAbove greater: String) {
            self.lesser = lesser
            self.greater = greater
        }
    }

    /// Makes a catalogue.
    public init(_ parameters: [Parameter], constraints: [Constraint] = []) {
        self.parameters = parameters
        self.constraints = constraints
    }

    /// The parameters of several catalogues, one after the other.
    package init(joining catalogs: [ParameterCatalog]) {
        self.init(
            catalogs.flatMap(\.parameters),
            constraints: catalogs.flatMap(\.constraints)
        )
    }

    /// The catalogue with all its parameters marked as figures of `scope`.
    public func scoped(_ scope: ParameterScope) -> ParameterCatalog {
        ParameterCatalog(
            parameters.map { parameter in
                var scoped = parameter
                scoped.scope = scope
                return scoped
            },
            constraints: constraints
        )
    }

    /// The catalogue with all its parameters marked as ones that change nothing in some worlds.
    ///
    /// - Parameter lack: What such a world lacks, in a clause; `nil` for others.
    /// - Returns: The catalogue so marked.
    package func lacking(
        _ lack: @escaping @Sendable (WorldPlan) -> String?
    ) -> ParameterCatalog {
        ParameterCatalog(
            parameters.map { parameter in
                var marked = parameter
                marked.lack = lack
                return marked
            },
            constraints: constraints
        )
    }

    /// The parameter called `name`.
    public subscript(name: String) -> Parameter? {
        parameters.first { $0.name == name }
    }

    /// The constraints that a configuration breaks, in words with the values that break them.
    public func conflicts(in configuration: Tuning) -> [Conflict] {
        constraints.compactMap { constraint in
            guard let lesser = self[constraint.lesser], let greater = self[constraint.greater],
                lesser.value(configuration) > greater.value(configuration)
            else { return nil }
            let lesserText = lesser.text(of: lesser.value(configuration))
            let greaterText = greater.text(of: greater.value(configuration))
            return Conflict(
                parameters: [lesser.name, greater.name],
                message: "\(lesser.name) (\(lesserText)) is above \(greater.name) (\(greaterText))"
            )
        }
    }

    /// Parameters whose values do not go together.
    public struct Conflict: Sendable, Equatable {
        /// The parameters.
        public let parameters: [String]
        /// What is wrong.
        public let message: String
    }

    /// Names for a message about an unknown one: all of its group if the group exists, else all.
    func nearby(_ name: String) -> [String] {
        let names = parameters.map(\.name)
        let group = name.split(separator: ".").first.map { "\($0)." } ?? ""
        let siblings = names.filter { $0.hasPrefix(group) }
        let isNearer = Suggestion.nearest(to: name, among: siblings) != nil
        let hasNearerElsewhere = Suggestion.nearest(to: name, among: names) != nil
        return siblings.isEmpty || (!isNearer && hasNearerElsewhere) ? names : siblings
    }
}
