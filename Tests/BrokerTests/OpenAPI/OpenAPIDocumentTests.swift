import Foundation
import NIOHTTP1
import ProviderKit
import Testing

@testable import Broker

@Suite("the OpenAPI document")
struct OpenAPIDocumentTests {
    @Test func `everything that is served is described, and nothing else`() async throws {
        try await TestBroker.run { broker in
            let document = try BrokerServer(broker.core).openAPIDocument()

            #expect(document.undescribed == [])
            #expect(document.unserved == [])
            #expect(try await broker.get(OpenAPIDocument.path).body.object == document.json)
        }
    }

    @Test func `operations have identifiers of their own, and every reference leads somewhere`() async throws {
        try await TestBroker.run { broker in
            let json = try BrokerServer(broker.core).openAPIDocument().json
            let operations = (json["paths"]?.object ?? [:]).flatMap { path in
                (path.value.object ?? [:]).compactMap { $0.value["operationId"]?.string }
            }

            #expect(operations.count > 100 && Set(operations).count == operations.count)
            #expect(operations.allSatisfy { $0.wholeMatch(of: /[a-z][A-Za-z0-9]*[A-Za-z]/) != nil }, "\(operations)")
            for reference in Self.references(in: .object(json)) {
                let path = reference.dropFirst(2).split(separator: "/")
                let target = path.reduce(JSONValue?.some(.object(json))) { $0?[String($1)] }
                #expect(target != nil, "\(reference)")
            }
        }
    }

    @Test func `a sign-up is described as it is answered, to apps and to administrators`() async throws {
        try await TestBroker.run { broker in
            let paths = try BrokerServer(broker.core).openAPIDocument().json["paths"]?.object ?? [:]
            let backend = try await TestBackend(broker)
            let operation = try #require(paths["/v1/accounts:signUp"]?["post"])
            let aliases = (operation["x-aliases"]?.array ?? []).compactMap(\.string)

            #expect(aliases.count == 3)
            for path in ["/v1/accounts:signUp"] + aliases {
                #expect(path == "/v1/accounts:signUp" || paths[path] == nil)
                let schema = operation["responses"]?["200"]?["content"]?["application/json"]?["schema"]
                let shapes = try #require(schema?["anyOf"]?.array)
                let app = try await broker.post(path, ["returnSecureToken": true])
                let administrator = try await backend.send(.POST, path, ["email": .string("\(UUID())@example.com")])

                for answer in [app, administrator] {
                    let names = Set(answer.body.object?.names ?? [])
                    #expect(answer.status == 200, "\(answer.text)")
                    #expect(shapes.contains { Self.describes($0, names) }, "\(path) \(answer.text)")
                }
                let schemes = (operation["security"]?.array ?? []).compactMap { $0.object?.names.first }
                #expect(schemes == ["apiKey", "apiKeyHeader", "administrator"])
            }
        }
    }

    @Test func `the page shows every operation and every schema, under the policy of the hosted pages`() async throws {
        try await TestBroker.run { broker in
            let json = try BrokerServer(broker.core).openAPIDocument().json
            let page = try await broker.get("/docs", headers: ["Accept-Language": "ko"])
            let policy = try #require(page.headers.first(name: "Content-Security-Policy"))

            #expect(page.status == 200 && page.headers.first(name: "Content-Language") == "en")
            #expect(policy.hasPrefix("default-src 'none'; style-src 'nonce-") && !policy.contains("script-src"))
            #expect(!page.text.contains("<script") && !page.text.contains(" style="))
            for (path, item) in json["paths"]?.object ?? [:] {
                for (method, operation) in item.object ?? [:] where method != "head" {
                    let id = operation["operationId"]?.string ?? ""
                    #expect(page.text.contains("<details id=\"\(id)\">"), "\(method) \(path)")
                }
            }
            for name in json["components"]?["schemas"]?.object?.names ?? [] {
                #expect(page.text.contains("<details id=\"schema-\(name)\">"))
            }
            #expect(try PageMarkup(page.text).elements.count > 1000)
        }
    }

    /// The identifiers that clients are generated from; a new operation adds its own.
    private static let identifiers = """
        accountDelete accountExport accountHistoryPage accountLink accountMerge accountPage accountProfile \
        accountProfilePage accountSession accountSignOut accountSignOutEverywhere \
        accountUnlink authorize authorizeApp authorizeByPost authorizeDevice bootstrapDevice brandImage callback \
        callbackContinuation callbackForm certificates clientLogo continueForm continuePage createAuthUri \
        createDefaultSupportedIdpConfig createOAuthIdpConfig createSessionCookie createUser delete \
        deleteDefaultSupportedIdpConfig deleteInboundSamlConfigsId deleteOAuthIdpConfig deleteOwnAccount \
        deleteTenantsTenant deleteTenantsTenantResource deleteTenantsTenantResourceId deleteUser deleteUsers \
        departPage deviceForm devicePage diagnosePage discovery documentationPage downloadUsers exchangeCredential \
        exportOwnAccount ownHistory ownProviders \
        exportUsers framePage getDefaultSupportedIdpConfig getInboundSamlConfigsId getOAuthIdpConfig \
        getTenantsTenant getTenantsTenantResource getTenantsTenantResourceId getV1TenantsTenantResource googleKeys \
        handlerPage health icon importUsers interactionPage introspect issueSamlResponse keys listAppProviders \
        listDefaultSupportedIdpConfigs listInboundSamlConfigs listOAuthIdpConfigs listTenants logout logoutByPost \
        lookup lookupUsers mergeOwnAccounts mfaEnrollmentFinalize mfaEnrollmentStart mfaEnrollmentWithdraw \
        mfaSignInFinalize mfaSignInStart openAPI ownAccount ownMerges ownProviderToken ownSessions \
        passkeyEnrollmentFinalize passkeyEnrollmentStart passkeySignInFinalize passkeySignInStart passwordPolicy \
        patchInboundSamlConfigsId patchTenantsTenant patchTenantsTenantResource patchTenantsTenantResourceId \
        postIdentityPlatformInitializeAuth postInboundSamlConfigs postTenants postTenantsTenant \
        postTenantsTenantResource postTenantsTenantResourceId postV1AccountsSendOobCode postV1TenantsTenant \
        postV1TenantsTenantResource previewOwnMerge projectConfig projectKeys projectMetadata projectSettings \
        pushAuthorizationRequest queryUsers readProviderToken readiness recaptchaConfig recaptchaParams \
        receiveNotification refresh resetPassword revoke revokeOwnGrant revokeProviderToken root sendOobCode \
        sendVerificationCode serviceAccountToken sessionCookieKeys signInPage signInWithCustomToken \
        signInWithEmailLink signInWithGameCenter signInWithIdp signInWithPassword signInWithPhoneNumber signOut \
        signOutAll signOutForm signOutOwnSession signOutOwnSessions signOutSession signUp token undoOwnMerge \
        unlinkProvider update updateDefaultSupportedIdpConfig updateOAuthIdpConfig updateOwnAccount \
        updateProjectConfig updateUser userInfo userInfoByPost verifyIosClient withdrawalOutcome witnessPage
        """

    @Test func `the identifiers of operations are those of earlier releases`() async throws {
        try await TestBroker.run { broker in
            let paths = try BrokerServer(broker.core).openAPIDocument().json["paths"]?.object ?? [:]
            let found = paths.filter { !$0.name.hasPrefix("/v1/broker/admin/") }.flatMap { path in
                (path.value.object ?? [:]).filter { $0.name != "head" }.compactMap { $0.value["operationId"]?.string }
            }

            #expect(found.sorted() == Self.identifiers.split(separator: " ").map(String.init).sorted())
        }
    }

    @Test func `every property and every parameter says what it is`() async throws {
        try await TestBroker.run { broker in
            let json = try BrokerServer(broker.core).openAPIDocument().json
            var undescribed = Self.undescribed(in: json["components"] ?? .null, at: "components")
            for (path, item) in json["paths"]?.object ?? [:] {
                undescribed += Self.undescribed(in: item, at: path)
            }

            #expect(undescribed == [])
        }
    }

    /// The properties and parameters without a text.
    private static func undescribed(in value: JSONValue, at place: String) -> [String] {
        switch value {
        case .object(let object):
            object.flatMap { name, value -> [String] in
                let members: [(String, JSONValue)] =
                    switch name {
                    case "properties": (value.object ?? [:]).map { ($0.name, $0.value) }
                    case "parameters": (value.array ?? []).map { ($0["name"]?.string ?? "", $0) }
                    default: []
                    }
                let silent = members.filter { ($0.1["description"]?.string ?? "").isEmpty }.map { "\(place) \($0.0)" }
                return silent + undescribed(in: value, at: place)
            }
        case .array(let values): values.flatMap { undescribed(in: $0, at: place) }
        default: []
        }
    }

    private static func describes(_ shape: JSONValue, _ names: Set<String>) -> Bool {
        let required = Set((shape["required"]?.array ?? []).compactMap(\.string))
        return required.isSubset(of: names) && names.isSubset(of: Set(shape["properties"]?.object?.names ?? []))
    }

    private static func references(in value: JSONValue) -> [String] {
        switch value {
        case .object(let object):
            object.flatMap { name, value in
                name == "$ref" ? [value.string].compactMap(\.self) : references(in: value)
            }
        case .array(let values): values.flatMap(references)
        default: []
        }
    }
}
