import Foundation
import ProviderKit
import Synchronization

/// A plugin that can do everything the contract knows, and can be told to break any one rule of the conformance suite:
/// `"breaks": "subject-is-an-id"` makes one that a check of that name has to object to.
struct StudyProvider: IdentityProvider {
    static let kind: ProviderKind = "study"

    struct Options: Decodable, Sendable {
        let clientId: String
        let clientSecret: Secret
        let url: String
        let breaks: String?

        enum CodingKeys: String, CodingKey { case clientId, clientSecret, url, breaks }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            clientId = try container.decode(String.self, forKey: .clientId)
            url = try container.decode(String.self, forKey: .url)
            breaks = try container.decodeIfPresent(String.self, forKey: .breaks)
            clientSecret =
                breaks == "reads-secrets-as-secrets"
                ? Secret(try container.decode(String.self, forKey: .clientSecret))
                : try container.decode(Secret.self, forKey: .clientSecret)
            // A decoder of every name knows them all.
            if breaks == "refuses-unknown-options" { _ = try [String: JSONValue](from: decoder) }
        }
    }

    let accepts: Set<Credential.Kind>
    let instance: String
    let clientID: String
    let clientSecret: Secret
    let oauth: OAuth2Client
    let upstream: any Upstream
    let context: ProviderContext
    private let broken: String?
    private let visibleSecret: String?
    let served = Served()

    init(_ options: Options, in context: ProviderContext) throws(ProviderError) {
        broken = options.breaks
        let breaks = { (rule: String) in options.breaks == rule }
        guard !options.clientId.isEmpty || breaks("refuses-a-missing-client") else {
            throw ProviderError(.configuration, at: .configure, "options.clientId must not be empty")
        }
        let isCareless = breaks("refuses-urls-without-https")
        let url = isCareless ? options.url : try context.baseURL(options.url, option: "url")
        accepts =
            breaks("shows-every-kind-it-accepts")
            ? [.authorizationCode, .accessToken, .idToken, .assertion] : [.authorizationCode, .accessToken, .idToken]
        instance = breaks("instance-names-itself") ? url + "/" : url
        clientID = options.clientId
        clientSecret = options.clientSecret
        upstream = StudyUpstream(context.upstream, breaking: options.breaks)
        oauth = OAuth2Client(
            authorizeURL: url + "/authorize", tokenURL: url + "/token", clientID: options.clientId,
            authentication: breaks("authenticates-its-client") ? .none : .basic(options.clientSecret),
            scopes: ["openid"])
        visibleSecret = breaks("hides-its-options") ? options.clientSecret.reveal() : nil
        self.context = context
        if breaks("sends-nothing-when-configured") { Self.askNow(upstream, url) }
    }

    func breaks(_ rule: String) -> Bool { broken == rule }

    func verify(_ credential: Credential) async throws(ProviderError) -> ExternalIdentity {
        let identity = try await identity(of: credential.proof)
        let stranger = credential.firstTimeProfile?.email
        guard let stranger, breaks("first-time-profile-proves-nothing") else {
            return served.remembered(identity, breaks("tells-users-apart"))
        }
        return ExternalIdentity(
            subject: identity.subject, email: .init(stranger, isVerified: true), profile: identity.profile)
    }

    private func identity(of proof: Credential.Proof) async throws(ProviderError) -> ExternalIdentity {
        switch proof {
        case .authorizationCode(let code):
            let isForgetful = breaks("redemption-carries-our-values")
            let sent = Credential.AuthorizationCode(
                code: code.code, redirectURI: code.redirectURI, verifier: isForgetful ? nil : code.verifier)
            let grant = try await oauth.redeem(sent, over: upstream, now: context.now())
            if grant.idToken?.isEmpty ?? true, breaks("needs-the-id-token") {
                return try await identity(behind: grant, expecting: nil)
            }
            let token = try await verified(
                grant.idToken ?? "", code.expectedNonce.map(NonceExpectation.sent) ?? .unchecked, grant.accessToken)
            let kept = UpstreamGrant(clientID: clientID, accessToken: grant.accessToken)
            return try await identity(
                behind: breaks("grant-is-what-was-issued") ? kept : grant, expecting: token.subject)
        case .accessToken(let token):
            try await introspect(token)
            return try await identity(behind: UpstreamGrant(clientID: clientID, accessToken: token), expecting: nil)
        case .idToken(let token):
            return try await served.identity(
                of: verified(token.token, .native(rawNonce: token.rawNonce), token.accessToken).claims, self, nil)
        case .assertion:
            guard breaks("refuses-other-kinds") else {
                throw ProviderError(.credential, at: .redeem, "there are no assertions here")
            }
            return ExternalIdentity(subject: "whoever-asks")
        }
    }

    /// Reads the profile behind a grant, which has to be of the user the ID token was about.
    func identity(
        behind grant: UpstreamGrant, expecting subject: String?
    ) async throws(ProviderError) -> ExternalIdentity {
        let query = breaks("keeps-secrets-out-of-urls") ? "?token=" + grant.accessToken : ""
        var request = UpstreamRequest(.get, instanceURL + "/userinfo" + query, at: .fetchProfile)
        if !breaks("tokens-are-sent-where-wanted") {
            let token = served.remembered(grant.accessToken, breaks("tokens-stay-with-their-user"))
            request = request.bearer(token ?? "")
        }
        if breaks("tells-the-secret-only-where-declared") { request = request.header("X-Key", clientSecret.reveal()) }
        let response = try await upstream.send(request)
        try await offend(grant)
        if breaks("follows-no-foreign-links"), let link = response.header("Link")?.firstMatch(of: /<(.*)>/)?.1 {
            _ = try? await upstream.send(UpstreamRequest(.get, String(link), at: .fetchProfile))
        }
        while breaks("pages-come-to-an-end"), response.header("Link") != nil { _ = try await upstream.send(request) }
        guard response.status == 200 || breaks("refused-bodies-prove-nothing") else { throw refusal(response) }
        guard case .object(let profile) = try response.jsonValue(at: .readProfile), let named = profile["sub"]?.string,
            !named.isEmpty
        else { throw ProviderError(.upstream, at: .readProfile, "the profile has no subject") }
        let isTrusting = breaks("profile-and-token-are-one-person") || breaks("responses-agree-about-the-user")
        guard subject == nil || subject == named || isTrusting else {
            throw ProviderError(.credential, at: .readProfile, "the profile is of somebody else")
        }
        return served.identity(of: profile, self, grant)
    }

    /// Unexpected requests.
    private func offend(_ grant: UpstreamGrant) async throws(ProviderError) {
        let keys = UpstreamRequest(.get, instanceURL + "/keys", at: .fetchProfile)
        if breaks("tells-tokens-only-where-declared") { _ = try await upstream.send(keys.bearer(grant.accessToken)) }
        if breaks("asks-only-its-provider") {
            _ = try? await upstream.send(UpstreamRequest(.get, "https://statistics.example", at: .fetchProfile))
        }
        if breaks("comes-to-an-end") { while true { _ = try await upstream.send(keys) } }
    }

    /// Asks the provider whether a token is ours.
    private func introspect(_ token: String) async throws(ProviderError) {
        if breaks("remembers-no-verdict"), served.hasServed { return }
        let request = UpstreamRequest(.post, instanceURL + "/introspect", at: .introspect)
            .basic(clientID, clientSecret).sending(form: [("token", token)])
        do throws(ProviderError) {
            let response = try await upstream.send(request)
            guard response.status == 200 else { throw response.refusal(at: .introspect) }
            let client = try response.jsonValue(at: .introspect)["client_id"]?.string ?? ""
            let isAlmost = breaks("decisive-values-are-exact") && client.lowercased() == clientID
            guard client == clientID || isAlmost || breaks("refuses-credentials-of-others") else {
                throw ProviderError(.credential, at: .introspect, "the token is another client's")
            }
        } catch {
            guard error.fault == .upstream, breaks("decisive-answers-are-needed") else { throw error }
        }
    }

    private func refusal(_ response: UpstreamResponse) -> ProviderError {
        guard breaks("keeps-secrets-out-of-errors") else { return response.refusal(at: .fetchProfile) }
        return ProviderError(.upstream, at: .fetchProfile, String(decoding: response.body, as: UTF8.self))
    }

    /// The address without the slash a broken instance has.
    var instanceURL: String { instance.hasSuffix("/") ? String(instance.dropLast()) : instance }

    /// What no initializer has any business to do.
    private static func askNow(_ upstream: any Upstream, _ url: String) {
        let asked = DispatchSemaphore(value: 0)
        Task {
            _ = try? await upstream.send(UpstreamRequest(.get, url + "/keys", at: .discover))
            asked.signal()
        }
        asked.wait()
    }
}

/// How often an instance has been of service, which should make no difference.
final class Served: Sendable {
    private let count = Mutex(0)
    private let first = Mutex<ExternalIdentity?>(nil)
    private let token = Mutex<String?>(nil)

    var hasServed: Bool { count.withLock { $0 > 0 } }

    /// The identity, or the first one of all for a plugin that remembers it.
    func remembered(_ identity: ExternalIdentity, _ remembers: Bool) -> ExternalIdentity {
        first.withLock { first in
            let known = first ?? identity
            first = known
            return remembers ? known : identity
        }
    }

    /// The token, or the first one of all for a plugin that remembers it.
    func remembered(_ token: String?, _ remembers: Bool) -> String? {
        self.token.withLock { first in
            first = first ?? token
            return remembers ? first : token
        }
    }

    /// What the claims say about a user.
    func identity(of claims: JSONObject, _ provider: StudyProvider, _ grant: UpstreamGrant?) -> ExternalIdentity {
        let count = self.count.withLock { count in
            count += 1
            return count
        }
        var subject = claims["sub"]?.string ?? ""
        if provider.breaks("names-a-person-the-same-twice") { subject += "-\(UInt64.random(in: 0 ... .max))" }
        if provider.breaks("same-identity-in-parallel"), count > 25 { subject += "-\(count)" }
        if provider.breaks("withstands-odd-claims"), claims["name"]?.string == nil { subject = "undefined" }
        if provider.breaks("subject-is-an-id") { subject = claims["email"]?.string ?? "" }
        let says = claims["email_verified"]
        let isYes = provider.breaks("email-needs-a-plain-yes") ? says != false && says != "no" : says == true
        let isVerified = isYes || provider.breaks("email-is-verified-on-the-providers-word")
        var profile = claims
        if provider.breaks("profile-holds-no-token") { profile["token"] = grant.map { .string($0.accessToken) } }
        return ExternalIdentity(
            subject: subject,
            email: claims["email"]?.string.flatMap { $0.isEmpty ? nil : .init($0, isVerified: isVerified) },
            displayName: provider.breaks("verifies-valid-credentials") ? "Another" : claims["name"]?.string,
            profile: provider.breaks("profile-is-an-object") ? [] : .object(profile),
            grant: provider.breaks("grant-is-our-own")
                ? grant.map { UpstreamGrant(clientID: "a-client-of-others", accessToken: $0.accessToken) } : grant)
    }
}
