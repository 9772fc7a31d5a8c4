import ArgumentParser

/// How many seeds a scenario runs where the command line says so: a number, or a multiple of its own.
enum SeedCount: ExpressibleByArgument, Equatable {
    case exactly(Int)
    case times(Int)

    /// As many as a scenario file may ask for.
    static let possible = 1...1_000_000
    static let help = ArgumentHelp(
        "How many seeds each scenario runs, from its first one on; 10x is ten times its own number.",
        valueName: "count"
    )

    init?(argument: String) {
        let isMultiple = argument.hasSuffix("x")
        guard let number = Int(isMultiple ? argument.dropLast() : argument[...]),
            Self.possible.contains(number)
        else { return nil }
        self = isMultiple ? .times(number) : .exactly(number)
    }

    /// What was written.
    var text: String {
        switch self {
        case .exactly(let count): "\(count)"
        case .times(let factor): "\(factor)x"
        }
    }

    /// The number of a scenario that asks for `own`.
    func count(_ own: Int) -> Int {
        switch self {
        case .exactly(let count): count
        case .times(let factor): min(own * factor, Self.possible.upperBound)
        }
    }

    /// Reads what was written, or says what may be.
    static func read(_ argument: String) throws -> SeedCount {
        guard let count = SeedCount(argument: argument) else {
            throw ValidationError(
                "--seeds \(argument): from \(possible.lowerBound) to \(possible.upperBound) are possible, or a multiple of the scenario's own number, such as 10x"
            )
        }
        return count
    }
}
