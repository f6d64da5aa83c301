/// The parser's limits on a document.
public struct JSONLimits: Sendable, Hashable {
    /// The maximum of ``maximumDepth``: deeper nesting may overflow the stack.
    public static let deepest = 256

    /// The default: 32 levels and one mebibyte, more than a valid message needs.
    public static let standard = JSONLimits()

    /// The limits of a document that was accepted and stored before: where it has U+0000, the replacement character
    /// U+FFFD is read, so that nothing that is made of it is refused.
    package static let stored = JSONLimits().replacingNUL()

    /// The maximum nesting of arrays and objects. A number alone has depth 0, `[]` depth 1.
    public let maximumDepth: Int

    /// The maximum length of the document in bytes.
    public let maximumBytes: Int

    /// Whether U+0000 in a string is read as U+FFFD. Otherwise it refuses the document: PostgreSQL stores no such text,
    /// and programs in C end a text there.
    let replacesNUL: Bool

    /// Makes limits; `maximumDepth` is at most ``deepest``.
    public init(maximumDepth: Int = 32, maximumBytes: Int = 1 << 20) {
        self.init(maximumDepth: min(maximumDepth, Self.deepest), maximumBytes: maximumBytes, replacesNUL: false)
    }

    private init(maximumDepth: Int, maximumBytes: Int, replacesNUL: Bool) {
        self.maximumDepth = maximumDepth
        self.maximumBytes = maximumBytes
        self.replacesNUL = replacesNUL
    }

    /// The same limits for a document that was stored before, as ``stored`` has them.
    package func replacingNUL() -> JSONLimits {
        JSONLimits(maximumDepth: maximumDepth, maximumBytes: maximumBytes, replacesNUL: true)
    }
}
