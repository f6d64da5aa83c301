extension JSONValue {
    /// Parses a document.
    ///
    /// - Parameters:
    ///   - bytes: The document in UTF-8, without a byte order mark.
    ///   - limits: How large and how deep it may be.
    /// - Throws: ``JSONParseError`` for violations of RFC 8259, duplicate names, lone surrogates, U+0000 and exceeded
    ///   limits.
    public init(parsing bytes: some Collection<UInt8>, limits: JSONLimits = .standard) throws(JSONParseError) {
        guard bytes.count <= limits.maximumBytes else {
            throw JSONParseError(
                kind: .tooLarge, offset: limits.maximumBytes, reason: "more than \(limits.maximumBytes) bytes")
        }
        var parser = JSONParser(Array(bytes), limits: limits)
        self = try parser.parseDocument()
    }

    /// Parses a document from text.
    ///
    /// - Parameters:
    ///   - text: The document.
    ///   - limits: How large and how deep it may be.
    /// - Throws: ``JSONParseError``, as for bytes.
    public init(parsing text: String, limits: JSONLimits = .standard) throws(JSONParseError) {
        try self.init(parsing: text.utf8, limits: limits)
    }
}
