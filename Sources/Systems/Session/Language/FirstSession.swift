/// What leads somebody new to scenarios with the voice session.
enum FirstSession {
    /// A phone loses its network for a while.
    static let scenario = """
        summary: A phone in a voice session loses its network for a while, and both sides hear each other again.

        # How many runs, each with weather of its own; the same seed is the same run.
        seeds: 20
        # Every duration, rate and share carries its unit: 25s, 150ms, 2Mbps, 5%.
        duration: 120s
        # sized: frames of voice with sizes. reachability: whether voice is heard follows from the path, faster.
        voice: reachability

        # 'kodama list profiles' names all links.
        phones:
          - name: phone
            radios: { wifi: wifi-internet, cellular: lte-good }
            apps: { session: {} }

        # One run for each of these values; $outage stands for them below.
        sweep:
          outage: [2s, 10s]

        # What is done to the world, and when; at is counted from the start.
        timeline:
          - at: 30s
            do: { outage: { of: phone, for: $outage } }

        # Faults by chance, drawn anew for each seed.
        # faults:
        #   - { of: phone, every: 45s, from: 20s, until: 100s, kinds: { outage: 1, black-hole: 1 } }

        # Parameters of the app; 'kodama list parameters' names them, --set changes them for one run.
        # parameters: { session.retry_timeout: 4s }

        # 'kodama list metrics' and 'kodama list invariants' name what can be expected.
        expect:
          - metric: session.recovery.time
            p95: "<= 10s"
            # Fewer samples than this are no data, and no data is no pass.
            samples: 20
          - metric: session.unrecovered
            value: "== 0"
          - invariant: session.parts-sum
          - invariant: session.agent-survives

        """
}
