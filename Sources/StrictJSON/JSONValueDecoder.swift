/// A decoder of `Decodable` types from JSON values, without the coercions of Foundation's decoder.
///
/// Integers are decoded only from integer literals, Booleans only from `true` and `false`, strings only from strings.
/// With ``unknownNames`` refused, a misspelt option is an error with its place and the most similar known name.
public struct JSONValueDecoder: Sendable {
    /// The handling of members that the decoded type does not read.
    public enum UnknownNames: Sendable, Hashable {
        /// They are ignored: for responses of services that add members.
        case ignored
        /// They are an error: for configuration.
        case refused
    }

    /// The handling of members that the decoded type does not read.
    public var unknownNames: UnknownNames

    /// The `userInfo` of the decoder.
    public var userInfo: [CodingUserInfoKey: any Sendable]

    /// Makes a decoder.
    public init(unknownNames: UnknownNames = .ignored, userInfo: [CodingUserInfoKey: any Sendable] = [:]) {
        self.unknownNames = unknownNames
        self.userInfo = userInfo
    }

    /// Decodes `value`.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - value: The document, or a part of it.
    ///   - path: The JSON Pointer of `value` in its document, for errors.
    /// - Returns: The decoded value.
    /// - Throws: ``JSONDecodingError`` with the place.
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
    /// The error of a type's `init(from:)`, with its place.
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
