public import StrictJSON

/// A declared key, with the way it is read into `Root`.
@dynamicMemberLookup
public struct DeclaredKey<Root: Sendable>: Sendable {
    /// What is declared of it.
    public package(set) var declaration: KeyDeclaration
    /// The initial value of an object that was read, where it depends on others.
    package var derivedValue: (@Sendable (Root) -> JSONValue?)?
    package let read: Reading

    /// Reads a value; the place is the value's.
    package typealias Reading = @Sendable (JSONValue, inout Root, ValuePlace) throws -> Void

    package init(_ declaration: KeyDeclaration, read: @escaping Reading) {
        self.declaration = declaration
        self.read = read
    }

    /// The names on the way to it. Every start reads them for each key and name of a file, which key paths would slow down.
    package var path: [String] { declaration.path }

    /// A part of the declaration.
    public subscript<Value>(dynamicMember member: KeyPath<KeyDeclaration, Value>) -> Value {
        declaration[keyPath: member]
    }
}

extension DeclaredKey {
    /// A key whose values are of a type that says its schema: text, Booleans, whole numbers, ``Secret``, enumerations,
    /// ``DeclaredOptions``, and lists, dictionaries and optionals of them.
    ///
    /// Without ``required()`` and ``initially(_:)`` an object that does not have the key leaves the member as it is.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - member: Takes the value.
    ///   - text: What it is: part of a sentence, such as `the client ID of the app`.
    /// - Returns: The key.
    public static func key<Value: DeclaredValue>(
        _ name: String, _ member: any WritableKeyPath<Root, Value> & Sendable, _ text: String
    ) -> DeclaredKey {
        let declaration = KeyDeclaration(
            name: name, text: text, schema: Value.declaredSchema, hideSecrets: Value.hidingSecrets(in:))
        return DeclaredKey(declaration) { value, root, place in
            root[keyPath: member] = try place.decode(Value.self, from: value)
        }
    }

    /// The key as one that an object must have.
    public func required() -> DeclaredKey { required(.required) }

    /// The key with the value that counts where an object does not have it.
    public func initially(_ value: JSONValue) -> DeclaredKey { with { $0.declaration.initialValue = value } }

    /// The key with words for what counts where an object does not have it, as it depends on others.
    ///
    /// - Parameters:
    ///   - words: Such as `derived from url`.
    ///   - value: The value that counts, of an object that was read.
    /// - Returns: The key.
    public func initially(
        inWords words: String, as value: (@Sendable (Root) -> JSONValue?)? = nil
    ) -> DeclaredKey {
        with { ($0.declaration.initialText, $0.derivedValue) = (words, value) }
    }

    /// The key with a value for the documentation.
    public func example(_ value: JSONValue) -> DeclaredKey { with { $0.declaration.example = value } }

    /// The key with a range of its whole numbers. Others are refused.
    ///
    /// - Parameters:
    ///   - range: The numbers.
    ///   - zero: What 0 does, as in `for no requests`, if it is taken as well.
    /// - Returns: The key.
    public func range(_ range: ClosedRange<Int>, orZero zero: String? = nil) -> DeclaredKey {
        let read = read
        var key = DeclaredKey(declaration) { value, root, place in
            if let number = value.integer, !(number == 0 && zero != nil), !range.contains(Int(number)) {
                let otherwise = zero.map { ". Write 0 \($0)" } ?? ""
                throw place.invalid("must be between \(range.lowerBound) and \(range.upperBound)\(otherwise)")
            }
            try read(value, &root, place)
        }
        key.derivedValue = derivedValue
        key.declaration.schema = Self.numbers(range, orZero: zero != nil)
        return key
    }

    /// The schema of whole numbers.
    package static func numbers(_ range: ClosedRange<Int>, orZero: Bool) -> JSONObject {
        let numbers: JSONObject = [
            "type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound),
        ]
        return orZero ? ["anyOf": [["const": 0], .object(numbers)]] : numbers
    }

    /// The key with further keywords of JSON Schema, for editors: they tell what the plugin checks when an instance is
    /// made.
    public func narrowed(by keywords: JSONObject) -> DeclaredKey {
        with { key in
            for (name, value) in keywords { key.declaration.schema[name] = value }
        }
    }

    package func required(_ presence: KeyPresence) -> DeclaredKey { with { $0.declaration.presence = presence } }

    package func with(_ change: (inout DeclaredKey) -> Void) -> DeclaredKey {
        var key = self
        change(&key)
        return key
    }

    /// The key as one of a whole, of which `Root` is a part.
    package func of<Whole: Sendable>(
        _ part: any WritableKeyPath<Whole, Root> & Sendable
    ) -> DeclaredKey<Whole> {
        let readPart = read
        var key = DeclaredKey<Whole>(declaration) { value, whole, place in
            try readPart(value, &whole[keyPath: part], place)
        }
        if let derivedValue { key.derivedValue = { derivedValue($0[keyPath: part]) } }
        return key
    }
}
