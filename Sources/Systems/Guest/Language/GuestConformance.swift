/// What a guest is checked with: everything that the protocol has.
enum GuestConformance {
    /// Two guests of the program `checked` over a lossy link that is gone for a while; one is killed and
    /// opened again, the other suspended, and both are told something that they need not know.
    static let scenario = """
        version: 2
        scenario: guest-conformance
        summary: Two guests of one program over a lossy link, with a kill, a suspension and an outage.
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
          - at: 20s
            do: { user: { of: bo, does: kill-app, app: guest } }
          - at: 25s
            do: { user: { of: bo, does: open-app, app: guest } }
          - at: 30s
            do: { user: { of: mika, does: leave-app } }
          - at: 45s
            do: { user: { of: mika, does: open-app, app: guest } }
        """
}
