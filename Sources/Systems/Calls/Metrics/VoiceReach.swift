import KodamaEvidence
import SansIO

/// When voice could pass between each app and the room server: packets did, and media were not cut.
///
/// An app whose phone has lost one radio of several can go over to another.
struct VoiceReach {
    /// The radios of each phone.
    private let radios: [Int: [Int]]
    private let links: PhoneLinks
    private var paths = Reachability()
    /// How many cuts of media, or of everything, last at each phone and radio.
    private var cuts: [Int: Int] = [:]
    /// The radios that have no network.
    private var dead: [Int] = []
    private(set) var reachability = Reachability()

    init(_ directory: TraceDirectory) {
        let links = PhoneLinks(directory)
        self.links = links
        var radios: [Int: [Int]] = [:]
        for radio in links.radios.keys.sorted() {
            guard let phone = links.radios[radio] else { continue }
            radios[phone, default: []].append(radio)
        }
        self.radios = radios
    }

    /// Takes a record.
    ///
    /// - Returns: Whether it is one of a path, or of what media pass through.
    mutating func take(_ record: TraceRecord) -> Bool {
        let now = record.instant.nanoseconds
        switch record.kind {
        case PathLost.kind, PathUsable.kind:
            _ = paths.take(record)
            review(record.component, at: now)
        case FaultBegan.kind: return take(FaultBegan(record).fault.value, isOn: true, record)
        case FaultEnded.kind: return take(FaultEnded(record).fault.value, isOn: false, record)
        default: return false
        }
        return true
    }

    /// Whether voice could pass now.
    func reaches(_ app: ComponentIndex) -> Bool { reachability.reaches(app) }

    private mutating func take(
        _ fault: WorldFault?,
        isOn: Bool,
        _ record: TraceRecord
    ) -> Bool {
        let component = Int(record.component.index)
        switch fault {
        case .mediaCut, .blackHole:
            cuts[component] = max(0, (cuts[component] ?? 0) + (isOn ? 1 : -1))
        case .radioDown: dead.append(component)
        case .radioUp: dead.removeAll { $0 == component }
        default: return false
        }
        guard let phone = links.radios[component] ?? links.owners.place(of: record.component) else {
            return false
        }
        for app in links.owners.components(of: ComponentIndex(phone)) {
            review(app, at: record.instant.nanoseconds)
        }
        return true
    }

    private mutating func review(_ app: ComponentIndex, at now: Int64) {
        guard let phone = links.owners.place(of: app) else { return }
        reachability.set(app, isReached: paths.reaches(app) && !isCut(phone), at: now)
    }

    /// Whether media pass through none of a phone's radios.
    private func isCut(_ phone: Int) -> Bool {
        if cuts[phone] ?? 0 > 0 { return true }
        guard let radios = radios[phone] else { return false }
        return radios.allSatisfy { cuts[$0] ?? 0 > 0 || dead.contains($0) }
    }
}
