import Broker
import BrokerStore
import NIOHTTP1
import ProviderKit
import Testing

@Suite("administrative operations over HTTP")
struct AdminRouteTests {
    /// Creates an admin token and calls an operation with it.
    private static func call(
        _ name: String, _ parameters: JSONValue = [:], scopes: Set<AdminScope> = [.admin], at broker: TestBroker
    ) async throws -> Answer {
        let (_, token) = try await broker.core.sessions.adminCredentials.create(
            named: "Test", scopes: scopes, lifetime: nil, origin: Origin(.admin, actor: "test"))
        return try await broker.send(
            .POST, "/v1/broker/admin/\(name)",
            headers: ["Authorization": "Bearer \(token.text)", "Content-Type": "application/json"],
            body: Array(parameters.serialized().utf8))
    }

    @Test func `an operation answers what it answers in process`() async throws {
        try await TestBroker.run { broker in
            let ada = try await broker.signIn(broker.person("ada")).string("localId")

            let list = try await Self.call("users.list", at: broker)
            let user = try await Self.call("users.show", ["user": "ada@example.com"], scopes: [.readUsers], at: broker)

            let call = AdminCall(broker.core.admin, origin: Origin(.admin, actor: "test"))
            let inProcess = try await ShowUser(user: ada).run(for: call)
            #expect(list.status == 200, "\(list.text)")
            #expect(list["users"]?.array?.map { $0["localId"]?.string } == [ada])
            #expect(user.status == 200 && user.text == inProcess.serialized(), "\(user.text)")
        }
    }

    @Test func `a credential needs the scope of the operation, and the answer names it`() async throws {
        try await TestBroker.run { broker in
            let anonymous = try await broker.send(.POST, "/v1/broker/admin/users.list")
            let other = try await Self.call("users.list", scopes: [.readAudit, .writeUsers], at: broker)

            #expect(anonymous.status == 401)
            #expect(other.status == 403 && other.message?.contains("users:read") == true, "\(other.text)")
        }
    }

    @Test func `unknown operations, unknown parameters and values out of range are refused`() async throws {
        try await TestBroker.run { broker in
            let operation = try await Self.call("users.lst", at: broker)
            let parameter = try await Self.call("users.list", ["limt": 1], at: broker)
            let range = try await Self.call("users.list", ["limit": 1001], at: broker)
            let user = try await Self.call("users.show", ["user": "nobody"], at: broker)

            #expect(operation.status == 404)
            #expect(parameter.status == 400 && parameter.message?.contains("limit") == true, "\(parameter.text)")
            #expect(range.message == "INVALID_ARGUMENT : limit takes 1 to 1000")
            #expect(range["error"]?["status"] == "INVALID_ARGUMENT")
            #expect(user.status == 400 && user.message == "USER_NOT_FOUND : there is no user nobody")
        }
    }

    @Test func `every operation has a name of its own`() {
        let names = AdminOperations.all.map { $0.name }

        #expect(Set(names).count == names.count && !names.isEmpty)
        #expect(names.allSatisfy { $0.wholeMatch(of: /[a-z-]+(\.[a-z-]+)+/) != nil }, "\(names)")
    }
}
