/// How large a document the parser takes on.
public struct JSONLimits: Sendable, Hashable {
    /// The deepest nesting any limits can allow, whatever was asked for: beyond it the stack itself is at risk.
    public static let deepest = 256

    /// 32 levels and one mebibyte: more than any honest message between a client, the broker and a provider.
    public static let standard = JSONLimits()

    /// How many arrays and objects may be open at once. A lone number is at depth 0, `[]` at depth 1.
    public let maximumDepth: Int

    /// The length of the document in bytes.
    public let maximumBytes: Int

    /// Makes limits; `maximumDepth` is cut to ``deepest``.
    public init(maximumDepth: Int = 32, maximumBytes: Int = 1 << 20) {
        self.maximumDepth = min(maximumDepth, Self.deepest)
        self.maximumBytes = maximumBytes
    }
}
