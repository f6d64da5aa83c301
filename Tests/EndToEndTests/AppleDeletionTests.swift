import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@Suite("deleting a user of Apple with the running broker", .timeLimit(.minutes(20)))
struct AppleDeletionTests {
    @Test func `a code at the deletion arrives at Apple as a revocation, and the next sign-in is a first one`()
        async throws
    {
        try await Self.serve { process, broker, apple in
            let person = try #require(apple.person(givenName: "Ada"))
            let first = try await Self.signIn(person, apple, broker, sendsCode: false)
            let session = try IdentityToolkitApp.Session(first)
            _ = await process.log.firstLine { $0.contains("no refresh token stored") }
            #expect(Self.credential(of: person, apple).allSatisfy { $0.name != "user" })
            let code = apple.nativeCredential(for: person, application: apple.nativeApplication).authorizationCode

            let expired = try await broker.post(
                "/v1/accounts:delete", ["idToken": .string(session.idToken), "authorizationCode": "c.used"])
            let deleted = try await broker.post(
                "/v1/accounts:delete", ["idToken": .string(session.idToken), "authorizationCode": .string(code)])

            #expect(expired.errorCode == "APPLE_CODE_EXPIRED")
            #expect(deleted.status == 200, "\(deleted)")
            let receipt = try #require(deleted.body["broker"]?["withdrawals"]?.array?.first)
            #expect(receipt["providerId"] == "apple.com" && receipt["state"] == "queued")
            _ = await process.log.firstLine { $0.contains("grant withdrawn") }
            let form = try #require(Self.forms(apple, .revoke).last)
            #expect(form["client_id"] == apple.nativeApplication.clientID && form["token_type_hint"] == "refresh_token")
            #expect(!apple.isLive(token: try #require(form["token"])))

            let second = try await Self.signIn(person, apple, broker, sendsCode: true)
            #expect(second.body["isNewUser"] == true && second.body["displayName"] == "Ada Example")
            #expect(second.body["federatedId"] == first.body["federatedId"])
            #expect(second.body["localId"] != first.body["localId"])
        }
    }

    @Test func `an SDK's revokeToken before the deletion withdraws once`() async throws {
        try await Self.serve { process, broker, apple in
            let person = try #require(apple.person(givenName: "Ben"))
            let session = try IdentityToolkitApp.Session(try await Self.signIn(person, apple, broker, sendsCode: true))
            let code = apple.nativeCredential(for: person, application: apple.nativeApplication).authorizationCode

            let revoked = try await broker.post(
                "/identitytoolkit.googleapis.com/v2/accounts:revokeToken",
                [
                    "providerId": "apple.com", "tokenType": "3", "token": .string(code),
                    "idToken": .string(session.idToken),
                ])
            let remains = try await broker.lookup(session.idToken)
            let deleted = try await broker.post("/v1/accounts:delete", ["idToken": .string(session.idToken)])

            #expect(revoked.status == 200 && revoked.body == [:], "\(revoked)")
            #expect(remains.status == 200 && deleted.status == 200, "\(deleted)")
            #expect(deleted.body["broker"]?["withdrawals"]?.array?.first?["state"] == "queued")
            _ = await process.log.firstLine { $0.contains("grant withdrawn") }
            #expect(Self.credential(of: person, apple).contains { $0.name == "user" })
        }
    }

    /// Runs a broker with the Apple simulator.
    private static func serve(
        _ body: (BrokerProcess, IdentityToolkitApp, AppleSimulator) async throws -> Void
    ) async throws {
        let apple = try await AppleSimulator.start()
        do {
            try await Installation.run { installation in
                try installation.offer(apple)
                try await installation.serve { process, broker in try await body(process, broker, apple) }
            }
        } catch {
            await apple.stop()
            throw error
        }
        await apple.stop()
    }

    private static func signIn(
        _ person: AppleSimulator.Person, _ apple: AppleSimulator, _ broker: IdentityToolkitApp, sendsCode: Bool
    ) async throws -> IdentityToolkitApp.Answer {
        try await broker.signIn(
            credential(of: person, apple).filter { sendsCode || $0.name != "code" }, provider: "apple.com")
    }

    /// What an app on a device sends: the first time with the name.
    private static func credential(
        of person: AppleSimulator.Person, _ apple: AppleSimulator
    ) -> [(name: String, value: String)] {
        let nonce = UUID().uuidString
        let native = apple.nativeCredential(for: person, application: apple.nativeApplication, rawNonce: nonce)
        var fields = [
            (name: "id_token", value: native.idToken), (name: "nonce", value: nonce),
            (name: "code", value: native.authorizationCode),
        ]
        if let given = native.givenName, let family = native.familyName {
            let user: JSONValue = ["name": ["firstName": .string(given), "lastName": .string(family)]]
            fields.append((name: "user", value: user.serialized()))
        }
        return fields
    }

    private static func forms(_ apple: AppleSimulator, _ endpoint: AppleSimulator.Endpoint) -> [[String: String]] {
        apple.requests(endpoint).map { request in
            Dictionary((FormEncoding.decode(request.body) ?? []).map { ($0.name, $0.value) }) { _, last in last }
        }
    }
}
