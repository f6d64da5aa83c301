public import StrictJSON

/// Options whose keys are declared, each once: a plugin's options, or an object in them.
///
/// A plugin's ``IdentityProvider/Options`` may be any `Decodable` type. Declared ones are in the schema of `plugins.json`
/// that `broker schema` prints and in `broker config show` as well, with their texts and defaults:
///
/// ```swift
/// struct Options: DeclaredOptions {
///     var clientId = ""
///     var clientSecret: Secret?
///     var scopes: [String] = []
///
///     static let declaration = DeclaredObject<Options>("A client of Acme.", [
///         .key("clientId", \.clientId, "the client ID").required(),
///         .key("clientSecret", \.clientSecret, "the client's secret"),
///         .key("scopes", \.scopes, "the scopes of sign-ins").initially(["profile"]),
///     ])
/// }
/// ```
public protocol DeclaredOptions: DeclaredValue {
    /// The options before any is read.
    init()

    /// The keys.
    static var declaration: DeclaredObject<Self> { get }
}

extension DeclaredOptions {
    /// Objects with the declared keys.
    public static var declaredSchema: JSONObject { declaration.schema }

    /// The object without the text of secrets. What no declaration names is hidden as well.
    public static func hidingSecrets(in value: JSONValue) -> JSONValue { declaration.hidingSecrets(in: value) }

    /// Reads the declared keys.
    ///
    /// - Throws: `JSONDecodingError` for a name that is not declared, with the most similar one, for a key that is
    ///   missing, and for a value of another shape.
    public init(from decoder: any Decoder) throws {
        self.init()
        let value = try decoder.singleValueContainer().decode(JSONValue.self)
        try Self.declaration.read(value, into: &self, at: ValuePlace(of: decoder))
    }
}
