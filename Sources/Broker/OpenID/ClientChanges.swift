package import BrokerStore

/// Changes of a registered client; `nil` leaves a property as it is.
package struct ClientChanges: Sendable, Equatable {
    package var name: String?
    /// Takes the place of all redirect URIs.
    package var redirectURIs: [String]?
    /// Takes the place of all post-logout redirect URIs.
    package var postLogoutRedirectURIs: [String]?
    package var pkce: Client.PKCE?
    package var receivesProviderTokens: Bool?
    /// An empty text removes it.
    package var backChannelLogoutURI: String?
    package var backChannelLogoutRequiresSession: Bool?
    package var isFirstParty: Bool?
    package var presentation: ClientPresentation.Changes

    package init(
        name: String? = nil, redirectURIs: [String]? = nil, postLogoutRedirectURIs: [String]? = nil,
        pkce: Client.PKCE? = nil, receivesProviderTokens: Bool? = nil,
        backChannelLogoutURI: String? = nil, backChannelLogoutRequiresSession: Bool? = nil,
        isFirstParty: Bool? = nil, presentation: ClientPresentation.Changes = .init()
    ) {
        self.name = name
        self.redirectURIs = redirectURIs
        self.postLogoutRedirectURIs = postLogoutRedirectURIs
        self.pkce = pkce
        self.receivesProviderTokens = receivesProviderTokens
        self.backChannelLogoutURI = backChannelLogoutURI
        self.backChannelLogoutRequiresSession = backChannelLogoutRequiresSession
        self.isFirstParty = isFirstParty
        self.presentation = presentation
    }
}
