/// A provider type in a build's list of plugins: `BrokerProgram.run(plugins: [.github, .acme])`.
public struct ProviderPlugin: Sendable {
    /// The name that selects the plugin in `plugins.json`.
    public let kind: ProviderKind
    /// The provider's public service, when it has one.
    public let publicInstance: PublicInstance?
    /// Whether the provider's grants can be revoked (``GrantRevocation``).
    public var revokesGrants: Bool { hasRevocation() }
    private let hasRevocation: @Sendable () -> Bool
    private let make: @Sendable (JSONValue, JSONValueDecoder, String, ProviderContext) throws -> any IdentityProvider

    /// Makes the plugin of a provider type.
    public init<Provider: IdentityProvider>(_ type: Provider.Type) {
        kind = Provider.kind
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
