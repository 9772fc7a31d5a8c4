/// What a guest is checked with: everything that the protocol has.
enum GuestConformance {
    /// Two guests of the program `checked` over a lossy link and over the Internet, which has a black hole and a
    /// server that falls silent; one is killed and opened again, the other suspended, told something that it
    /// need not know, and opened by its notification, if it left one.
    static let scenario = """
        version: 2
        scenario: guest-conformance
        summary: Two guests of one program, with loss, a silent server, a black hole, a kill, a suspension and a tap.
        seeds: 3
        duration: 60s
        phones:
          - name: mika
            radios: { wifi: { profile: wifi-internet, loss: 5% } }
            apps: { guest: { program: checked, opens: already } }
          - name: bo
            radios: { wifi: { profile: wifi-internet, loss: 5% } }
            apps: { guest: { program: checked, opens: 1s } }
        links:
          - { between: [mika, bo], profile: local-clean, loss: 20% }
        timeline:
          - at: 10s
            do: { tell-guest: { of: mika, text: "conformance" } }
          - at: 12s
            do: { api: { does: silent, for: 6s } }
          - at: 20s
            do: { user: { of: bo, does: kill-app, app: guest } }
          - at: 25s
            do: { user: { of: bo, does: open-app, app: guest } }
          - at: 30s
            do: { user: { of: mika, does: leave-app } }
          - at: 35s
            do: { block: { of: bo, for: 10s } }
          - at: 45s
            do: { user: { of: mika, does: open-app, app: guest } }
          - at: 50s
            do: { user: { of: mika, does: leave-app } }
          - at: 52s
            do: { user: { of: mika, does: tap-notification, app: guest } }
        """
}
