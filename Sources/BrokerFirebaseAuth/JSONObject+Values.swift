import StrictJSON

extension JSONObject {
    /// The members as Foundation's JSON has them; those without a value are left out.
    var values: [String: any Sendable] {
        Dictionary(compactMap { name, value in value.foundationValue.map { (name, $0) } }) { first, _ in first }
    }
}

extension JSONValue {
    fileprivate var foundationValue: (any Sendable)? {
        switch self {
        case .null: nil
        case .bool(let value): value
        case .number: integer.map { Int($0) } ?? number?.double
        case .string(let value): value
        case .array(let values): values.compactMap(\.foundationValue)
        case .object(let members): members.values
        }
    }
}
