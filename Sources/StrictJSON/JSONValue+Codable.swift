extension JSONValue: Codable {
    /// Takes the decoder's value. Only ``JSONValueDecoder`` supports this: other decoders do not preserve literals.
    public init(from decoder: any Decoder) throws {
        guard let scope = decoder as? JSONDecodingScope else {
            let context = DecodingError.Context(
                codingPath: decoder.codingPath, debugDescription: "JSONValue decodes through JSONValueDecoder only")
            throw DecodingError.dataCorrupted(context)
        }
        self = try scope.decode(JSONValue.self)
    }

    /// Encodes the value. Numbers that are not 64-bit integers are encoded as `Double`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let bool): try container.encode(bool)
        case .number(let number): try container.encode(number)
        case .string(let string): try container.encode(string)
        case .array(let elements): try container.encode(elements)
        case .object(let object): try container.encode(object)
        }
    }

    /// Parses a document and decodes it.
    ///
    /// - Throws: ``JSONParseError`` or ``JSONDecodingError``.
    public static func decode<T: Decodable>(
        _ type: T.Type, parsing bytes: some Collection<UInt8>, limits: JSONLimits = .standard,
        unknownNames: JSONValueDecoder.UnknownNames = .ignored
    ) throws -> T {
        try JSONValueDecoder(unknownNames: unknownNames).decode(type, from: JSONValue(parsing: bytes, limits: limits))
    }
}

extension JSONNumber: Codable {
    /// Takes the number with its literal from ``JSONValueDecoder``.
    public init(from decoder: any Decoder) throws {
        guard let number = try JSONValue(from: decoder).number else {
            throw DecodingError.mismatch(JSONNumber.self, expected: "number", in: decoder)
        }
        self = number
    }

    /// Encodes the number as a 64-bit integer or as a `Double`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let integer { return try container.encode(integer) }
        guard let double else {
            let context = EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "number out of range")
            throw EncodingError.invalidValue(literal, context)
        }
        try container.encode(double)
    }
}

extension JSONObject: Codable {
    /// Takes the object from ``JSONValueDecoder``.
    public init(from decoder: any Decoder) throws {
        guard let object = try JSONValue(from: decoder).object else {
            throw DecodingError.mismatch(JSONObject.self, expected: "object", in: decoder)
        }
        self = object
    }

    /// Encodes the members; the encoder determines their order.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: JSONDecodingPath.Key.self)
        for (name, value) in self { try container.encode(value, forKey: JSONDecodingPath.Key(name)) }
    }
}

extension DecodingError {
    fileprivate static func mismatch(_ type: Any.Type, expected: String, in decoder: any Decoder) -> DecodingError {
        (decoder as? JSONDecodingScope)?.mismatch(type, expected: expected)
            ?? .dataCorrupted(Context(codingPath: decoder.codingPath, debugDescription: "expected \(expected)"))
    }
}
