import BrokerStore
import NIOHTTP1
import ProviderKit
import Testing

@testable import Broker

@Suite("the project's configuration of Identity Toolkit")
struct ProjectConfigTests {
    @Test func `it has the settings that count, and a change with a mask changes what the mask names`() async throws {
        try await TestBroker.run { broker in
            let administrator = try await ConfigurationAdministrator(of: broker)
            let before = try await administrator.send(.GET, "config")
            let changed = try await administrator.send(
                .PATCH, "config?updateMask=authorizedDomains,signIn.anonymous.enabled,unknown.mask",
                [
                    "authorizedDomains": ["app.example"], "signIn": ["anonymous": ["enabled": false]],
                    "client": ["permissions": ["disabledUserSignup": true]],
                ])

            #expect(before["name"] == "projects/test-project/config")
            #expect(before["authorizedDomains"] == ["localhost"])
            #expect(before["signIn"] == ["allowDuplicateEmails": false, "anonymous": ["enabled": true]])
            #expect(before["emailPrivacyConfig"] == ["enableImprovedEmailPrivacy": true])
            #expect(changed["authorizedDomains"] == ["app.example"])
            #expect(changed["signIn"]?["anonymous"] == ["enabled": false])
            #expect(changed["client"]?["permissions"]?["disabledUserSignup"] == false)
            #expect(try await administrator.send(.GET, "config").body == changed.body)
            #expect(try await broker.signUp().code == "ADMIN_ONLY_OPERATION")
            #expect(
                try await broker.get("/v1/projects?key=\(broker.apiKey)")["authorizedDomains"] == ["app.example"])
        }
    }

    @Test func `without a mask the document is replaced, and what it lacks has its default`() async throws {
        try await TestBroker.run { broker in
            let administrator = try await ConfigurationAdministrator(of: broker)
            _ = try await administrator.send(
                .PATCH, "config?updateMask=authorizedDomains,client",
                ["authorizedDomains": ["a.example"], "client": ["permissions": ["disabledUserDeletion": true]]])
            let replaced = try await administrator.send(
                .PATCH, "config", ["signIn": ["anonymous": ["enabled": false]]])

            #expect(replaced["authorizedDomains"] == ["localhost"])
            #expect(replaced["client"]?["permissions"]?["disabledUserDeletion"] == false)
            #expect(replaced["signIn"]?["anonymous"] == ["enabled": false])
        }
    }

    @Test func `new users are refused while sign-up is disabled, at every broker, and known ones sign in`() async throws
    {
        try await TestBroker.run { broker in
            let ada = try broker.person("ada")
            _ = try await broker.signIn(ada)
            let administrator = try await ConfigurationAdministrator(of: broker)
            _ = try await administrator.send(
                .PATCH, "config?updateMask=client.permissions.disabledUserSignup",
                ["client": ["permissions": ["disabledUserSignup": true]]])

            let created = try await broker.signIn(broker.person("ben"))
            #expect(created.status == 400 && created.message == "ADMIN_ONLY_OPERATION", "\(created.text)")
            #expect(try await broker.signIn(ada).status == 200)
            #expect(try await broker.signUp().code == "ADMIN_ONLY_OPERATION")
            try await broker.withSecondBroker { other in
                #expect(try await other.signIn(other.person("cleo")).message == "ADMIN_ONLY_OPERATION")
                _ = try await administrator.send(
                    .PATCH, "config?updateMask=client", ["client": ["permissions": ["disabledUserSignup": false]]])
                #expect(try await other.core.providers.storedConfiguration.reload()?.settings?.allowsSignUp == true)
                #expect(try await other.signIn(other.person("cleo")).status == 200)
            }
        }
    }

    @Test func `users cannot delete their accounts while deletion is disabled, and administrators can`() async throws {
        try await TestBroker.run { broker in
            let session = try await broker.signIn(broker.person("ada"))
            let administrator = try await ConfigurationAdministrator(of: broker)
            _ = try await administrator.send(
                .PATCH, "config?updateMask=client", ["client": ["permissions": ["disabledUserDeletion": true]]])
            let body: JSONValue = ["idToken": .string(try session.string("idToken"))]

            #expect(try await broker.post("/v1/accounts:delete", body).message == "ADMIN_ONLY_OPERATION")
            try await broker.core.accounts.deleteAccount(localID: session.string("localId"), origin: Origin(.admin))
            #expect(try await broker.post("/v1/accounts:lookup", body).status == 400)
        }
    }

    @Test func `an address tells its providers only while the protection is off`() async throws {
        try await TestBroker.run { broker in
            _ = try await broker.signIn(broker.person("ada"))
            let question: JSONValue = ["identifier": "ada@example.com", "continueUri": "http://localhost"]
            let before = try await broker.post("/v1/accounts:createAuthUri", question)
            let administrator = try await ConfigurationAdministrator(of: broker)
            _ = try await administrator.send(
                .PATCH, "config?updateMask=emailPrivacyConfig.enableImprovedEmailPrivacy",
                ["emailPrivacyConfig": ["enableImprovedEmailPrivacy": false]])
            let after = try await broker.post("/v1/accounts:createAuthUri", question)

            #expect(before["registered"] == nil && after["registered"] == true, "\(after.text)")
            #expect(after["signinMethods"] == ["github.com"])
        }
    }

    @Test(
        arguments: [
            ["signIn": ["email": ["enabled": true]]], ["signIn": ["allowDuplicateEmails": true]],
            ["mfa": ["state": "ENABLED"]], ["multiTenant": ["allowTenants": true]],
            ["blockingFunctions": ["triggers": ["beforeCreate": ["functionUri": "https://f.example"]]]],
        ] as [JSONValue])
    func `a feature that is not here is refused, with and without a mask`(body: JSONValue) async throws {
        try await TestBroker.run { broker in
            let administrator = try await ConfigurationAdministrator(of: broker)
            let root = try #require(body.object?.names.first)

            for path in ["config", "config?updateMask=\(root)"] {
                let answer = try await administrator.send(.PATCH, path, body)
                #expect(answer.status == 400 && answer.code == "OPERATION_NOT_ALLOWED", "\(answer.text)")
            }
            // A mask that names something else does not look there.
            #expect(try await administrator.send(.PATCH, "config?updateMask=authorizedDomains", body).status == 200)
        }
    }

    @Test func `what the file says goes before the store, and may be repeated and not changed`() async throws {
        try await TestBroker.run({ $0.settingsInFile = [.authorizedDomains] }) { broker in
            let administrator = try await ConfigurationAdministrator(of: broker)
            let changed = try await administrator.send(
                .PATCH, "config?updateMask=authorizedDomains", ["authorizedDomains": ["app.example"]])
            let repeated = try await administrator.send(
                .PATCH, "config", try await administrator.send(.GET, "config").body)

            #expect(changed.code == "SETTING_IN_FILE" && changed.text.contains("project.authorizedDomains"))
            #expect(repeated.status == 200, "\(repeated.text)")
            #expect(repeated["authorizedDomains"] == ["localhost"])
        }
    }

    @Test(.timeLimit(.minutes(20)))
    func `another running broker follows domains and sign-up settings by itself, within what its file allows`()
        async throws
    {
        try await TestBroker.run { broker in
            var intervals = BackgroundIntervals.still
            intervals.providers = .milliseconds(20)
            // The other broker's file says what the domains are; sign-up is for the store to say.
            try await broker.withSecondCore({ $0.settingsInFile = [.authorizedDomains] }) { core in
                try await TestBroker.serve(core, intervals: intervals) { url in
                    let other = TestBroker(
                        core: core, url: url, apiKey: broker.apiKey, simulator: broker.simulator, clock: broker.clock,
                        folder: broker.folder)
                    let administrator = try await ConfigurationAdministrator(of: broker)
                    let changed = try await administrator.send(
                        .PATCH, "config?updateMask=authorizedDomains,client.permissions.disabledUserSignup",
                        [
                            "authorizedDomains": ["app.example"],
                            "client": ["permissions": ["disabledUserSignup": true]],
                        ])
                    #expect(changed.status == 200, "\(changed.text)")
                    // Each answer is the state at the other broker; the time limit ends a broker that never follows.
                    while try await other.signUp().status == 200 {}
                    let followed = try await ConfigurationAdministrator(of: other).send(.GET, "config")

                    #expect(try await other.signIn(other.person("ada")).message == "ADMIN_ONLY_OPERATION")
                    #expect(followed["client"]?["permissions"]?["disabledUserSignup"] == true, "\(followed.text)")
                    #expect(followed["authorizedDomains"] == ["localhost"], "\(followed.text)")
                }
            }
        }
    }

    @Test(arguments: ["https://app.example", "app.example:443", "*.example", "", "a b"])
    func `a domain is a host name`(domain: String) async throws {
        try await TestBroker.run { broker in
            let administrator = try await ConfigurationAdministrator(of: broker)
            let answer = try await administrator.send(
                .PATCH, "config?updateMask=authorizedDomains", ["authorizedDomains": [.string(domain)]])

            #expect(answer.code == "INVALID_CONFIG", "\(answer.text)")
        }
    }

    @Test func `stored settings that a broker does not understand keep it from nothing`() async throws {
        try await TestBroker.run { broker in
            let text = #"{"signUp": "never", "authorizedDomains": ["a.example"], "later": 1}"#
            _ = try await broker.core.store.write {
                try $0.insertSetting(StoredConfiguration.settingsName, Array(text.utf8))
            }

            let settings = try await broker.withSecondCore { $0.providers.settings.current }
            #expect(settings.allowsSignUp && settings.authorizedDomains == ["a.example"])
        }
    }
}
