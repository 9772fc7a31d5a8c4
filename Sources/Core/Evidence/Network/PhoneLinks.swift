/// Two phones, in either order.
package struct PhonePair: Hashable {
    package let first: Int
    package let second: Int

    package init(_ one: Int, _ other: Int) {
        first = min(one, other)
        second = max(one, other)
    }
}

/// Which components of a trace are links, and of whom.
package struct PhoneLinks {
    /// The two phones of each component that is a link between phones.
    package let ends: [Int: (Int, Int)]
    /// The phone of each component that is a phone's way to the Internet.
    package let radios: [Int: Int]
    /// Each phone's ways to the Internet, ascending.
    package let radiosOfPhone: [Int: [Int]]
    /// The link between two phones.
    package let between: [PhonePair: Int]
    package let owners: Owners

    /// The components that are phones: those with a link, a way to the Internet or an app, ascending.
    package var phones: [Int] {
        let linked = Set(ends.values.flatMap { [$0.0, $0.1] }).union(radios.values)
        return owners.phones.filter {
            linked.contains($0) || owners.components(of: ComponentIndex($0)).count > 1
        }
    }

    package init(_ directory: TraceDirectory) {
        var ends: [Int: (Int, Int)] = [:]
        var radios: [Int: Int] = [:]
        let indices = Dictionary(
            zip(directory.names.map { $0[...] }, directory.names.indices),
            uniquingKeysWith: { first, _ in first }
        )
        for (index, name) in directory.names.enumerated()
        where name.utf8.contains(UInt8(ascii: "/")) {
            let parts = name.split(separator: "/")
            let phones = parts.compactMap { indices[$0] }
            if phones.count == 2 {
                ends[index] = (phones[0], phones[1])
            } else if parts.count == 2, let phone = indices[parts[0]] {
                radios[index] = phone
            }
        }
        var radiosOfPhone: [Int: [Int]] = [:]
        for (radio, phone) in radios.sorted(by: { $0.key < $1.key }) {
            radiosOfPhone[phone, default: []].append(radio)
        }
        var between: [PhonePair: Int] = [:]
        for (link, phones) in ends { between[PhonePair(phones.0, phones.1)] = link }
        (self.ends, self.radios, self.radiosOfPhone) = (ends, radios, radiosOfPhone)
        self.between = between
        owners = Owners(directory)
    }
}
