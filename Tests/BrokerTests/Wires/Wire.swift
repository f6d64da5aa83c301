import Broker
import BrokerStore
import Foundation
import JOSE
import NIOHTTP1
import OAuth
import ProviderKit

/// A way in which a user's session begins.
enum Wire: String, CaseIterable, Sendable {
    case signInWithIdp
    case authorizationCode = "code flow"
    case tokenExchange = "token exchange"
    case deviceGrant = "device flow"
    case commandLine = "broker link"

    /// Whether the user logs in at the provider's page.
    var isInBrowser: Bool { self == .authorizationCode || self == .deviceGrant }
}

/// What shows a user, or a user's login, to those who may know.
enum Document: String, CaseIterable, Sendable {
    case idToken = "ID token"
    case accessToken = "access token"
    case userRecord = "userinfo, look-up"
    case introspection
    case usersShow = "users show"
}

/// A user whose session has begun on a wire.
struct WireSession: Sendable {
    let broker: TestBroker
    let localID: String
    /// The answer with tokens. `broker link` gives none: it begins no session.
    let tokens: Answer?
    /// The client of OpenID Connect; nil on the other wires.
    let app: OAuthApp?
    /// Whether the answer says that the sign-in created the user.
    let isNewUser: Bool?

    /// Whether the tokens are of Identity Toolkit.
    var isIdentityToolkit: Bool { tokens != nil && app == nil }

    /// What a document shows.
    func read(_ document: Document) async throws -> JSONValue {
        let record = try await ShowUser(user: localID)
            .run(for: AdminCall(broker.core.admin, origin: Origin(.admin, actor: "test")))
        guard let tokens else { return .object(record) }
        switch document {
        case .usersShow: return .object(record)
        case .idToken: return .object(try tokens.claims(isIdentityToolkit ? "idToken" : "id_token"))
        case .accessToken: return .object(try TestApp.claims(try await accessToken(tokens)))
        case .introspection:
            let backend = try await TestBackend(broker, scopes: [.introspectTokens])
            return try await broker.postForm(
                "/oauth/introspect", [("token", try await accessToken(tokens))],
                headers: ["Authorization": "Bearer \(backend.token)"]
            ).body
        case .userRecord:
            return isIdentityToolkit
                ? try await broker.record(tokens) : try await broker.userInfo(tokens.string("access_token")).body
        }
    }

    /// The token that the app sends to its backend: Secure Token calls the ID token `access_token`.
    private func accessToken(_ tokens: Answer) async throws -> String {
        guard isIdentityToolkit else { return try tokens.string("access_token") }
        return try await broker.refresh(tokens.string("refreshToken")).string("access_token")
    }
}

extension Wire {
    /// Signs a person in on this wire, as the operator's own app, which gets the providers' tokens.
    func signIn(_ person: TestPerson, at broker: TestBroker) async throws -> WireSession {
        switch self {
        case .signInWithIdp:
            let answer = try await broker.signIn(person)
            return WireSession(
                broker: broker, localID: try answer.string("localId"), tokens: answer, app: nil,
                isNewUser: answer["isNewUser"] == true)
        case .authorizationCode:
            let app = try await OAuthApp(at: broker, redirectURIs: [TestApp.redirectURI])
            try await Self.makeFirstParty(app.client.id, at: broker)
            let sign = TestApp(broker, clientID: app.client.id, secret: app.secret)
            let browser = TestBrowser(broker)
            let consent = try await browser.visit(
                sign.path(["provider": person.provider, "scope": NativeApp.scope]))
            var page = try await browser.submit(on: consent, ["person": person.account])
            // The scope account is never granted without a question.
            if page["code"] == nil { page = try await browser.submit(on: page, ["decision": "allow"]) }
            guard let code = page["code"] else { throw TestFailure("no code at \(page.url): \(page.html)") }
            return try session(try await sign.redeem(code), of: app, at: broker)
        case .tokenExchange:
            let native = try await NativeApp(at: broker)
            try await Self.makeFirstParty(native.app.client.id, at: broker)
            return try session(try await native.exchange(person.credential()), of: native.app, at: broker)
        case .deviceGrant:
            let device = try await TestDevice(at: broker, scope: NativeApp.scope)
            try await Self.makeFirstParty(device.app.client.id, at: broker)
            let browser = TestBrowser(broker)
            let chooser = try await browser.submit("/device", on: try await device.open(in: browser))
            let consent = try await browser.follow(TestProviders.names[person.provider] ?? "", on: chooser)
            let page = try await browser.submit(on: consent, ["person": person.account])
            _ = try await browser.submit("/device", on: page, ["decision": "allow"])
            return try session(try await device.poll(), of: device.app, at: broker)
        case .commandLine:
            let verified = try await broker.core.accounts.verify(
                try Credential(postBody: person.credential()), from: person.provider)
            guard
                case .signedIn(let record, let isNewUser) = try await broker.core.accounts.user(
                    of: verified, origin: Origin(.admin))
            else { throw TestFailure("no user") }
            return WireSession(
                broker: broker, localID: record.user.localID, tokens: nil, app: nil, isNewUser: isNewUser)
        }
    }

    private func session(_ answer: Answer, of app: OAuthApp, at broker: TestBroker) throws -> WireSession {
        guard answer.status == 200, let localID = try answer.claims()["sub"]?.string else {
            throw TestFailure("no tokens: \(answer.text)")
        }
        return WireSession(
            broker: broker, localID: localID, tokens: answer, app: app, isNewUser: answer["is_new_user"]?.bool)
    }

    private static func makeFirstParty(_ clientID: String, at broker: TestBroker) async throws {
        _ = try await broker.core.openID.clients.update(
            id: clientID, ClientChanges(receivesProviderTokens: true, isFirstParty: true), origin: Origin(.admin))
    }
}

extension Credential {
    /// The credential of a `postBody`, as the file of `broker link` has it.
    init(postBody: [(String, String)]) throws {
        let fields = Dictionary(postBody) { first, _ in first }
        let name = try fields["user"].map { try JSONValue(parsing: $0)["name"] }
        let profile = name.map {
            FirstTimeProfile(givenName: $0?["firstName"]?.string, familyName: $0?["lastName"]?.string)
        }
        if let token = fields["id_token"] {
            self.init(
                .idToken(
                    .init(
                        token: token, rawNonce: fields["nonce"], accessToken: fields["access_token"],
                        authorizationCode: fields["code"])), firstTimeProfile: profile)
        } else if let code = fields["code"], let redirectURI = fields["redirect_uri"] {
            self.init(
                .authorizationCode(
                    .init(
                        code: code, redirectURI: redirectURI, verifier: fields["code_verifier"],
                        expectedNonce: fields["nonce"])), firstTimeProfile: profile)
        } else if let token = fields["access_token"] {
            self.init(.accessToken(token))
        } else {
            throw TestFailure("no credential")
        }
    }
}
