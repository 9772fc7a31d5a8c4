/// Whose each component of a trace is: the phone that it is, or belongs to.
package struct Owners: Sendable {
    private let owners: [ComponentIndex]

    package init(_ directory: TraceDirectory) {
        owners = directory.owners
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
        owners.indices.lazy.map { ComponentIndex($0) }.filter { owners[Int($0.index)] == phone }
    }
}
