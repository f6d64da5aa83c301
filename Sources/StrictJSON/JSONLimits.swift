/// The parser's limits on the size of a document.
public struct JSONLimits: Sendable, Hashable {
    /// The maximum of ``maximumDepth``: deeper nesting may overflow the stack.
    public static let deepest = 256

    /// The default: 32 levels and one mebibyte, more than a valid message needs.
    public static let standard = JSONLimits()

    /// The maximum nesting of arrays and objects. A number alone has depth 0, `[]` depth 1.
    public let maximumDepth: Int

    /// The maximum length of the document in bytes.
    public let maximumBytes: Int

    /// Makes limits; `maximumDepth` is at most ``deepest``.
    public init(maximumDepth: Int = 32, maximumBytes: Int = 1 << 20) {
        self.maximumDepth = min(maximumDepth, Self.deepest)
        self.maximumBytes = maximumBytes
    }
}
