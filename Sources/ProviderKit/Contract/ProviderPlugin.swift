/// A provider type as a build of the broker lists it: `BrokerProgram.run(plugins: [.github, .acme])`.
public struct ProviderPlugin: Sendable {
    /// What `plugins.json` selects the plugin by.
    public let kind: ProviderKind
    /// The provider's public service, when it has one.
    public let publicInstance: PublicInstance?
    private let make: @Sendable (JSONValue, JSONValueDecoder, String, ProviderContext) throws -> any IdentityProvider

    /// The plugin behind a provider type.
    public init<Provider: IdentityProvider>(_ type: Provider.Type) {
        kind = Provider.kind
        publicInstance = Provider.publicInstance
        make = { options, decoder, path, context in
            try Provider(decoder.decode(Provider.Options.self, from: options, at: path), in: context)
        }
    }

    /// Makes a configured instance.
    ///
    /// - Parameters:
    ///   - options: The entry's `options`.
    ///   - decoder: Decodes them; refuses unknown names when it is told to.
    ///   - path: Where the options stand in the file, as a JSON Pointer, for messages.
    ///   - context: What the instance works with.
    /// - Returns: The instance, which has not touched the network yet.
    /// - Throws: `JSONDecodingError` when the options have the wrong shape, ``ProviderError`` when they make no sense.
    public func provider(
        options: JSONValue, decoder: JSONValueDecoder, path: String, in context: ProviderContext
    ) throws -> any IdentityProvider {
        try make(options, decoder, path, context)
    }
}
