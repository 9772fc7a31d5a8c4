// What tells one gate from another.

extension GateReport {
    /// Whether another gate bounds the same figure of the same samples.
    func isOfSameFigure(as other: GateReport) -> Bool {
        metric == other.metric && figure == other.figure && scope == other.scope
    }

    /// Whether another gate passes and fails as this one does.
    func demandsTheSame(as other: GateReport) -> Bool {
        metric == other.metric && rule == other.rule && terms(beside: other) == rule
    }

    /// The rule, with what else tells the gate from another one on the same figure.
    func terms(beside other: GateReport) -> String {
        var terms: [String] = []
        if samplesNeeded != other.samplesNeeded {
            terms.append("of at least \(counted(samplesNeeded, "sample"))")
        }
        if allowsNoData != other.allowsNoData {
            terms.append(allowsNoData == true ? "no data passes" : "no data fails")
        }
        if allowsCensored != other.allowsCensored {
            terms.append(
                allowsCensored == true ? "what is open counts" : "what is open may turn it"
            )
        }
        return terms.isEmpty ? rule : "\(rule) (\(terms.joined(separator: ", ")))"
    }
}
