import Foundation
import SansIO

extension NetworkPath {
    /// Reads how Network.framework describes a path; `nil` if it says nothing that is known.
    ///
    /// Such as `satisfied (Path is satisfied), interface: pdp_ip0[lte], ipv4, dns, expensive, uses cell` and
    /// `unsatisfied (No network route)`.
    init?(described text: String) {
        let text = text.lowercased()
        if text.contains("unsatisfied") || text.contains("requiresconnection") {
            self = .unsatisfied
            return
        }
        guard let satisfied = text.range(of: "satisfied") else { return nil }
        let rest = text[satisfied.upperBound...]
        func says(_ words: String...) -> Bool { words.contains { rest.contains($0) } }
        // The first interface carries; a VPN has one of its own, and says what it uses.
        if says("interface: en") {
            self = .satisfied(.wifi)
        } else if says("interface: pdp_ip", "uses cell", "cellular") {
            self = .satisfied(.cellular)
        } else if says("802.11", "uses wifi", "wifi", "wi-fi") {
            self = .satisfied(.wifi)
        } else {
            return nil
        }
    }

    /// The interface, if there is a path.
    var interface: NetworkInterface? {
        guard case .satisfied(let interface) = self else { return nil }
        return interface
    }
}
