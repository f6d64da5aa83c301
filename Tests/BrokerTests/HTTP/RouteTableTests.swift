import HTTPTypes
import ProviderKit
import Testing

@testable import Broker

@Suite("the table of routes")
struct RouteTableTests {
    private static let table: RouteTable = {
        var table = RouteTable(.identityToolkit)
        for path in ["/v1/projects/{project}:query", "/v1/projects/{project}:export", "/v1/projects/{project}/users"] {
            table.add(.post, path, .immediate { _, _ in Response(status: .ok) })
        }
        return table
    }()

    @Test(arguments: [
        ("/v1/projects/demo:query", "/v1/projects/{project}:query"),
        ("/v1/projects/demo:export", "/v1/projects/{project}:export"),
        ("/v1/projects/a:b/users", "/v1/projects/{project}/users"),
    ])
    func `a path belongs to the template with its verb`(path: String, template: String) throws {
        #expect(Self.table.match(path)?.template == template)
        #expect(Self.table.match(path)?.methods == [.post])
    }

    @Test(arguments: ["/v1/projects/demo", "/v1/projects/:query", "/v1/projects/demo:other", "/v1/projects//users"])
    func `a path without a value or with another verb is unknown`(path: String) throws {
        #expect(Self.table.match(path) == nil)
    }

    @Test(arguments: [
        "/v1/projects/demo:query/", "//v1/projects/demo:query", "/v1//projects/demo:query", "/v1/projects//demo:query",
        "v1/projects/demo:query", "/v1/projects/demo/users/", "/v1/projects/demo//users", "/v1/projects/demo/users//",
    ])
    func `a path with an empty part is unknown`(path: String) throws {
        #expect(Self.table.match(path) == nil)
    }

    @Test func `keys, discovery and health are at hand`() async throws {
        try await TestBroker.run { broker in
            let table = try BrokerServer(broker.core).table()
            for path in [OAuthPaths.keys, OAuthPaths.discovery, OAuthPaths.metadata, "/healthz", "/readyz"] {
                for method in [HTTPRequest.Method.get, .head] {
                    let handler = try #require(table.match(path)?.operation(method)?.handler)
                    guard case .immediate = handler else { throw TestFailure("\(method) \(path) waits for a task") }
                }
            }
        }
    }

    @Test func `a broker answers 404 at a path with an empty part`() async throws {
        try await TestBroker.run { broker in
            for path in ["/v1/projects/test-project/accounts", "/v1/broker/users/nobody/providers/github.com:token"] {
                let verb = path.hasSuffix("accounts") ? ":lookup" : ""
                let there = try await broker.post(path + verb, [:])
                #expect(there.status != 404, "\(there)")
                for other in [path + verb + "/", "/" + path + verb, path.replacing("/v1/", with: "/v1//") + verb] {
                    #expect(try await broker.post(other, [:]).status == 404, "\(other)")
                }
            }
        }
    }
}
