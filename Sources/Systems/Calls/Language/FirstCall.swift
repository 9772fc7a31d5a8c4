/// What leads somebody new to scenarios with calls.
enum FirstCall {
    /// One phone calls another, which is locked and whose app sleeps.
    static let scenario = """
        summary: A locked phone rings, its user answers, and 20 s later hangs up.

        # How many runs, each with weather of its own; the same seed is the same run.
        seeds: 20
        # Every duration, rate and share carries its unit: 25s, 150ms, 2Mbps, 5%.
        duration: 150s
        # reachability: whether voice is heard follows from the path.
        voice: reachability

        # 'kodama list profiles' names all links. The callee answers 3 s after it rings, and hangs up 20 s later.
        phones:
          - name: mika-phone
            radios: { wifi: wifi-internet }
            apps: { calls: { user: mika } }
          - name: taro-phone
            radios: { cellular: lte-good }
            apps: { calls: { user: taro, answers: 3s, hangs_up: 20s } }
        people:
          - { name: mika, holds: mika-phone }
          - { name: taro, holds: taro-phone }

        # What is done to the world, and when; at is counted from the start.
        timeline:
          # The phone is locked and its app sleeps: a push has to wake it.
          - at: 30s
            do: { user: { of: taro-phone, does: lock } }
          - at: 60s
            do: { call: { from: mika-phone, to: taro } }
          # The caller's network goes while they talk:
          # - at: 75s
          #   do: { outage: { of: mika-phone, for: 5s } }

        # 'kodama list metrics' and 'kodama list invariants' name what can be expected.
        expect:
          - metric: call.ring.time
            p95: "<= 3s"
            # Fewer samples than this are no data, and no data is no pass.
            samples: 20
          - metric: call.answer.time
            p95: "<= 4s"
          - metric: call.unrung
            value: "== 0"
          - metric: call.end.time
            max: "<= 5s"
          - invariant: call.events-right

        """
}
