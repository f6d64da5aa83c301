package import StrictJSON

/// The place of a value that is being read.
package struct ValuePlace: Sendable {
    /// The file, or the variable.
    package let source: String
    /// A JSON Pointer in the file.
    package private(set) var pointer: String
    /// Resolves relative paths.
    package let resolve: @Sendable (String) -> String
    package private(set) var secrets: SecretSource
    /// Whether a variable has the value.
    package var isVariable = false
    let unknownNames: JSONValueDecoder.UnknownNames

    package init(
        source: String, pointer: String, resolve: @escaping @Sendable (String) -> String, secrets: SecretSource,
        unknownNames: JSONValueDecoder.UnknownNames = .refused
    ) {
        self.source = source
        self.pointer = pointer
        self.resolve = resolve
        self.secrets = secrets
        self.unknownNames = unknownNames
    }

    /// The place of the value that `decoder` decodes.
    init(of decoder: any Decoder) {
        let place = decoder.jsonPlace
        self.init(
            source: "", pointer: place?.pointer ?? "", resolve: { $0 },
            secrets: (decoder.userInfo[.secretSource] as? SecretSource ?? SecretSource())
                .below(decoder.codingPath.map(\.stringValue)),
            unknownNames: place?.unknownNames ?? .refused)
    }

    package func below(_ names: [String]) -> ValuePlace {
        var place = self
        place.pointer = names.reduce(pointer) { JSONDecodingError.pointer(to: $1, below: $0) }
        place.secrets = secrets.below(names)
        return place
    }

    /// - Throws: `JSONDecodingError` for a value of another shape.
    package func decode<Value: Decodable>(
        _ type: Value.Type, from value: JSONValue
    ) throws(JSONDecodingError) -> Value {
        let decoder = JSONValueDecoder(unknownNames: unknownNames, userInfo: [.secretSource: secrets])
        return try decoder.decode(type, from: value, at: pointer)
    }

    func invalid(_ reason: String) -> JSONDecodingError {
        JSONDecodingError(path: pointer, kind: .invalid(reason: reason))
    }
}

/// The value of a variable that has another shape than its key.
package struct VariableError: Error {
    package let variable: String
    package let error: JSONDecodingError
}
