import ProviderKit

extension ConfiguredProvider {
    /// Whether users can be sent there with a browser.
    var hasPage: Bool { provider is any RedirectSignIn && provider.accepts.contains(.authorizationCode) }
}

extension ProviderDirectory {
    /// The providers users can be sent to with a browser.
    var withPage: [ConfiguredProvider] { providers.filter(\.hasPage) }
}
