/// A provider type in a build's list of plugins: `BrokerProgram.run(plugins: [.github, .acme])`.
public struct ProviderPlugin: Sendable {
    /// The name that selects the plugin in `plugins.json`.
    public let kind: ProviderKind
    /// What users call the provider, when it is one.
    package let displayName: String?
    /// The provider's public service, when it has one.
    public let publicInstance: PublicInstance?
    /// Whether the provider's grants can be revoked (``GrantRevocation``).
    public var revokesGrants: Bool { hasRevocation() }
    private let hasRevocation: @Sendable () -> Bool
    private let make: @Sendable (JSONValue, JSONValueDecoder, String, ProviderContext) throws -> any IdentityProvider
    /// What its options declare; nil where they are not ``DeclaredOptions``.
    package var options: OptionsDeclaration? { declareOptions() }
    private let declareOptions: @Sendable () -> OptionsDeclaration?

    /// Makes the plugin of a provider type.
    public init<Provider: IdentityProvider>(_ type: Provider.Type) {
        self.init(type) { nil }
    }

    /// Makes the plugin of a provider type with declared options.
    public init<Provider: IdentityProvider>(_ type: Provider.Type) where Provider.Options: DeclaredOptions {
        self.init(type) { OptionsDeclaration(Provider.Options.declaration) }
    }

    private init<Provider: IdentityProvider>(
        _ type: Provider.Type, options: @escaping @Sendable () -> OptionsDeclaration?
    ) {
        declareOptions = options
        kind = Provider.kind
        displayName = Provider.displayName
        publicInstance = Provider.publicInstance
        // A search through all conformances of the program, which the start does not need.
        hasRevocation = { Provider.self is any GrantRevocation.Type }
        make = { options, decoder, path, context in
            try Provider(decoder.decode(Provider.Options.self, from: options, at: path), in: context)
        }
    }

    /// Makes a configured instance.
    ///
    /// - Parameters:
    ///   - options: The entry's `options`.
    ///   - decoder: The decoder of the options, which may refuse unknown names.
    ///   - path: The JSON Pointer of the options in the file, for messages.
    ///   - context: The broker's services for the instance.
    /// - Returns: The instance, made without network access.
    /// - Throws: `JSONDecodingError` when the options have the wrong shape, ``ProviderError`` when a value is invalid.
    public func provider(
        options: JSONValue, decoder: JSONValueDecoder, path: String, in context: ProviderContext
    ) throws -> any IdentityProvider {
        try make(options, decoder, path, context)
    }
}

/// What a plugin declares of its options, without their type.
package struct OptionsDeclaration: Sendable {
    package let keys: [KeyDeclaration]
    package let schema: JSONObject
    private let hideSecrets: @Sendable (JSONValue) -> JSONValue

    package init<Options>(_ options: DeclaredObject<Options>) {
        keys = options.keys.map(\.declaration)
        schema = options.schema
        hideSecrets = options.hidingSecrets(in:)
    }

    /// The options without the text of secrets.
    package func hidingSecrets(in options: JSONValue) -> JSONValue { hideSecrets(options) }
}
