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

    /// An array of names of an enumeration, which may stand as their numbers; `names` is in that order.
    func enumeration(_ name: String, of names: [String]) throws(WireError) -> Set<String> {
        var result: Set<String> = []
        for (index, value) in try array(name).enumerated() {
            let number = value.integer.flatMap { Int(exactly: $0) }
            guard let position = number ?? value.string.flatMap(names.firstIndex), names.indices.contains(position)
            else { throw WireError.field("/\(name)/\(index)", "must be one of \(names.joined(separator: ", "))") }
            result.insert(names[position])
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
