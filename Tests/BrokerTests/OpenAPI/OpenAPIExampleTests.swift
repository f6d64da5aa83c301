import Broker
import BrokerStore
import Foundation
import Generic
import GitHub
import GitLab
import NIOHTTP1
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

/// Sends the example of every operation as the document has it, with placeholders replaced, and compares the answers with
/// the document.
@Suite("the examples of the OpenAPI document")
struct OpenAPIExampleTests {
    /// The operations whose example is refused, with the status: forms of pages that the broker has not shown, answers to
    /// requests that were not made, pictures that no brand has, and what the provider of this broker does not offer. What
    /// the document itself calls refused is not listed.
    private static let refused: [String: Int] = [
        "accountDelete": 403, "accountExport": 403, "accountProfile": 403, "accountLink": 403, "accountMerge": 403,
        "accountSession": 403, "accountSignOut": 403,
        "accountSignOutEverywhere": 403, "accountUnlink": 403, "continueForm": 403, "deviceForm": 403,
        "signOutForm": 403, "continuePage": 400, "departPage": 400, "interactionPage": 400, "callback": 400,
        "callbackForm": 400, "callbackContinuation": 400, "authorizeApp": 400, "exchangeCredential": 400,
        "bootstrapDevice": 400, "undoOwnMerge": 400, "revokeOwnGrant": 400, "receiveNotification": 404,
        "withdrawalOutcome": 404, "getDefaultSupportedIdpConfig": 400, "updateDefaultSupportedIdpConfig": 400,
        "deleteDefaultSupportedIdpConfig": 400, "brandImage": 404, "brandImageHead": 404, "clientLogo": 404,
        "clientLogoHead": 404,
    ]

    /// Those whose outcome depends on what the user has at the provider.
    private static let ofProvider: Set = [
        "unlinkProvider", "ownProviderToken", "readProviderToken", "revokeProviderToken", "mergeOwnAccounts",
        "previewOwnMerge",
    ]

    @Test func `are answered as they are described`() async throws {
        try await Self.run { sender in
            var answered: [String: Int] = [:]
            for example in try sender.examples() {
                let answer = try await sender.send(example)
                let isSuccess = (200..<400).contains(answer.status)
                if example.isOffered, !Self.ofProvider.contains(example.id) {
                    answered[example.id] = isSuccess ? nil : answer.status
                }
                #expect(example.isOffered || answer.status == 400, "\(example.id) \(answer.status)")
                #expect(example.describes(answer), "\(example.id) \(answer.status) \(answer.text.prefix(400))")
            }

            #expect(answered == Self.refused)
        }
    }

    private static func run(_ test: (ExampleSender) async throws -> Void) async throws {
        let fixture = try ServiceAccountFixture.trusted.get()
        let account = try fixture.account()
        try await TestBroker.run(
            { configuration in
                configuration.serviceAccounts = [account]
                configuration.project.authorizedDomains = ["localhost", "app.example"]
            }, plugins: [.github, .gitlab, .oidc]
        ) { broker in try await test(try await ExampleSender(broker, fixture)) }
    }
}

/// An operation of the document, with its example.
private struct Example {
    let id: String
    let method: HTTPMethod
    let path: String
    let operation: JSONValue
    let components: JSONValue

    /// The credential: an administrator's where nothing else is required.
    var scheme: String? {
        let schemes = (operation["security"]?.array ?? []).compactMap { $0.object?.names.first }
        return schemes.first == "client" ? schemes.first { $0 == "administrator" } : schemes.first
    }

    var isOffered: Bool { operation["summary"]?.string?.hasPrefix("Is refused") != true }

    var body: (type: String, value: JSONValue)? {
        guard let content = operation["requestBody"]?["content"]?.object?.first else { return nil }
        return (content.name, content.value["example"] ?? .null)
    }

    /// Whether the answer has a status and members of the document.
    func describes(_ answer: Answer) -> Bool {
        guard let response = operation["responses"]?[String(answer.status)] else { return false }
        guard let schema = response["content"]?["application/json"]?["schema"], let object = answer.body.object else {
            return true
        }
        return (schema["anyOf"]?.array ?? [schema]).contains { shape in
            let shape = resolved(shape)
            let names = Set(object.names)
            let required = Set((shape["required"]?.array ?? []).compactMap(\.string))
            let isClosed = shape["additionalProperties"] == false
            return required.isSubset(of: names)
                && (!isClosed || names.isSubset(of: Set(shape["properties"]?.object?.names ?? [])))
        }
    }

    private func resolved(_ schema: JSONValue) -> JSONValue {
        guard let name = schema["$ref"]?.string?.split(separator: "/").last else { return schema }
        return components["schemas"]?[String(name)] ?? .null
    }
}

private struct ExampleSender {
    let broker: TestBroker
    let backend: TestBackend
    let native: NativeApp
    let serviceAccount: ServiceAccountBackend
    let signer: ServiceAccountFixture

    init(_ broker: TestBroker, _ signer: ServiceAccountFixture) async throws {
        (self.broker, self.signer) = (broker, signer)
        backend = try await TestBackend(broker)
        let app = try await OAuthApp(at: broker, .native, redirectURIs: ["https://app.example/callback"])
        _ = try await broker.core.openID.clients.update(
            id: app.client.id, ClientChanges(receivesProviderTokens: true), origin: Origin(.admin))
        native = NativeApp(app: app)
        serviceAccount = try await ServiceAccountBackend.create(at: broker, [.readUsers])
    }

    func examples() throws -> [Example] {
        let json = try BrokerServer(broker.core).openAPIDocument().json
        return (json["paths"]?.object ?? [:]).filter { !$0.name.hasPrefix("/v1/broker/admin/") }.flatMap { path, item in
            (item.object ?? [:]).map { method, operation in
                Example(
                    id: operation["operationId"]?.string ?? "", method: HTTPMethod(rawValue: method.uppercased()),
                    path: path, operation: operation, components: json["components"] ?? .null)
            }
        }
    }

    func send(_ example: Example) async throws -> Answer {
        let values = try await placeholders(example)
        var path = example.path
        var query: [(name: String, value: String)] = []
        for parameter in example.operation["parameters"]?.array ?? [] {
            guard let name = parameter["name"]?.string, let text = parameter["example"]?.string else { continue }
            let value = Self.replaced(text, values)
            switch parameter["in"] {
            case "path": path = path.replacing("{\(name)}", with: value)
            case "query": query.append((name, value))
            default: break
            }
        }
        var headers: HTTPHeaders = [:]
        switch example.scheme {
        case "apiKey": query.append(("key", broker.apiKey))
        case "administrator": headers.add(name: "Authorization", value: "Bearer \(backend.token)")
        case "accessToken":
            headers.add(name: "Authorization", value: "Bearer \(values["<access token>"] ?? "")")
        default: break
        }
        var body: [UInt8]?
        if let (type, value) = example.body {
            headers.add(name: "Content-Type", value: type)
            let value = Self.replaced(value, values)
            let isForm = type == "application/x-www-form-urlencoded"
            let form = (value.object ?? [:]).map { (name: $0.name, value: $0.value.string ?? "") }
            body = Array((isForm ? FormEncoding.encode(form) : value.serialized()).utf8)
        }
        if !query.isEmpty { path += "?" + FormEncoding.encode(query) }
        return try await broker.send(example.method, path, headers: headers, body: body)
    }

    /// What stands for the placeholders of an example: users and tokens of its own, since an operation may end them.
    private func placeholders(_ example: Example) async throws -> [String: String] {
        let text = example.operation.serialized() + (example.scheme == "accessToken" ? "<access token>" : "")
        func has(_ names: String...) -> Bool { names.contains { text.contains($0) } }
        let isOAuth = example.path.hasPrefix("/oauth/")
        var values = [
            "my-project": "test-project", "<API key>": broker.apiKey, "<client>": native.app.client.id,
            "<provider token>": try providerToken("ada"), "<assertion>": try serviceAccount.assertion(),
            "<custom token>": try signer.token(ServiceAccountFixture.claims("alice", at: broker.clock.now)),
        ]
        if has("<user>", "<ID token>") || !isOAuth && has("<refresh token>") {
            let user = try await broker.signIn(broker.person("ada"))
            values["<user>"] = try user.string("localId")
            values["<ID token>"] = try user.string("idToken")
            values["<refresh token>"] = try user.string("refreshToken")
        }
        if has("<access token>", "<session>") || isOAuth && has("<refresh token>") {
            let own = try await native.exchange(credential("ada"))
            values["<access token>"] = try own.string("access_token")
            values["<session>"] = try own.claims()["sid"]?.string ?? ""
            if isOAuth { values["<refresh token>"] = try own.string("refresh_token") }
        }
        if has("<token of the other account>") {
            values["<token of the other account>"] = try await native.exchange(credential("ben")).string("access_token")
        }
        return values
    }

    private func providerToken(_ login: String) throws -> String {
        try broker.simulator.accessToken(
            for: broker.person(login), application: broker.simulator.application(of: "github.com"))
    }

    private func credential(_ login: String) throws -> [(String, String)] {
        [("access_token", try providerToken(login)), ("providerId", "github.com")]
    }

    private static func replaced(_ text: String, _ values: [String: String]) -> String {
        values.reduce(text) { $0.replacing($1.key, with: $1.value) }
    }

    private static func replaced(_ value: JSONValue, _ values: [String: String]) -> JSONValue {
        switch value {
        case .string(let text): .string(replaced(text, values))
        case .array(let elements): .array(elements.map { replaced($0, values) })
        case .object(let object): .object(JSONObject(object.map { ($0.name, replaced($0.value, values)) }))
        default: value
        }
    }
}
