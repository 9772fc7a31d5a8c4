import ArgumentParser

/// How many seeds a scenario runs where the command line says so: a number, a multiple of its own, or as
/// many as decide the verdict.
enum SeedCount: ExpressibleByArgument, Equatable {
    case exactly(Int)
    case times(Int)
    /// A tenth of its own, and one at least.
    case tenth
    case auto

    /// As many as a scenario file may ask for.
    static let possible = 1...1_000_000
    static let help = ArgumentHelp(
        "How many seeds each scenario runs, from its first one on; 10x for ten times its own number, auto "
            + "for as many as it takes to decide the verdict.",
        valueName: "count|10x|auto"
    )

    init?(argument: String) {
        guard argument != "auto" else {
            self = .auto
            return
        }
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
        case .tenth: "0.1x"
        case .auto: "auto"
        }
    }

    /// The number of a scenario that asks for `own`.
    func count(_ own: Int) -> Int {
        switch self {
        case .exactly(let count): count
        case .auto: own
        case .tenth: max(1, own / 10)
        case .times(let factor): min(own * factor, Self.possible.upperBound)
        }
    }

    /// Reads what was written, or says what may be.
    static func read(_ argument: String) throws -> SeedCount {
        guard let count = SeedCount(argument: argument) else {
            throw ValidationError(
                "--seeds \(argument): from \(possible.lowerBound) to \(possible.upperBound) are possible, or a multiple of the scenario's own number, such as 10x, or auto"
            )
        }
        return count
    }
}
