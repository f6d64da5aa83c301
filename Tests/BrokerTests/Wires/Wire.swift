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
    /// Whether the tokens are of Identity Toolkit.
    let isIdentityToolkit: Bool

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
    /// Signs a person in on this wire, as the operator's own app.
    func signIn(
        _ person: TestPerson, idToken: () -> [(String, String)], at broker: TestBroker
    ) async throws -> WireSession {
        switch self {
        case .signInWithIdp:
            let answer = try await broker.signIn(person)
            return WireSession(
                broker: broker, localID: try answer.string("localId"), tokens: answer, isIdentityToolkit: true)
        case .authorizationCode:
            let app = try await TestApp(broker)
            try await Self.makeFirstParty(app.clientID, at: broker)
            return try session(try await app.signIn(person, in: TestBrowser(broker)), at: broker)
        case .tokenExchange:
            let native = try await NativeApp(at: broker)
            try await Self.makeFirstParty(native.app.client.id, at: broker)
            return try session(try await native.exchange(idToken()), at: broker)
        case .deviceGrant:
            let device = try await TestDevice(at: broker, scope: "openid profile email offline_access")
            try await Self.makeFirstParty(device.app.client.id, at: broker)
            let browser = TestBrowser(broker)
            let chooser = try await browser.submit("/device", on: try await device.open(in: browser))
            let consent = try await browser.follow(TestProviders.names[person.provider] ?? "", on: chooser)
            let page = try await browser.submit(on: consent, ["person": person.account])
            _ = try await browser.submit("/device", on: page, ["decision": "allow"])
            return try session(try await device.poll(), at: broker)
        case .commandLine:
            let (token, provider) = (try person.accessToken, person.provider)
            let verified = try await broker.core.accounts.verify(Credential(.accessToken(token)), from: provider)
            guard
                case .signedIn(let record, _) = try await broker.core.accounts.user(
                    of: verified, origin: Origin(.admin))
            else { throw TestFailure("no user") }
            return WireSession(
                broker: broker, localID: record.user.localID, tokens: nil, isIdentityToolkit: false)
        }
    }

    private func session(_ answer: Answer, at broker: TestBroker) throws -> WireSession {
        guard answer.status == 200, let localID = try answer.claims()["sub"]?.string else {
            throw TestFailure("no tokens: \(answer.text)")
        }
        return WireSession(broker: broker, localID: localID, tokens: answer, isIdentityToolkit: false)
    }

    private static func makeFirstParty(_ clientID: String, at broker: TestBroker) async throws {
        _ = try await broker.core.openID.clients.update(
            id: clientID, ClientChanges(isFirstParty: true), origin: Origin(.admin))
    }
}

extension TestPerson {
    /// The access token of a new credential.
    fileprivate var accessToken: String {
        get throws {
            guard let token = credential().first(where: { $0.0 == "access_token" })?.1 else {
                throw TestFailure("\(provider) has no access token")
            }
            return token
        }
    }
}
