/// What leads somebody new to scenarios with the replica.
enum FirstReplica {
    /// Two devices of one user write while one of them has no network.
    static let scenario = """
        summary: A phone and a tablet of one user write to the same row while the phone has no network, and end with equal rows.

        # How many runs, each with weather of its own; the same seed is the same run.
        seeds: 20
        # Every duration, rate and share carries its unit: 25s, 150ms, 2Mbps, 5%.
        duration: 180s

        # 'kodama list profiles' names all links.
        phones:
          - name: ada-phone
            radios: { cellular: lte-good }
            apps: { replica: { user: ada } }
          - name: ada-tablet
            radios: { wifi: wifi-internet }
            apps: { replica: { user: ada } }

        # What is done to the world, and when; at is counted from the start.
        timeline:
          - at: 10s
            do: { write: { on: ada-phone, row: dawn } }
          - at: 40s
            do: { outage: { of: ada-phone, for: 30s } }
          - at: 50s
            do: { write: { on: ada-phone, as: edit, row: dawn } }
          - at: 52s
            do: { write: { on: ada-tablet, rows: 3 } }

        # 'kodama list metrics' and 'kodama list invariants' name what can be expected.
        expect:
          - metric: replica.write.arrival.time
            p95: "<= 2s"
            # Fewer samples than this are no data, and no data is no pass.
            samples: 80
          # Until its next exchange, at most a minute after the one before, a device does not know.
          - metric: replica.difference.time
            max: "<= 65s"
          - metric: replica.writes.lost
            value: "== 0"
          - invariant: replica.order-kept

        """
}
