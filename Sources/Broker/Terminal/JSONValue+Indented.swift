package import ProviderKit

extension JSONValue {
    /// The value as indented text: two spaces a level, arrays of scalars on one line.
    package func indented(_ level: Int = 0) -> String {
        let inner = String(repeating: "  ", count: level + 1)
        let outer = String(repeating: "  ", count: level)
        switch self {
        case .object(let object) where !object.isEmpty:
            let members = object.map { name, value in
                "\(inner)\(JSONValue.string(name).serialized()): \(value.indented(level + 1))"
            }
            return "{\n" + members.joined(separator: ",\n") + "\n\(outer)}"
        case .array(let elements) where elements.contains(where: { $0.object != nil || $0.array != nil }):
            return "[\n" + elements.map { inner + $0.indented(level + 1) }.joined(separator: ",\n") + "\n\(outer)]"
        case .array(let elements): return "[" + elements.map { $0.serialized() }.joined(separator: ", ") + "]"
        default: return serialized()
        }
    }
}
