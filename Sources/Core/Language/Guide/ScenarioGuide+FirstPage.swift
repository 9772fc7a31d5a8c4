extension ScenarioGuide {
    /// From nothing to a failing gate; its examples are loaded and run by tests.
    static let firstPage = #"""
        # The scenario language

        A scenario is a story with a verdict: phones with apps on them, the network between them, people
        who talk, what goes wrong, and what must hold all the same. It is a YAML file. `kodama guide` prints
        this guide; `kodama init FILE` writes a commented scenario to begin with.

        ## From nothing to a failing gate

        Two phones in one group of the intercom, a good link, two people who converse. Put this into
        `first.yaml`:

        ```yaml
        version: 2
        scenario: first
        duration: 60s
        seeds: 5
        voice: sized
        phones:
          - { name: ann-phone, apps: { intercom: { group: ridge } } }
          - { name: ben-phone, apps: { intercom: { group: ridge } } }
        links:
          - { between: [ann-phone, ben-phone], profile: local-clean }
        people:
          - { name: ann, holds: ann-phone }
          - { name: ben, holds: ben-phone }
        talk:
          - { conversation: p59, between: [ann, ben], from: 1s }
        expect:
          - metric: voice.mouth_to_ear.time
            p95: "<= 120ms"
        ```

        `kodama check first.yaml` finds every mistake with line, column and what to write instead.
        `kodama run first.yaml` runs it with five seeds: other weather each time, and for one seed the same
        bytes on every machine. The gate passes. Now let the link be slow for a while, by adding:

        ```yaml
        timeline:
          - { at: 20s, do: { slow: { link: ann-phone/ben-phone, by: 300ms, for: 20s } } }
        ```

        The run ends with exit code 1, says which gate failed by how much, and names the worst seed, which
        `kodama replay` runs again with its trace. From here:

        - `parameters:` gives the apps other figures, and `--set jitter.ceiling=200ms` does so for one run.
        - `sweep: { slowness: [100ms, 300ms] }` runs every value; write `by: $slowness` where it belongs.
        - `extends: first.yaml` takes over what the new file does not say itself.
        - A phone with the voice session has `radios: { wifi: wifi-internet, cellular: lte-good }` and
          `apps: { session: {} }`; the timeline can then order `outage`, `handover`, `user` and more.
        - A phone may have several apps: `apps: { intercom: { group: ridge }, session: { opens: 30s } }`.
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
        A time is counted from the start (`20s`), or is a time of day where the scenario has a `clock`. Keys
        that begin with `x-` are yours, for anchors and remarks. Everything not written has the default that
        the tables below give; `kodama resolve FILE` prints a scenario with all of them.
        """#
}
