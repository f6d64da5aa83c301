import ProviderKit

extension RequestFields {
    /// Whether a field is there with a value; `null` is none.
    func hasValue(_ name: String) throws(WireError) -> Bool {
        try value(name).map { !$0.isNull } ?? false
    }

    /// An array of strings; an absent one is empty.
    func strings(_ name: String) throws(WireError) -> [String] {
        try array(name).enumerated().map { index, value throws(WireError) in
            guard let text = value.string else { throw WireError.field("/\(name)/\(index)", "must be string") }
            return text
        }
    }

    /// An array of names of an enumeration, which may stand as their numbers.
    func enumeration<Choice: CaseIterable & RawRepresentable<String> & Hashable>(
        _ name: String, of type: Choice.Type
    ) throws(WireError) -> Set<Choice> {
        let choices = Array(type.allCases)
        var result: Set<Choice> = []
        for (index, value) in try array(name).enumerated() {
            let number = value.integer.flatMap { Int(exactly: $0) }
            let named = value.string.flatMap { text in choices.firstIndex { $0.rawValue.hasSameBytes(as: text) } }
            guard let position = number ?? named, choices.indices.contains(position) else {
                let names = choices.map(\.rawValue).joined(separator: ", ")
                throw WireError.field("/\(name)/\(index)", "must be one of \(names)")
            }
            result.insert(choices[position])
        }
        return result
    }

    private func array(_ name: String) throws(WireError) -> [JSONValue] {
        switch try value(name) {
        case .none, .null: []
        case .array(let values): values
        default: throw WireError.field("/\(name)", "must be array")
        }
    }
}
