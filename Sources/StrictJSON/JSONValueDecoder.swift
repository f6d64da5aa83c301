/// Makes `Decodable` types of documents, without the coercions of Foundation's decoder.
///
/// Integers come from integer literals only, truth values from `true` and `false` only, and nothing is ever a string
/// that was not written as one. With ``unknownNames`` refused, a misspelt option is an error that says where it stands
/// and what was probably meant.
public struct JSONValueDecoder: Sendable {
    /// What becomes of members that the decoded type does not ask for.
    public enum UnknownNames: Sendable, Hashable {
        /// They are left alone: right for answers of services that grow.
        case ignored
        /// They are an error: right for configuration.
        case refused
    }

    /// What becomes of members that the decoded type does not ask for.
    public var unknownNames: UnknownNames

    /// What types find in their decoder's `userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable]

    /// Makes a decoder.
    public init(unknownNames: UnknownNames = .ignored, userInfo: [CodingUserInfoKey: any Sendable] = [:]) {
        self.unknownNames = unknownNames
        self.userInfo = userInfo
    }

    /// Decodes `value`.
    ///
    /// - Parameters:
    ///   - type: What to make of it.
    ///   - value: The document, or the part of it that describes one `type`.
    ///   - path: The JSON Pointer of `value` in its document, for errors.
    /// - Returns: The decoded value.
    /// - Throws: ``JSONDecodingError``; it names the place.
    public func decode<T: Decodable>(
        _ type: T.Type, from value: JSONValue, at path: String = ""
    ) throws(JSONDecodingError) -> T {
        let root = JSONDecodingPath.root(path)
        let usage = unknownNames == .refused ? JSONNameUsage() : nil
        let scope = JSONDecodingScope(value, at: root, usage: usage, userInfo: userInfo)
        let decoded: T
        do {
            decoded = try scope.decode(type)
        } catch {
            throw JSONDecodingError(error, root: root)
        }
        if let error = usage?.firstUnknownName(in: value, at: root) { throw error }
        return decoded
    }
}

extension JSONDecodingError {
    /// What a type's `init(from:)` threw, as an error with a place.
    fileprivate init(_ error: any Error, root: JSONDecodingPath) {
        switch error {
        case let error as JSONDecodingError: self = error
        case DecodingError.keyNotFound(let key, let context):
            self.init(context, root: root.appending(context.codingPath + [key]), kind: .missing)
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            let place = root.appending(context.codingPath)
            self.init(context, root: place, kind: .invalid(reason: context.debugDescription))
        default: self.init(path: root.pointer, kind: .invalid(reason: "\(error)"))
        }
    }

    private init(_ context: DecodingError.Context, root: JSONDecodingPath, kind: Kind) {
        self = context.underlyingError as? JSONDecodingError ?? JSONDecodingError(path: root.pointer, kind: kind)
    }
}
