import Apple
import Broker
import BrokerStore
import Crypto
import Generic
import GitHub
import NIOHTTP1
import ProviderKit
import Testing

@Suite("provider configurations of Identity Toolkit")
struct ProviderConfigTests {
    private static let acme: JSONValue = [
        "clientId": "broker", "issuer": "https://id.acme.example", "displayName": "Acme", "enabled": true,
        "clientSecret": "s3cret-of-acme", "responseType": ["code": true],
    ]

    private static func run(_ test: (TestBroker, ConfigurationAdministrator) async throws -> Void) async throws {
        try await TestBroker.run(plugins: [.github, .oidc, .apple]) { broker in
            try await test(broker, try await ConfigurationAdministrator(of: broker))
        }
    }

    @Test func `an OIDC provider is created, read, changed and deleted, and no answer has its secret`() async throws {
        try await Self.run { broker, administrator in
            let path = "oauthIdpConfigs/oidc.acme"
            let created = try await administrator.send(
                .POST, "oauthIdpConfigs?oauthIdpConfigId=oidc.acme", Self.acme)
            let read = try await administrator.send(.GET, path)
            let changed = try await administrator.send(
                .PATCH, path + "?updateMask=displayName,clientId,clientSecret,issuer",
                ["displayName": nil, "clientId": "other", "clientSecret": "s3cret-of-other", "enabled": false])
            let disabled = try await administrator.send(.PATCH, path + "?update_mask=enabled", ["enabled": false])
            let deleted = try await administrator.send(.DELETE, path)
            let gone = try await administrator.send(.GET, path)

            #expect(created.status == 200, "\(created.text)")
            #expect(created["name"] == "projects/test-project/oauthIdpConfigs/oidc.acme")
            #expect(created["issuer"] == "https://id.acme.example" && created["clientId"] == "broker")
            #expect(created["responseType"] == ["code": true] && created["displayName"] == "Acme")
            #expect(read.body == created.body)
            // The mask names the issuer and the body does not: it stays. The body has enabled and the mask does not.
            #expect(changed["displayName"] == nil && changed["clientId"] == "other" && changed["enabled"] == true)
            #expect(changed["issuer"] == "https://id.acme.example")
            #expect(disabled["enabled"] == false)
            #expect(deleted.status == 200 && deleted.body == [:])
            #expect(gone.code == "CONFIGURATION_NOT_FOUND" && gone.status == 400)
            for answer in [created, read, changed, disabled] { #expect(!answer.text.contains("s3cret")) }
            let events = try await broker.auditOfProvider("oidc.acme")
            #expect(
                events.map(\.event)
                    == ["provider.added", "provider.updated", "provider.disabled", "provider.removed"])
            #expect(events.allSatisfy { $0.actor?.hasPrefix("credential:") == true })
        }
    }

    @Test func `a created provider is offered at once, unless it is not enabled`() async throws {
        try await Self.run { broker, administrator in
            var body = try #require(Self.acme.object)
            _ = try await administrator.send(.POST, "oauthIdpConfigs?oauthIdpConfigId=oidc.on", .object(body))
            body["enabled"] = nil
            body["clientId"] = "second"
            let off = try await administrator.send(
                .POST, "oauthIdpConfigs?oauthIdpConfigId=oidc.off", .object(body))

            #expect(off["enabled"] == false)
            #expect(broker.core.providers.current.providers.map(\.id) == ["github.com", "oidc.on"])
            #expect(broker.core.providers.current.disabled.map(\.id) == ["oidc.off"])
        }
    }

    @Test(
        arguments: [
            (["clientId": "a"], "INVALID_CONFIG"),
            (["clientId": "a", "issuer": "http://id.example"], "INVALID_CONFIG"),
            (["clientId": "a", "issuer": "https://id.example", "displayName": " x"], "INVALID_CONFIG"),
            (
                ["clientId": "a", "issuer": "https://id.example", "responseType": ["idToken": true]],
                "OPERATION_NOT_ALLOWED"
            ),
        ] as [(JSONValue, String)])
    func `what could not sign users in is refused, and nothing is written`(body: JSONValue, code: String) async throws {
        try await Self.run { broker, administrator in
            let answer = try await administrator.send(.POST, "oauthIdpConfigs?oauthIdpConfigId=oidc.a", body)

            #expect(answer.status == 400 && answer.code == code, "\(answer.text)")
            #expect(try await broker.core.store.read { try $0.providerEntries() }.isEmpty)
        }
    }

    @Test func `ids of another form, of another project and of an existing entry are refused`() async throws {
        try await Self.run { broker, administrator in
            let saml = try await administrator.send(.POST, "oauthIdpConfigs?oauthIdpConfigId=saml.a", Self.acme)
            let none = try await administrator.send(.POST, "oauthIdpConfigs", Self.acme)
            let foreign = try await administrator.send(
                .POST, "oauthIdpConfigs?oauthIdpConfigId=oidc.a", Self.acme, project: "other")
            _ = try await administrator.send(.POST, "oauthIdpConfigs?oauthIdpConfigId=oidc.a", Self.acme)
            let twice = try await administrator.send(.POST, "oauthIdpConfigs?oauthIdpConfigId=oidc.a", Self.acme)

            #expect([saml.code, none.code] == ["INVALID_CONFIG", "INVALID_CONFIG"])
            #expect(foreign.code == "INSUFFICIENT_PERMISSION" && twice.code == "CONFIGURATION_EXISTS")
        }
    }

    @Test func `an entry of plugins json is read and not written`() async throws {
        let entry: JSONValue = [
            "id": "oidc.file", "use": "oidc", "options": ["issuer": "https://id.example", "clientId": "c"],
        ]
        try await TestBroker.run(plugins: [.github, .oidc], entries: { _ in [entry] }) { broker in
            let administrator = try await ConfigurationAdministrator(of: broker)
            let path = "oauthIdpConfigs/oidc.file"
            let read = try await administrator.send(.GET, path)
            let changed = try await administrator.send(.PATCH, path + "?updateMask=enabled", ["enabled": false])
            let deleted = try await administrator.send(.DELETE, path)
            let added = try await administrator.send(.POST, "oauthIdpConfigs?oauthIdpConfigId=oidc.file", Self.acme)

            #expect(read["clientId"] == "c" && read["enabled"] == true && read["broker"] == ["source": "file"])
            for answer in [changed, deleted, added] {
                #expect(answer.code == "PROVIDER_IN_FILE" && answer.text.contains("plugins.json"), "\(answer.text)")
            }
        }
    }

    @Test func `the list has pages in the order of ids`() async throws {
        try await Self.run { broker, administrator in
            for name in ["c", "a", "b"] {
                var body = try #require(Self.acme.object)
                body["clientId"] = .string(name)
                _ = try await administrator.send(
                    .POST, "oauthIdpConfigs?oauthIdpConfigId=oidc.\(name)", .object(body))
            }
            let first = try await administrator.send(.GET, "oauthIdpConfigs?pageSize=2")
            let token = try first.string("nextPageToken")
            let second = try await administrator.send(.GET, "oauthIdpConfigs?pageSize=2&pageToken=\(token)")

            func ids(_ answer: Answer) -> [JSONValue?]? { answer["oauthIdpConfigs"]?.array?.map { $0["clientId"] } }
            #expect(ids(first) == ["a", "b"] && ids(second) == ["c"])
            #expect(second["nextPageToken"] == nil)
            #expect(try await administrator.send(.GET, "oauthIdpConfigs?pageToken=*").status == 400)
        }
    }

    @Test func `reading and writing need their scopes`() async throws {
        try await TestBroker.run(plugins: [.github, .oidc]) { broker in
            let reader = try await ConfigurationAdministrator(of: broker, scopes: [.readConfiguration])
            let other = try await ConfigurationAdministrator(of: broker, scopes: [.writeUsers])

            #expect(try await reader.send(.GET, "oauthIdpConfigs").status == 200)
            #expect(
                try await reader.send(.POST, "oauthIdpConfigs?oauthIdpConfigId=oidc.a", Self.acme).status == 403)
            #expect(try await reader.send(.DELETE, "oauthIdpConfigs/oidc.a").status == 403)
            #expect(try await other.send(.GET, "oauthIdpConfigs").status == 403)
        }
    }

    @Test func `built-in providers are entries with their own ids`() async throws {
        try await TestBroker.run(plugins: [.github, .apple], entries: { _ in [] }) { broker in
            let administrator = try await ConfigurationAdministrator(of: broker)
            let key = P256.Signing.PrivateKey().pemRepresentation
            let gitHub = try await administrator.send(
                .POST, "defaultSupportedIdpConfigs?idpId=github.com",
                ["enabled": true, "clientId": "Iv1.abc", "clientSecret": "s3cret"])
            let apple = try await administrator.send(
                .POST, "defaultSupportedIdpConfigs?idpId=apple.com",
                [
                    "enabled": true, "clientId": "com.example.web",
                    "appleSignInConfig": [
                        "bundleIds": ["com.example.app"],
                        "codeFlowConfig": [
                            "teamId": "ABCDE12345", "keyId": "KEYID12345", "privateKey": .string(key),
                        ],
                    ],
                ])
            let list = try await administrator.send(.GET, "defaultSupportedIdpConfigs")
            let unknown = try await administrator.send(
                .POST, "defaultSupportedIdpConfigs?idpId=facebook.com", ["clientId": "a"])

            #expect(gitHub.status == 200 && gitHub["clientId"] == "Iv1.abc", "\(gitHub.text)")
            #expect(apple.status == 200 && apple["clientId"] == "com.example.web", "\(apple.text)")
            #expect(apple["appleSignInConfig"]?["bundleIds"] == ["com.example.app"])
            #expect(
                apple["appleSignInConfig"]?["codeFlowConfig"] == ["teamId": "ABCDE12345", "keyId": "KEYID12345"])
            #expect(list["defaultSupportedIdpConfigs"]?.array?.count == 2)
            #expect(!list.text.contains("s3cret") && !list.text.contains("PRIVATE KEY"))
            #expect(unknown.code == "INVALID_CONFIG" && unknown.text.contains("github.com"), "\(unknown.text)")
            #expect(broker.core.providers.current.providers.map(\.id) == ["github.com", "apple.com"])
        }
    }
}
