import Broker
import Foundation
import Generic
import ProviderKit
import ProviderSimulators
import Testing

@Suite("entries with the provider ids of Firebase's SDKs")
struct FirebaseProviderTests {
    private static let byIDToken = ["google.com", "microsoft.com", "yahoo.com"]
    private static let all = byIDToken + ["facebook.com", "twitter.com"]

    /// The servers behind the entries: each entry is a client of its own.
    private struct Servers {
        let openID: OpenIDSimulator
        let oauth2: OpenIDSimulator

        func server(of id: String) -> OpenIDSimulator { FirebaseProviderTests.byIDToken.contains(id) ? openID : oauth2 }

        func application(of id: String) throws -> OpenIDSimulator.Application {
            try #require(server(of: id).applications().first { $0.clientID == "client-of-\(id)" })
        }
    }

    private static func run(_ test: (TestBroker, Servers) async throws -> Void) async throws {
        let clock = SimulatorClock.stopped(at: TestClock().now)
        let openID = try await OpenIDSimulator.start(.init(clock: clock))
        let oauth2 = try await OpenIDSimulator.start(.init(clock: clock, mode: .oauth2))
        let servers = Servers(openID: openID, oauth2: oauth2)
        for id in all {
            servers.server(of: id).register(.init(clientID: "client-of-\(id)", redirectURIs: [AppSignIn.page]))
        }
        do {
            let entries = try all.map { try entry($0, servers) }
            try await TestBroker.run(
                { $0.policy.providerTokens = .client }, plugins: [.oidc, .oauth2], entries: { _ in .array(entries) }
            ) {
                try await test($0, servers)
            }
        } catch {
            await openID.stop()
            await oauth2.stop()
            throw error
        }
        await openID.stop()
        await oauth2.stop()
    }

    private static func entry(_ id: String, _ servers: Servers) throws -> JSONValue {
        let application = try servers.application(of: id)
        let url = servers.server(of: id).url
        var options: JSONObject = [
            "clientId": .string(application.clientID), "clientSecret": .string(application.clientSecret ?? ""),
        ]
        let isOpenID = byIDToken.contains(id)
        if isOpenID {
            options["issuer"] = .string(url)
        } else {
            options["authorizationUrl"] = .string(url + "/authorize")
            options["tokenUrl"] = .string(url + "/token")
            options["userinfoUrl"] = .string(url + "/userinfo")
            options["scopes"] = ["email", "public_profile"]
            options["claims"] = ["subject": "/sub", "email": "/email", "displayName": "/name"]
        }
        return [
            "id": .string(id), "use": isOpenID ? "oidc" : "oauth2", "allowInsecureLoopback": true,
            "options": .object(options),
        ]
    }

    @Test(arguments: byIDToken)
    func `signInWithCredential sends an ID token, and the SDK reads what it reads of Firebase`(id: String) async throws
    {
        try await Self.run { broker, servers in
            let sdk = ClientSDK(broker: broker)
            let person = servers.openID.people()[0]
            let token = servers.openID.idToken(for: person, application: try servers.application(of: id))

            let user = try await sdk.user(
                sdk.call(
                    "signInWithIdp",
                    #"{"requestUri":"http://localhost","returnSecureToken":true,"#
                        + #""postBody":"&id_token=\#(token)&providerId=\#(id)"}"#))

            let info = try JSONValue(parsing: user.credential.string("rawUserInfo").utf8)
            #expect(user.isNew && user.providers == [id])
            #expect(user.claims["firebase"]?["sign_in_provider"]?.string == id)
            #expect(user.record["providerUserInfo"]?.array?.first?["federatedId"]?.string == person.subject)
            guard id == "google.com" else {
                #expect(user.credential["federatedId"]?.string == person.subject)
                #expect(info["sub"]?.string == person.subject)
                return
            }
            #expect(user.credential["federatedId"]?.string == "https://accounts.google.com/\(person.subject)")
            #expect(info["id"]?.string == person.subject && info["sub"] == nil && info["iss"] == nil)
            #expect(info["verified_email"] == person.claims["email_verified"])
            #expect(info["email"] == person.claims["email"])
            #expect(info["locale"]?.string?.isEmpty == false && info["name"] == person.claims["name"])
            #expect(info["granted_scopes"]?.string?.hasPrefix("openid ") == true)
        }
    }

    @Test(arguments: all)
    func `a popup or redirect signs in with each of them`(id: String) async throws {
        try await Self.run { broker, servers in
            // What GoogleAuthProvider and FacebookAuthProvider ask for by themselves.
            let scope = id == "google.com" ? "profile" : id == "facebook.com" ? "email" : ""
            let started = try await AppSignIn.start(broker, id, extra: ["oauthScope": .string(scope)])
            let query = try AppSignInTests.query(of: started)
            let server = servers.server(of: id)
            let code = server.authorizationCode(
                for: server.people()[0], application: try servers.application(of: id), redirectURI: AppSignIn.page,
                codeChallenge: query["code_challenge"], nonce: query["nonce"])
            var answer = [(name: "code", value: code), ("state", query["state"] ?? "")]
            if Self.byIDToken.contains(id) { answer.append(("iss", server.url)) }

            let user = try await broker.post(
                "/v1/accounts:signInWithIdp",
                [
                    "requestUri": .string(AppSignIn.page + "?" + FormEncoding.encode(answer)),
                    "sessionId": .string(try started.string("sessionId")), "returnSecureToken": true,
                    "returnIdpCredential": true,
                ])

            #expect(user.status == 200 && user["providerId"]?.string == id, "\(user.text)")
            #expect(user["isNewUser"] == true && user["oauthAccessToken"]?.string?.isEmpty == false)
            #expect(try broker.claims(of: user)["firebase"]?["sign_in_provider"]?.string == id)
        }
    }

    @Test(arguments: ["facebook.com", "twitter.com"])
    func `a bare access token of the others is refused, since nothing ties it to our client`(id: String) async throws {
        try await Self.run { broker, servers in
            let token = servers.oauth2.accessToken(
                for: servers.oauth2.people()[0], application: try servers.application(of: id))
            let answer = try await broker.signIn(postBody: [("access_token", token), ("providerId", id)])
            #expect(answer.code == "INVALID_IDP_RESPONSE" && answer["localId"] == nil)
        }
    }
}
