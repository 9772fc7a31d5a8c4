/// Whose each component of a trace is: the phone that it is, or belongs to.
package struct Owners: Sendable {
    private let owners: [ComponentIndex]
    /// The components by the phone that each is or belongs to, ascending, and where each phone's begin.
    private let sorted: [ComponentIndex]
    private let starts: [Int32]

    package init(_ directory: TraceDirectory) {
        let owners = directory.owners
        var starts = Array(repeating: Int32(0), count: owners.count + 1)
        for owner in owners { starts[Int(owner.index) + 1] += 1 }
        for index in owners.indices { starts[index + 1] += starts[index] }
        var (next, sorted) = (starts, owners)
        for (index, owner) in owners.enumerated() {
            sorted[Int(next[Int(owner.index)])] = ComponentIndex(index)
            next[Int(owner.index)] += 1
        }
        (self.owners, self.sorted, self.starts) = (owners, sorted, starts)
    }

    /// How many components there are.
    package var count: Int { owners.count }

    /// The places of the components that belong to none but themselves: phones and others.
    package var phones: [Int] { owners.indices.filter { Int(owners[$0].index) == $0 } }

    /// The phone that a component is or belongs to; the component itself if it is none of the trace's.
    package func phone(of component: ComponentIndex) -> ComponentIndex {
        place(of: component).map { ComponentIndex($0) } ?? component
    }

    /// The place of that phone among the components.
    package func place(of component: ComponentIndex) -> Int? {
        let index = Int(component.index)
        return index < owners.count ? Int(owners[index].index) : nil
    }

    /// A phone and what belongs to it.
    package func components(of phone: ComponentIndex) -> [ComponentIndex] {
        let index = Int(phone.index)
        guard index < owners.count else { return [] }
        return Array(sorted[Int(starts[index])..<Int(starts[index + 1])])
    }
}
