package import BrokerStore
import Foundation

/// The validated registration of a client.
package struct ClientRegistration: Sendable {
    let kind: Client.Kind
    let name: String
    let redirectURIs: [RedirectURI]
    let postLogoutRedirectURIs: [RedirectURI]
    let algorithm: Client.Algorithm
    let pkce: Client.PKCE
    let receivesProviderTokens: Bool
    let backChannelLogout: Client.BackChannelLogout?
    let isFirstParty: Bool
    let presentation: ClientPresentation

    /// - Parameters:
    ///   - kind: What kind of app it is.
    ///   - name: The name on pages: 1 to 100 characters on one line.
    ///   - redirectURIs: Where codes may be sent; public clients have one at least.
    ///   - postLogoutRedirectURIs: Where browsers may be sent after signing out.
    ///   - algorithm: What its tokens are signed with.
    ///   - pkce: Whether it has to use PKCE; only confidential clients may do without.
    ///   - receivesProviderTokens: Whether it gets the access token of the user's provider with its own.
    ///   - backChannelLogout: Where its logout tokens are posted to (OpenID Connect Back-Channel Logout 1.0 §2.2).
    ///   - isFirstParty: Whether it is the operator's own app, which gets custom claims without asking.
    ///   - presentation: What the hosted pages show of it.
    /// - Throws: ``AdminFailure``.
    package init(
        kind: Client.Kind, name: String, redirectURIs: [String], postLogoutRedirectURIs: [String] = [],
        algorithm: Client.Algorithm = .es256, pkce: Client.PKCE = .required,
        receivesProviderTokens: Bool = false, backChannelLogout: Client.BackChannelLogout? = nil,
        isFirstParty: Bool = false, presentation: ClientPresentation = ClientPresentation()
    ) throws(AdminFailure) {
        guard DisplayName.isOne(name) else {
            throw AdminFailure.invalidClient("A name has 1 to 100 characters on one line.")
        }
        guard kind != .public || !redirectURIs.isEmpty else {
            throw AdminFailure.invalidClient(
                "A public client needs a redirect URI: nothing else says that a code is its own.")
        }
        guard pkce == .required || kind == .confidential else {
            throw AdminFailure.invalidClient(
                "PKCE is optional for confidential clients only: a \(kind.rawValue) one has no secret.")
        }
        self.kind = kind
        self.name = name
        self.redirectURIs = try Self.checked(redirectURIs, for: kind)
        self.postLogoutRedirectURIs = try Self.checked(postLogoutRedirectURIs, for: kind)
        self.algorithm = algorithm
        self.pkce = pkce
        self.receivesProviderTokens = receivesProviderTokens
        self.isFirstParty = isFirstParty
        self.presentation = presentation
        self.backChannelLogout = try backChannelLogout.map { logout throws(AdminFailure) in
            do throws(DeliveryURL.Refusal) {
                _ = try DeliveryURL(checking: logout.uri, allowsInsecureLoopback: true)
                return logout
            } catch {
                throw AdminFailure.invalidClient(
                    "\(logout.uri.debugDescription) cannot be registered: \(error.reason).")
            }
        }
    }

    /// The registration of `client` with some changes.
    ///
    /// - Throws: ``AdminFailure``.
    package init(_ client: Client, changing changes: ClientChanges) throws(AdminFailure) {
        try self.init(
            kind: client.kind, name: changes.name ?? client.name,
            redirectURIs: changes.redirectURIs ?? client.redirectURIs,
            postLogoutRedirectURIs: changes.postLogoutRedirectURIs ?? client.postLogoutRedirectURIs,
            algorithm: client.algorithm, pkce: changes.pkce ?? client.pkce,
            receivesProviderTokens: changes.receivesProviderTokens ?? client.receivesProviderTokens,
            backChannelLogout: Self.changed(client.backChannelLogout, by: changes),
            isFirstParty: changes.isFirstParty ?? client.isFirstParty,
            presentation: ClientPresentation(changes.presentation, of: client))
    }

    private static func changed(
        _ logout: Client.BackChannelLogout?, by changes: ClientChanges
    ) throws(AdminFailure) -> Client.BackChannelLogout? {
        guard let uri = changes.backChannelLogoutURI ?? logout?.uri, !uri.isEmpty else {
            guard changes.backChannelLogoutRequiresSession != true else {
                throw AdminFailure.invalidClient("backchannel_logout_session_required needs a backchannel_logout_uri.")
            }
            return nil
        }
        return Client.BackChannelLogout(
            uri: uri,
            requiresSession: changes.backChannelLogoutRequiresSession ?? logout?.requiresSession ?? false)
    }

    /// Warnings for the operator: a page of an identity provider is no page of the app's, and a scheme
    /// without a dot may be claimed by other apps.
    ///
    /// - Parameter providerHosts: The hosts of the configured identity providers.
    /// - Returns: A sentence for each doubtful address.
    package func warnings(providerHosts: Set<String>) -> [String] {
        let insecure = backChannelLogout.flatMap { $0.uri.hasPrefix("http:") ? $0.uri : nil }.map { uri in
            "\(uri) is plain http: logout tokens are sent there only where egress.allowInsecureLoopback of broker.json "
                + "is true"
        }
        let doubtful = (redirectURIs + postLogoutRedirectURIs).compactMap { uri -> String? in
            guard let parts = URIParts(uri.text) else { return nil }
            if RedirectURI.isSingleLabel(scheme: parts.scheme) {
                return
                    "\(uri.text) has a scheme that any app on the device may claim: use the reverse of a domain name, such "
                    + "as com.example.app:/callback (RFC 8252 §7.1), or an https address that the app has claimed, which is "
                    + "stronger where the app owns a domain"
            }
            guard parts.scheme == "https", let authority = parts.authority,
                let (host, _) = URIParts.hostAndPort(authority), providerHosts.contains(host)
            else { return nil }
            return "\(uri.text) is at \(host), an identity provider of this broker: an attacker with a page there "
                + "could be sent codes of this client"
        }
        return (insecure.map { [$0] } ?? []) + doubtful
    }

    /// A client that is registered like this, without a secret.
    func client(key: Int64, id: String, at now: Timestamp) -> Client {
        Client(
            key: key, id: id, kind: kind, name: name, redirectURIs: redirectURIs.map(\.text),
            postLogoutRedirectURIs: postLogoutRedirectURIs.map(\.text), algorithm: algorithm, createdAt: now,
            pkce: pkce, receivesProviderTokens: receivesProviderTokens, backChannelLogout: backChannelLogout,
            isFirstParty: isFirstParty, homeURL: presentation.homeURL?.text, termsURL: presentation.termsURL?.text,
            privacyURL: presentation.privacyURL?.text, supportURL: presentation.supportURL?.text,
            logo: presentation.logo?.name, logoDark: presentation.logoDark?.name)
    }

    private static func checked(_ texts: [String], for kind: Client.Kind) throws(AdminFailure) -> [RedirectURI] {
        var result: [RedirectURI] = []
        for text in texts {
            do {
                let uri = try RedirectURI(registering: text, for: kind)
                if !result.contains(uri) { result.append(uri) }
            } catch {
                throw AdminFailure.invalidClient("\(text.debugDescription) cannot be registered: \(error.reason).")
            }
        }
        return result
    }
}
