/// Takes short options apart that stand together, as `getopt` does: `-qj1` is `-q -j 1`.
enum ShortOptions {
    /// Those that stand alone.
    private static let flags: Set<Character> = ["q", "v", "h"]
    /// Those with a value behind them.
    private static let valued: Set<Character> = ["j", "o"]

    /// The arguments with every short option standing alone; what is none of ours is left as it is.
    static func separated(_ arguments: [String]) -> [String] {
        var separated: [String] = []
        for (index, argument) in arguments.enumerated() {
            guard argument != "--" else { return separated + arguments[index...] }
            separated += parts(of: argument) ?? [argument]
        }
        return separated
    }

    private static func parts(of argument: String) -> [String]? {
        guard argument.hasPrefix("-"), !argument.hasPrefix("--") else { return nil }
        var rest = argument.dropFirst()
        var parts: [String] = []
        while let letter = rest.popFirst() {
            parts.append("-\(letter)")
            if valued.contains(letter) {
                if rest.first == "=" { rest.removeFirst() }
                return rest.isEmpty ? parts : parts + [String(rest)]
            }
            guard flags.contains(letter) else { return nil }
        }
        return parts.isEmpty ? nil : parts
    }
}
