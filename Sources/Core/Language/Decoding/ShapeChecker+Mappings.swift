extension ShapeChecker {
    mutating func mapping(
        _ node: SyntaxNode,
        as shape: MappingShape,
        besides others: [MappingShape] = []
    ) -> CheckedValue? {
        guard let entries = node.entries else {
            return refuse(node, expected: shape.noun, write: shape.skeleton(for: node))
        }
        var fields: [CheckedField] = []
        var hasUnknown = false
        for entry in entries where !entry.key.hasPrefix("x-") {
            let value: CheckedValue?
            if let field = shape.field(entry.key) {
                value = check(entry.value, as: field.shape)
            } else if shape.takesStatistics, StatisticName.parse(entry.key) != nil {
                value = check(entry.value, as: .bound)
            } else {
                let owners = others.filter { $0.field(entry.key) != nil }.map(\.noun)
                report(
                    owners.isEmpty
                        ? .unknownKey(entry.key, inside: shape.noun, allowed: shape.allowedKeys)
                        : .keyOfOther(entry.key, inside: shape.noun, owners: owners),
                    at: entry.keyPlace
                )
                hasUnknown = true
                continue
            }
            fields.append(CheckedField(key: entry.key, keyPlace: entry.keyPlace, value: value))
        }
        checkPresence(of: fields, in: node, as: shape)
        for field in shape.fields {
            guard case .means(let text) = field.absence,
                !fields.contains(where: { $0.key == field.key })
            else { continue }
            let plain = ScalarText(text: text, isPlain: true)
            let assumed = SyntaxNode(content: .scalar(plain), place: node.place)
            var value = check(assumed, as: field.shape)
            value?.isDefault = true
            fields.append(CheckedField(key: field.key, keyPlace: node.place, value: value))
        }
        return CheckedValue(
            content: .mapping(fields),
            place: node.place,
            lacksUnknownKeys: hasUnknown
        )
    }

    private mutating func checkPresence(
        of fields: [CheckedField],
        in node: SyntaxNode,
        as shape: MappingShape
    ) {
        let present = fields.map(\.key)
        let unknown = (node.entries ?? []).map(\.key).filter {
            !present.contains($0) && !$0.hasPrefix("x-")
        }
        for field in shape.fields where field.absence == .refused && !present.contains(field.key) {
            // A misspelt key has been reported; that it is missing as well helps nobody.
            guard
                !unknown.contains(where: { Suggestion.nearest(to: $0, among: [field.key]) != nil })
            else { continue }
            report(
                .missingKey(field.key, inside: shape.noun, summary: field.summary),
                at: node.place
            )
        }
        if !shape.exactlyOne.isEmpty {
            let chosen = fields.filter { shape.exactlyOne.contains($0.key) }
            if chosen.isEmpty, unknown.isEmpty {
                report(.chooseOne(of: shape.exactlyOne, inside: shape.noun), at: node.place)
            }
            for extra in chosen.dropFirst() {
                report(
                    .excludesEachOther(chosen[0].key, extra.key, inside: shape.noun),
                    at: extra.keyPlace
                )
            }
        }
        for (one, other) in shape.exclusive {
            guard present.contains(one), let clash = fields.last(where: { $0.key == other }) else {
                continue
            }
            report(.excludesEachOther(one, other, inside: shape.noun), at: clash.keyPlace)
        }
    }

    /// Checks values by names that only the sweep knows; several values stand in a list.
    mutating func sweptValues(_ node: SyntaxNode) -> CheckedValue? {
        guard let entries = node.entries else {
            return refuse(node, expected: Shape.sweptValues.expectation)
        }
        let fields = entries.map { entry in
            let nodes: [SyntaxNode]
            if case .sequence(let several) = entry.value.content {
                nodes = several
            } else {
                nodes = [entry.value]
            }
            let values = nodes.compactMap { node -> CheckedValue? in
                guard case .scalar(let scalar) = node.content, !scalar.isNull else {
                    return refuse(node, expected: "a single value")
                }
                return CheckedValue(
                    content: .text(scalar.text),
                    place: node.place,
                    written: scalar.text
                )
            }
            return CheckedField(
                key: entry.key,
                keyPlace: entry.keyPlace,
                value: CheckedValue(content: .list(values), place: entry.value.place)
            )
        }
        return CheckedValue(content: .mapping(fields), place: node.place)
    }

    /// Checks parameters, whose names may be dotted or nested.
    mutating func parameters(
        _ node: SyntaxNode,
        _ catalog: ParameterCatalog,
        of owner: ParameterOwner
    ) -> CheckedValue? {
        guard node.entries != nil else { return refuse(node, expected: "parameters by name") }
        var fields: [CheckedField] = []
        for entry in node.flattened().entries ?? [] where !entry.key.hasPrefix("x-") {
            guard let parameter = catalog[entry.key] else {
                report(
                    .noSuch(.parameter, entry.key, known: catalog.nearby(entry.key)),
                    at: entry.keyPlace
                )
                continue
            }
            if !owner.takes(parameter.scope) {
                report(.parameterOutOfPlace(entry.key, parameter.scope), at: entry.keyPlace)
                continue
            }
            if let first = fields.first(where: { $0.key == entry.key }) {
                report(
                    .duplicateKey(entry.key, first: first.keyPlace.location),
                    at: entry.keyPlace
                )
                continue
            }
            let value = check(entry.value, as: parameter.shape)
            fields.append(CheckedField(key: entry.key, keyPlace: entry.keyPlace, value: value))
        }
        return CheckedValue(content: .mapping(fields), place: node.place)
    }
}

extension SyntaxNode {
    /// The mapping with nested keys joined by dots, as parameters are named.
    func flattened() -> SyntaxNode {
        guard let entries else { return self }
        var flat: [Entry] = []
        for entry in entries {
            let inner = entry.value.flattened()
            guard let nested = inner.entries, !nested.isEmpty else {
                flat.append(entry)
                continue
            }
            for var leaf in nested {
                leaf.key = "\(entry.key).\(leaf.key)"
                flat.append(leaf)
            }
        }
        return SyntaxNode(content: .mapping(flat), place: place)
    }
}

extension MappingShape {
    /// The mapping that something else stands for, with the key that it names or those it needs.
    fileprivate func skeleton(for node: SyntaxNode) -> String? {
        let word: String? =
            switch node.content {
            case .scalar(let scalar): scalar.text
            case .sequence(let nodes): nodes.first?.text
            case .mapping: nil
            }
        if let word, field(word) != nil { return "{ \(word): … }" }
        let needed = fields.filter { $0.absence == .refused }.map { "\($0.key): …" }
        return needed.isEmpty ? nil : "{ \(needed.joined(separator: ", ")) }"
    }
}

extension SyntaxNode {
    /// What is written, if it is a single value.
    fileprivate var text: String? {
        guard case .scalar(let scalar) = content else { return nil }
        return scalar.text
    }
}
