import ProviderKit
import Testing

@testable import Broker

@Suite("Forms of operations")
struct OperationFormTests {
    private static func body<Operation: AdminOperation>(
        _ operation: Operation.Type, _ typed: [String: String]
    ) throws -> JSONObject {
        try OperationForm(of: operation).body(of: FormContents(sent: typed)).get()
    }

    private static func fields(of problem: () throws -> JSONObject) -> [String?] {
        do {
            _ = try problem()
            return []
        } catch let problems as FormProblems {
            return problems.all.map(\.field)
        } catch {
            return [nil]
        }
    }

    @Test func `every operation that one call of is of use has a form with all its arguments`() throws {
        var count = 0
        for operation in AdminOperations.all where OperationForm.exists(for: operation.declaration) {
            count += 1
            try Self.expectAllArguments(operation)
        }
        #expect(count > 50)
    }

    private static func expectAllArguments<Operation: AdminOperation>(_ operation: Operation.Type) throws {
        let form = try OperationForm(of: operation)
        // The catalogue is chosen from on a page of its own.
        let elsewhere: [DeclaredArgument.Content] = [.file, .catalogueName, .catalogueVariables]
        let arguments = operation.declaration.arguments
            .filter { $0.content.map(elsewhere.contains) != true }.map(\.name)
        #expect(Set(form.fields.compactMap(\.path.first)) == Set(arguments), "\(operation.name)")
        #expect(!operation.declaration.heading.isEmpty && !operation.declaration.heading.hasSuffix("."))
        for field in form.fields { #expect(!field.text.isEmpty, "\(operation.name) \(field.name)") }
    }

    @Test func `operations that are steps of a command have no form`() {
        let steps = AdminOperations.all.filter { !OperationForm.exists(for: $0.declaration) }.map { $0.name }
        #expect(
            steps.sorted() == [
                "audit.follow", "providers.try.finish", "providers.try.start", "users.export", "users.import",
            ])
    }

    @Test func `what is typed becomes the value that the operation takes`() throws {
        #expect(
            try Self.body(
                CreateAdminToken.self,
                ["name": " Calendar ", "scopes.users:read": "yes", "scopes.audit:read": "yes", "lifetimeSeconds": "60"])
                == ["name": "Calendar", "scopes": ["users:read", "audit:read"], "lifetimeSeconds": 60])
        #expect(
            try Self.body(
                AddClient.self,
                [
                    "type": "public", "name": "Notes", "redirectUris": "https://a.example/\r\n\r\n https://b.example/ ",
                    "isFirstParty": "yes",
                ])
                == [
                    "type": "public", "name": "Notes", "redirectUris": ["https://a.example/", "https://b.example/"],
                    "isFirstParty": true,
                ])
        #expect(
            try Self.body(SetUserClaims.self, ["user": "ann", "claims": "{\r\n\"plan\": [1, null]}"])
                == ["user": "ann", "claims": ["plan": [1, .null]]])
        #expect(
            try Self.body(
                ListAudit.self, ["selection.event": "user.", "selection.since": "2026-11-26T15:49", "limit": "7"])
                == ["selection": ["event": "user.", "since": "2026-11-26T15:49:00Z"], "limit": 7])
        #expect(
            try Self.body(UpdateUser.self, ["user": "ann", "emailVerified": "no"])
                == ["user": "ann", "emailVerified": false])
        #expect(try Self.body(DisableUserOperation.self, ["user": "ann", "more": "x"]) == ["user": "ann"])
    }

    @Test func `of a thing that is changed only what differs is sent`() throws {
        let typed = [
            "user": "ann", "email": "ann@example.com", "present.email": "ann@example.com", "displayName": "",
            "present.displayName": "Ann", "emailVerified": "yes", "present.emailVerified": "yes",
        ]
        #expect(try Self.body(UpdateUser.self, typed) == ["user": "ann", "displayName": ""])
        let client = [
            "client": "c", "redirectUris": "", "present.redirectUris": "https://a.example/\r\nhttps://b.example/",
            "postLogoutRedirectUris": "https://a.example/\r\nhttps://c.example/",
            "present.postLogoutRedirectUris": "https://a.example/\nhttps://c.example/",
        ]
        #expect(try Self.body(UpdateClient.self, client) == ["client": "c", "redirectUris": []])
    }

    @Test func `each wrong value is told at its field`() {
        #expect(Self.fields { try Self.body(DisableUserOperation.self, [:]) } == ["user"])
        #expect(Self.fields { try Self.body(SetUserClaims.self, ["claims": "{"]) } == ["user", "claims"])
        #expect(
            Self.fields { try Self.body(ListAudit.self, ["limit": "many"]) } == ["limit"])
        #expect(Self.fields { try Self.body(ListAudit.self, ["limit": "10001"]) } == ["limit"])
        #expect(
            Self.fields { try Self.body(AddClient.self, ["type": "odd", "name": "x", "pkce": "odd"]) } == [
                "type", "pkce",
            ])
    }

    @Test func `the refusal of an operation is told at the field that it names`() throws {
        let form = try OperationForm(of: AddWebhook.self)
        #expect(form.problem(.parameter("url", "cannot be used: it is odd")).field == "url")
        #expect(form.problem(AdminFailure(code: "TOO_MANY", "there are too many")).field == nil)
        #expect(form.problem(AdminFailure(code: "INVALID_EMAIL", "INVALID_EMAIL")).text == "Invalid email.")
        #expect(form.problem(JSONDecodingError(path: "/events/1", kind: .invalid(reason: "odd"))).field == "events")
        #expect(form.problem(JSONDecodingError(path: "/else", kind: .missing)).field == nil)
        let keys = try OperationForm(of: RotateSigningKeysOperation.self)
        #expect(keys.problem(misuse: "--revoke needs --now.").text == "“Revoke” needs “Now”.")
    }

    @Test func `names of code become words`() {
        #expect("redirectUris".asWords == "Redirect URIs")
        #expect("clientId".asWords == "Client ID")
        #expect("localId".asWords == "Local ID")
        #expect("lifetimeSeconds".asWords == "Lifetime seconds")
        #expect("url".asWords == "URL")
    }

    @Test func `a link fills no field that carries a decision`() throws {
        let linked = FormContents(linked: ["user": "ann", "present.user": "ben"], present: [:])
        let field = try #require(try OperationForm(of: DeleteUser.self).fields.first)
        #expect(linked.fixed == ["user"])
        #expect(linked.present(field) == nil)
    }

    @Test func `the preview has every page of apps, providers, webhooks, keys and the audit`() {
        // One that is no answer of its operation would be left out.
        #expect(ConsoleSamples().settings.count == 23)
    }
}
