extension Problem {
    /// Words for what is wrong with a sweep or an expected outcome.
    var sweepWording: Wording? {
        switch self {
        case .notASweep(let text):
            Wording(
                "not-a-sweep",
                "'\(text)' is not name=value,value",
                .init("such as outage=1s,2s,5s")
            )
        case .shortRange(let text):
            Wording(
                "short-range",
                text.contains("/")
                    ? "'\(text)' is a range of fewer than 2 values"
                    : "'\(text)' is a range that does not say of how many values",
                .init("write how many behind a '/', at least 2, or a single value without '..'")
            )
        case .unlikeEnds(let text):
            Wording(
                "unlike-ends",
                "'\(text)' is a range whose ends have different units",
                .init("write both ends in one unit, such as 500ms..2000ms/4")
            )
        case .emptyRange(let text):
            Wording(
                "empty-range",
                "'\(text)' is a range from a value to itself",
                .init("write two different ends, or the value alone")
            )
        case .unlikePoints(let names):
            Wording(
                "unlike-points",
                "every point of a sweep has the same names",
                Self.list(names, as: "the first point has")
            )
        case .tooManyPoints(let count, let most):
            Wording(
                "too-many-points",
                "the sweep has \(count) points, at most \(most) are possible"
            )
        case .sweptInPoints(let name):
            Wording(
                "swept-in-points",
                "'\(name)' is swept in a list of points, whose values belong together",
                .init("choose points with --only")
            )
        case .sweptForNothing(let name):
            Wording(
                "swept-for-nothing",
                "'\(name)' is swept but used nowhere",
                .init("write $\(name) where the value is to stand")
            )
        case .inheritedForNothing(let name, let location):
            Wording(
                "swept-for-nothing",
                "'\(name)' is swept in the scenario that this one extends, but used nowhere here",
                .init("write a 'sweep' of its own; 'sweep: {}' sweeps nothing"),
                .init("it is swept here", at: location)
            )
        case .settingOverSweep(let setting, let name, let location):
            Wording(
                "setting-over-sweep",
                "'\(setting.name)' is swept as '$\(name)', which the rows would still show",
                .init("write --sweep \(name)=\(setting.written), or choose points with --only"),
                .init("it is swept here", at: location)
            )
        case .setAndSwept(let name, let location):
            Wording(
                "set-and-swept",
                "'\(name)' is set and swept",
                .init("write one of the two"),
                .init("it is swept here", at: location)
            )
        case .failsWithoutReason:
            Wording(
                "fails-without-reason",
                "an expected failure needs a reason",
                .init("add 'because' with a sentence")
            )
        case .reasonWithoutFailure(let key):
            Wording("reason-without-failure", "'\(key)' goes with 'outcome: fail'")
        case .notSwept(let name, let known):
            Wording(
                "not-swept",
                "'\(name)' is not swept",
                Self.nearest(to: name, among: known),
                Self.list(known, as: "swept")
            )
        case .noSuchPoint(let name, let value, let known):
            Wording(
                "no-such-point",
                "'\(name)' is never '\(value)'",
                Self.nearest(to: value, among: known),
                Self.list(known, as: "its values are")
            )
        default:
            nil
        }
    }
}
