import Evidence
import SansIO
import Scenarios
import Testing

@testable import Harness

@Suite("Explanations: a run in sentences")
struct ExplanationTests {
    /// Five runs, read once by people before they became golden.
    enum Run: String, CaseIterable {
        case outage, token, interruption, call, handover

        var text: String {
            switch self {
            case .outage:
                """
                preset: as-specified
                duration: 70s
                phones:
                  - { name: phone, radios: { wifi: local-clean }, apps: { session: {} } }
                timeline:
                  - { at: 20s, do: { black-hole: { of: phone, for: 26s } } }
                """
            case .token:
                """
                duration: 60s
                phones:
                  - { name: phone, radios: { wifi: local-clean }, apps: { session: {} } }
                timeline:
                  - { at: 20s, do: { agent-leaves: { of: phone } } }
                """
            case .interruption:
                """
                duration: 60s
                phones:
                  - { name: phone, radios: { wifi: local-clean }, apps: { session: {} } }
                timeline:
                  - { at: 20s, do: { phone-call-begins: phone } }
                  - { at: 30s, do: { phone-call-ends: phone } }
                """
            case .call:
                """
                duration: 90s
                phones:
                  - { name: ann, radios: { wifi: local-clean }, apps: { calls: {} } }
                  - { name: bob, radios: { cellular: lte }, apps: { calls: {} } }
                timeline:
                  - { at: 10s, do: { lock: bob } }
                """
            case .handover:
                """
                voice: sized
                duration: 70s
                parameters:
                  nearby.cold_least: 1s
                  nearby.cold_most: 1s
                phones:
                  - name: left
                    radios: { cellular: { profile: internet-60, delay: 30ms } }
                    apps: { intercom: { group: ridge, secured: true } }
                  - name: right
                    radios: { cellular: { profile: internet-60, delay: 30ms } }
                    apps: { intercom: { group: ridge, secured: true } }
                links:
                  - { between: [left, right], profile: local-clean }
                people:
                  - { name: ann, holds: left }
                  - { name: bob, holds: right }
                talk:
                  - { monologue: ann, at: 1s, for: 65s }
                  - { monologue: bob, at: 1s, for: 65s }
                timeline:
                  - { at: 20s, do: { stop: { link: left/right, for: 8s } } }
                """
            }
        }
    }
}
