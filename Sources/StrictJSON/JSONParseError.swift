/// The reason to refuse a document. Contains no part of the document.
public struct JSONParseError: Error, Sendable, Hashable {
    /// The rule that was broken.
    public enum Kind: String, Sendable, Hashable {
        /// The text does not follow the grammar of RFC 8259.
        case malformed
        /// An object has two members with the same name.
        case duplicateName
        /// Arrays and objects are nested deeper than the limits allow.
        case tooDeep
        /// The document is longer than the limits allow.
        case tooLarge
        /// A string is not UTF-8.
        case invalidUTF8
        /// A string escapes one half of a surrogate pair.
        case loneSurrogate
        /// A string has U+0000.
        case nul
    }

    /// The rule that was broken.
    public let kind: Kind

    /// The offset in bytes from the start of the document.
    public let offset: Int

    /// The fault as text.
    public let reason: String

    /// The line and column of the error in `bytes`, both counted from 1, the column in bytes.
    public func position(in bytes: some Collection<UInt8>) -> (line: Int, column: Int) {
        let lines = bytes.prefix(offset).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return (lines.count, (lines.last?.count ?? 0) + 1)
    }
}

extension JSONParseError: CustomStringConvertible {
    /// The reason and the place, on one line.
    public var description: String { "\(reason) at byte \(offset)" }
}
