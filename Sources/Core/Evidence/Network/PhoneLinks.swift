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
    package let owners: Owners

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
        self.ends = ends
        self.radios = radios
        owners = Owners(directory)
    }
}
