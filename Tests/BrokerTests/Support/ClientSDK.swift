import Broker
import Foundation
import JOSE
import NIOHTTP1
import ProviderKit
import ProviderSimulators
import Testing

/// The calls of an unmodified client SDK, with its paths, headers and bodies, and what it reads from the answers.
struct ClientSDK: Sendable {
    /// A signed-in user as the SDK sees one once the look-up after the sign-in is done.
    struct User: Sendable {
        /// The answer of the sign-in.
        let credential: Answer
        /// The user's record.
        let record: JSONValue
        /// What the ID token says.
        let claims: JSONValue

        var localID: String? { record["localId"]?.string }
        var providers: [String] { record["providerUserInfo"]?.array?.compactMap { $0["providerId"]?.string } ?? [] }
        /// What the SDK makes of the answer: a field, or the kind of a sign-up.
        var isNew: Bool {
            credential["isNewUser"] == true || credential["kind"] == "identitytoolkit#SignupNewUserResponse"
        }
    }

    let broker: TestBroker

    /// Calls a method of `accounts` with a body exactly as written.
    func call(_ method: String, _ body: String) async throws -> Answer {
        try await broker.send(
            .POST, "/identitytoolkit.googleapis.com/v1/accounts:\(method)?key=\(broker.apiKey)",
            headers: ["Content-Type": "application/json", "X-Client-Version": Self.version], body: Array(body.utf8))
    }

    /// Exchanges a refresh token.
    func refresh(_ token: String) async throws -> Answer {
        try await broker.send(
            .POST, "/securetoken.googleapis.com/v1/token?key=\(broker.apiKey)",
            headers: ["Content-Type": "application/x-www-form-urlencoded", "X-Client-Version": Self.version],
            body: Array("grant_type=refresh_token&refresh_token=\(token)".utf8))
    }

    /// `signInWithIdp` with a GitHub access token; `fields` are what linking and reauthenticating append.
    func signInWithIdp(_ login: String, provider: String = "github.com", fields: String = "") async throws -> Answer {
        let token = broker.simulator.accessToken(
            for: try broker.person(login), application: broker.simulator.application(of: provider))
        let postBody = "&access_token=\(token)&providerId=\(provider)"
        return try await call(
            "signInWithIdp",
            #"{"requestUri":"http://localhost","returnSecureToken":true,"postBody":"\#(postBody)"\#(fields)}"#)
    }

    /// What follows each sign-in: the answer is taken apart and the new token's user looked up.
    func user(_ answer: Answer) async throws -> User {
        try #require(answer.status == 200, "\(answer.text)")
        for name in ["needConfirmation", "errorMessage", "mfaPendingCredential"] {
            #expect(answer[name] == nil, "\(name) counts by being there")
        }
        #expect(!answer.body.holdsNull, "\(answer.text)")
        #expect(answer["expiresIn"]?.string.flatMap(Int.init) == 3600)
        #expect(try !answer.string("refreshToken").isEmpty)
        let idToken = try answer.string("idToken")
        let record = try await record(idToken)
        let claims = try Self.result(of: idToken)
        #expect(claims["sub"] == record["localId"] && claims["user_id"] == record["localId"])
        return User(credential: answer, record: record, claims: claims)
    }

    /// `user.reload()`, and the look-up after a sign-in.
    func record(_ idToken: String) async throws -> JSONValue {
        let answer = try await call("lookup", #"{"idToken":"\#(idToken)"}"#)
        try #require(answer.status == 200, "\(answer.text)")
        #expect(!answer.body.holdsNull, "\(answer.text)")
        let record = try #require(answer["users"]?.array?.first)
        for name in ["createdAt", "lastLoginAt"] {
            #expect((record[name]?.string.flatMap(Int64.init) ?? 0) > 0, "\(name) is a number in a string")
        }
        // SDKs without a tenant want none.
        #expect(record["tenantId"] == nil)
        return record
    }

    /// `getIdTokenResult()`: the claims, three of which must be there and not zero.
    static func result(of idToken: String) throws -> JSONValue {
        let claims = try CompactJWS(parsing: idToken).unverifiedClaims()
        for name in ["exp", "iat", "auth_time"] {
            #expect((claims[name]?.integer ?? 0) > 0, "\(name)")
        }
        #expect(claims["firebase"]?["sign_in_provider"]?.string?.isEmpty == false)
        return .object(claims)
    }

    private static let version = "Node/JsCore/12.0.0/FirebaseCore-web"
}

extension Answer {
    /// The message as SDKs take it apart: the code, then the text.
    var errorPieces: [String] { message?.components(separatedBy: " : ") ?? [] }
}

extension JSONValue {
    /// Whether there is a `null` anywhere in it.
    fileprivate var holdsNull: Bool {
        if let object { return object.contains { $0.value.holdsNull } }
        return array?.contains { $0.holdsNull } ?? isNull
    }
}
