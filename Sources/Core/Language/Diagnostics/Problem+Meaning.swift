extension Problem {
    /// Words for a value that is well formed but makes no sense.
    var meaningWording: Wording {
        switch self {
        case .noSuch(let kind, let name, let known):
            Wording(
                "unknown-\(kind.code)",
                "no \(kind.noun) '\(name)'",
                Self.limit(in: name, of: kind, among: known) ?? Self.numbered(name, among: known)
                    ?? Self.sweepable(kind, name, known)
                    ?? Self.nearest(to: name, among: known),
                Self.list(known, as: "known")
                    ?? kind.listed.map { .init("'kodama list \($0)' names them") }
            )
        case .duplicateName(let name, let first):
            Wording("duplicate-name", "'\(name)' is already taken", Self.first(first))
        case .sameTwice(let name, let inside):
            Wording("same-twice", "'\(name)' appears twice in \(inside)")
        case .duplicateLink(let name, let first):
            Wording("duplicate-link", "'\(name)' is already linked", Self.first(first))
        case .outsideRun(let what, let time, let duration):
            Wording("outside-run", "\(what) at \(time), after the run's end at \(duration)")
        case .emptyInterval(let from, let until):
            Wording("empty-interval", "the stretch from \(from) to \(until) is empty")
        case .alreadyTalks(let person, let first):
            Wording("already-talks", "'\(person)' already talks at that time", Self.first(first))
        case .noPath(let one, let other):
            Wording("no-path", "no link joins '\(one)' and '\(other)', so neither hears the other")
        case .otherCircles(let one, let other):
            Wording(
                "other-groups",
                "'\(one)' and '\(other)' are in different groups, so neither hears the other"
            )
        case .unlikeSeals(let one, let other):
            Wording(
                "unlike-seals",
                "only one of '\(one)' and '\(other)' has an app that is secured, so neither hears "
                    + "the other"
            )
        case .impossibleLink(let words):
            Wording("impossible-link", words)
        case .needsSound(let what, let mode):
            Wording(
                "needs-sound",
                "'\(what)' needs 'voice: real'; 'voice: \(mode.rawValue)' makes no sound",
                .init("write 'voice: real', or leave '\(what)' out")
            )
        case .voiceTooCoarse(let mode, let app, let offered):
            Wording(
                "voice-of-other-app",
                "the \(app) app has no 'voice: \(mode.rawValue)'",
                Self.list(offered.map(\.rawValue), as: "it has")
            )
        case .voiceTooReal(let mode, let makers, let most):
            Wording(
                "voice-of-other-app",
                "'voice: \(mode.rawValue)' needs an app that carries it, which no phone has: "
                    + makers.joined(separator: ", "),
                .init("write 'voice: \(most.rawValue)', or leave it out")
            )
        case .fallingQuantiles(let value, let before):
            Wording("falling-quantiles", "quantiles never fall, but '\(value)' follows '\(before)'")
        case .parameterConflict(let words):
            Wording("parameter-conflict", words)
        case .badRequirementID(let text):
            Wording(
                "bad-requirement-id",
                "'\(text)' is not a requirement id",
                .init("such as S-VAD-003")
            )
        case .notAnAssignment(let text):
            Wording(
                "not-an-assignment",
                "'\(text)' is not name=value",
                .init("such as vad.attack=60ms")
            )
        default:
            castWording ?? sweepWording ?? gateWording
        }
    }

    /// What is said of a parameter that is none, but that the command line sweeps.
    private static func sweepable(
        _ kind: NameKind,
        _ name: String,
        _ known: [String]
    ) -> Diagnostic.Note? {
        if kind == .sweptValue, known.isEmpty {
            return .init("add 'sweep: { \(name): [ … ] }' with its values, or leave the '$' out")
        }
        guard kind == .parameter, SweepReader.plainKeys.contains(name) || SweptLink(name) != nil
        else { return nil }
        return .init("write '--sweep \(name)=VALUE' on the command line")
    }

    /// Words for what is wrong with the expectations.
    private var gateWording: Wording {
        switch self {
        case .statisticNotOffered(let name, let metric, let offered):
            Wording(
                "statistic-not-offered",
                "'\(metric)' has no '\(name)'",
                Self.list(offered, as: "it has")
            )
        case .contradictoryGates(let first):
            Wording(
                "contradictory-gates",
                "no figures can pass both this gate and an earlier one",
                Self.first(first)
            )
        case .duplicateGate(let first):
            Wording(
                "duplicate-gate",
                "this figure already has a limit on this side",
                Self.first(first)
            )
        case .vacuousGate(let text):
            Wording("vacuous-gate", "every figure passes '\(text)'")
        case .impossibleGate(let text):
            Wording("impossible-gate", "no figure passes '\(text)'")
        case .warningWithoutGate(let name):
            Wording("warning-without-gate", "'\(name)' has a warning limit but no gate here")
        case .warningNotStricter(let text, let limit):
            Wording("warning-not-stricter", "'\(text)' can never warn before '\(limit)' fails")
        case .warningOtherWay(let text, let limit):
            Wording("warning-other-way", "'\(text)' and '\(limit)' bound opposite sides")
        case .duplicateInvariant(let name, let first):
            Wording("duplicate-invariant", "'\(name)' is already expected", Self.first(first))
        case .noDevice(let name):
            Wording(
                "no-device",
                "no sample of '\(name)' is a single phone's, so at each device there is no data",
                .init("leave 'each' out; the gate then bounds all samples")
            )
        case .noData(let name, let reason):
            Wording("no-data", "'\(name)' has no data here, so it never passes: \(reason)")
        default:
            Wording(
                "nothing-gated",
                "nothing is expected, so every run passes",
                .init("add 'expect' with at least one metric or invariant")
            )
        }
    }
}
