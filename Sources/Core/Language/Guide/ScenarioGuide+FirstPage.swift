extension ScenarioGuide {
    /// What a scenario is.
    static let opening = #"""
        # The scenario language

        A scenario is a story with a verdict: phones with apps on them, the network between them, people
        who talk, what goes wrong, and what must hold all the same. It is a YAML file. `kodama guide` prints
        this guide; `kodama init --app NAME FILE` writes a commented scenario to begin with.
        """#

    /// What holds in every scenario, in brief.
    static let rules = #"""
        ## Ways on

        - `parameters:` gives the apps other figures, and `--set jitter.ceiling=200ms` does so for one run.
        - `sweep: { slowness: [100ms, 300ms] }` runs every value; write `by: $slowness` where it belongs.
        - `extends: first.yaml` takes over what the new file does not say itself.
        - A phone with `radios: { wifi: wifi-internet, cellular: lte-good }` reaches servers; the timeline
          can then order `outage`, `handover`, `user` and more.
        - A phone may have several apps, and several phones make one with `count:`.
        - `faults:` lets things go wrong by chance; it is drawn anew for each seed.
        - A gate's `covers:` names the requirements that fail with it. They stand in a file
          `requirements.yaml` beside the scenario, above it, or in `Scenarios` of the working folder; where
          there is none, leave `covers:` out.
        - A figure with too few samples is no data, and no data is no pass; a gate's `samples:` says how
          many it needs.
        - `outcome: fail` with `because:` documents a miss: should every gate pass, the run fails.

        Rules that hold everywhere: every quantity carries its unit (`25s`, `150ms`, `2Mbps`, `5%`). Names
        are lower-case letters, digits and single hyphens. Links are called by their ends
        (`ann-phone/ben-phone`), a phone's radios likewise (`ann-phone/wifi`), its apps `ann-phone.session`.
        A time is counted from the start (`20s`), or, where the scenario has a `clock`, is a time of day: the
        first one after the start. Keys that begin with `x-` are yours, for anchors and remarks. Everything
        not written has the default that the tables below give; `kodama resolve FILE` prints a scenario with
        all of them.
        """#
}
