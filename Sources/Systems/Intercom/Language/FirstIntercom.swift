/// What leads somebody new to scenarios with the intercom.
enum FirstIntercom {
    /// Two people talk over a link that is gone for a while.
    static let scenario = """
        summary: Two people talk over a good local link that is gone for two seconds.

        # How many runs, each with weather of its own; the same seed is the same run.
        seeds: 5
        # Every duration, rate and share carries its unit: 25s, 150ms, 2Mbps, 5%.
        duration: 40s
        # real: recorded speech, detector and codec. sized: no sound, some 80 times faster.
        voice: sized

        phones:
          - { name: left-phone, apps: { intercom: { group: ridge } } }
          - { name: right-phone, apps: { intercom: { group: ridge } } }

        # 'kodama list profiles' names all links; single values are changed here: forward: { loss: 2% }.
        links:
          - { between: [left-phone, right-phone], profile: local-clean }

        people:
          - { name: ann, holds: left-phone, voice: en-f }
          - { name: ben, holds: right-phone, voice: it-m }

        # A conversation after ITU-T P.59, then a story.
        talk:
          - { conversation: p59, between: [ann, ben], from: 1s, until: 20s }
          - { monologue: ann, at: 21s, for: 15s }

        # What is done to the world, and when.
        timeline:
          - at: 28s
            do: { stop: { link: left-phone/right-phone, for: 2s } }

        # Parameters of the app; 'kodama list parameters' names them, --set changes them for one run.
        # parameters: { vad.preroll: 100ms }

        # One run for each of several values: name them here, and write $loss where the value stands.
        # sweep: { loss: [0%, 2%, 5%] }

        # 'kodama list metrics' and 'kodama list invariants' name what can be expected.
        expect:
          - metric: voice.mouth_to_ear.time
            p95: "<= 120ms"
            # Fewer samples than this are no data, and no data is no pass.
            samples: 500
          - metric: voice.speech.gap.time
            max: "<= 2.2s"
          - invariant: voice.never-played-twice
          - invariant: voice.order-kept

        """

    /// From nothing to a gate that fails; its examples are loaded and run by tests.
    static let tour = #"""
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
        `kodama replay` runs again with its trace.
        """#
}
