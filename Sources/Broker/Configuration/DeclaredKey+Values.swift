import ProviderKit

extension DeclaredKey {
    /// A key whose values say their schema.
    static func declared<Value: DeclaredValue>(
        _ name: String, _ type: Value.Type, _ text: String,
        set: @escaping @Sendable (inout Root, Value, ValuePlace) throws -> Void
    ) -> DeclaredKey {
        let declaration = KeyDeclaration(
            name: name, text: text, schema: Value.declaredSchema, hideSecrets: Value.hidingSecrets(in:))
        return DeclaredKey(declaration) { value, root, place in
            try set(&root, place.decode(type, from: value), place)
        }
    }

    /// A key whose values `Value` decodes.
    static func value<Value: Decodable>(
        _ name: String, _ type: Value.Type, schema: JSONObject, _ text: String,
        set: @escaping @Sendable (inout Root, Value, ValuePlace) throws -> Void
    ) -> DeclaredKey {
        DeclaredKey(KeyDeclaration(name: name, text: text, schema: schema)) { value, root, place in
            try set(&root, place.decode(type, from: value), place)
        }
    }

    /// A whole number.
    ///
    /// - Parameters:
    ///   - name: The path.
    ///   - range: The numbers that are taken.
    ///   - zero: What 0 does, as in "Write 0 for no limit."; without it 0 is a number like others.
    ///   - initial: The value without the key.
    ///   - text: What it is.
    ///   - set: Takes the number; nil for 0 where that has its own meaning.
    /// - Returns: The key.
    static func integer(
        _ name: String, _ range: ClosedRange<Int>, orZero zero: String? = nil, initially initial: Int? = nil,
        _ text: String, set: @escaping @Sendable (inout Root, Int?) -> Void
    ) -> DeclaredKey {
        declared(name, Int.self, text) { root, number, _ in
            set(&root, number == 0 && zero != nil ? nil : number)
        }.range(range, orZero: zero).initially(ifAny: initial.map { .integer($0) })
    }

    /// A number of days.
    static func days(
        _ name: String, _ range: ClosedRange<Int>, orZero zero: String? = nil, initially initial: Duration?,
        _ text: String, set: @escaping @Sendable (inout Root, Duration?) -> Void
    ) -> DeclaredKey {
        let days = initial.map { Int($0.components.seconds / 86_400) }
        return integer(name, range, orZero: zero, initially: days, text) { root, days in
            set(&root, days.map { .seconds($0 * 86_400) })
        }
    }

    /// `true` or `false`.
    static func flag(
        _ name: String, initially initial: Bool?, _ text: String,
        set: @escaping @Sendable (inout Root, Bool) -> Void
    ) -> DeclaredKey {
        declared(name, Bool.self, text) { root, flag, _ in set(&root, flag) }
            .initially(ifAny: initial.map(JSONValue.bool))
    }

    /// Text.
    static func text(
        _ name: String, initially initial: String? = nil, _ text: String,
        set: @escaping @Sendable (inout Root, String, ValuePlace) throws -> Void
    ) -> DeclaredKey {
        declared(name, String.self, text, set: set).initially(ifAny: initial.map(JSONValue.string))
    }

    /// A list of texts.
    static func texts(
        _ name: String, _ text: String,
        set: @escaping @Sendable (inout Root, [String], ValuePlace) throws -> Void
    ) -> DeclaredKey {
        declared(name, [String].self, text, set: set)
    }

    /// One of the cases of an enumeration, by its raw value.
    static func choice<Choice: RawRepresentable & CaseIterable & Sendable>(
        _ name: String, _ type: Choice.Type, initially initial: Choice? = nil, _ text: String,
        set: @escaping @Sendable (inout Root, Choice) -> Void
    ) -> DeclaredKey where Choice.RawValue == String {
        let names = Choice.allCases.map(\.rawValue)
        return value(name, String.self, schema: ["enum": .array(names.map(JSONValue.string))], text) {
            root, name, place in
            guard let choice = Choice(rawValue: name) else {
                throw place.error("must be one of \(names.map { "\"\($0)\"" }.joined(separator: ", ")).")
            }
            set(&root, choice)
        }.initially(ifAny: initial.map { .string($0.rawValue) })
    }

    /// A list of objects with declared keys of their own.
    static func list<Item: Sendable>(
        _ name: String, of items: DeclaredObject<Item>, initially item: Item, _ text: String,
        set: @escaping @Sendable (inout Root, [Item]) -> Void
    ) -> DeclaredKey {
        let schema: JSONObject = ["type": "array", "items": .object(items.schema)]
        return value(name, [JSONValue].self, schema: schema, text) { root, values, place in
            var result: [Item] = []
            for (index, value) in values.enumerated() {
                var read = item
                try items.read(value, into: &read, at: place.below([String(index)]))
                result.append(read)
            }
            set(&root, result)
        }
    }

    private func initially(ifAny value: JSONValue?) -> DeclaredKey { with { $0.declaration.initialValue = value } }

    func environment(_ variable: String) -> DeclaredKey { with { $0.declaration.environment = variable } }
    func forSection() -> DeclaredKey { with { $0.declaration.standsForSection = true } }
}
