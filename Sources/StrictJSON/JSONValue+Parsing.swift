extension JSONValue {
    /// Reads a whole document.
    ///
    /// - Parameters:
    ///   - bytes: The document in UTF-8, without a byte order mark.
    ///   - limits: How large and how deep it may be.
    /// - Throws: ``JSONParseError`` for whatever RFC 8259 does not allow, for names that occur twice in one object,
    ///   for lone surrogates, and beyond the limits.
    public init(parsing bytes: some Collection<UInt8>, limits: JSONLimits = .standard) throws(JSONParseError) {
        guard bytes.count <= limits.maximumBytes else {
            throw JSONParseError(
                kind: .tooLarge, offset: limits.maximumBytes, reason: "more than \(limits.maximumBytes) bytes")
        }
        var parser = JSONParser(Array(bytes), maximumDepth: limits.maximumDepth)
        self = try parser.parseDocument()
    }

    /// Reads a whole document from text.
    ///
    /// - Parameters:
    ///   - text: The document.
    ///   - limits: How large and how deep it may be.
    /// - Throws: ``JSONParseError``, as for bytes.
    public init(parsing text: String, limits: JSONLimits = .standard) throws(JSONParseError) {
        try self.init(parsing: text.utf8, limits: limits)
    }
}
