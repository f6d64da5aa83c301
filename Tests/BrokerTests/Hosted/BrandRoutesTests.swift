import BrokerStore
import Foundation
import NIOHTTP1
import ProviderKit
import Testing

@testable import Broker

@Suite("pictures of brands")
struct BrandRoutesTests {
    private static func svg(_ content: String) -> String {
        #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1">\#(content)</svg>"#
    }

    private static let logo = svg(#"<path d="M0 0"/>"#)

    private static func expectInert(_ answer: Answer, _ type: String) {
        #expect(answer.status == 200)
        #expect(answer.headers["Content-Type"] == [type] && answer.headers["X-Content-Type-Options"] == ["nosniff"])
        #expect(
            answer.headers["Content-Security-Policy"]
                == ["default-src 'none'; frame-ancestors 'none'; base-uri 'none'; sandbox"])
        #expect(answer.headers["Cross-Origin-Resource-Policy"] == ["same-origin"])
        #expect(answer.headers["Cache-Control"] == ["public, max-age=31536000"])
        #expect(answer.headers["Access-Control-Allow-Origin"].isEmpty && answer.headers["Set-Cookie"].isEmpty)
    }

    @Test func `the pictures of the site have a fixed type and a policy of their own`() async throws {
        let image = try BrandImage(checking: Array(Self.logo.utf8))
        let icon = try BrandImage(checking: PNGSample.smallest)
        try await TestBroker.run { configuration in
            (configuration.branding.logo, configuration.branding.favicon) = (image, icon)
        } _: { broker in
            let logo = try await broker.get("/brand/\(image.name)")
            let favicon = try await broker.get("/brand/\(icon.name)", headers: ["Origin": "https://a.example"])
            let asked = try await broker.get("/favicon.ico")
            let tag = try #require(logo.headers.first(name: "ETag"))
            let known = try await broker.get("/brand/\(image.name)", headers: ["If-None-Match": tag])
            let other = try await broker.get("/brand/\(image.name.replacing(".svg", with: ".png"))")

            Self.expectInert(logo, "image/svg+xml")
            Self.expectInert(favicon, "image/png")
            #expect(asked.headers["Content-Type"] == ["image/png"] && asked.text == favicon.text)
            #expect(logo.text == Self.logo && known.status == 304 && other.status == 404)
        }
    }

    @Test func `a client's logo is stored, served, replaced and removed`() async throws {
        try await TestBroker.run { broker in
            let clients = broker.core.openID.clients
            let client = try await OAuthApp(at: broker).client
            func update(_ changes: ClientPresentation.Changes) async throws -> Client {
                let updated = try await clients.update(
                    id: client.id, ClientChanges(presentation: changes), origin: Origin(.admin))
                return try #require(updated).client
            }
            let dark = Data(PNGSample.smallest).base64EncodedString()
            let source = Self.svg(#"<title>Shop</title><path d="M0 0"/>"#)

            let first = try await update(.init(logo: Data(source.utf8).base64EncodedString(), logoDark: dark))
            let path = BrandPath.logo(try #require(first.logo), ofClient: client.id)
            let answers = [
                try await broker.get(path),
                try await broker.get(BrandPath.logo(try #require(first.logoDark), ofClient: client.id)),
            ]
            let head = try await broker.send(.HEAD, path)
            let renamed = try await clients.update(id: client.id, ClientChanges(name: "Shop 2"), origin: Origin(.admin))
            let second = try await update(.init(logo: "", logoDark: ""))

            Self.expectInert(answers[0], "image/svg+xml")
            Self.expectInert(answers[1], "image/png")
            #expect(answers[0].text == Self.logo && head.status == 200 && head.text.isEmpty)
            #expect(renamed?.client.logo == first.logo)
            #expect(second.logo == nil && second.logoDark == nil)
            #expect(try await broker.get(path).status == 404)
        }
    }

    @Test(arguments: [
        ("not base64!", "base64"), (Data(svg("<script/>").utf8).base64EncodedString(), "script"),
        (Data(repeating: 32, count: 65_537).base64EncodedString(), "at most 65536"),
    ])
    func `a logo that cannot be shown changes nothing`(logo: String, reason: String) async throws {
        try await TestBroker.run { broker in
            let client = try await OAuthApp(at: broker).client
            let error = await #expect(throws: AdminFailure.self) {
                _ = try await broker.core.openID.clients.update(
                    id: client.id, ClientChanges(name: "New", presentation: .init(logo: logo)), origin: Origin(.admin))
            }

            #expect(error.map { "\($0)".contains(reason) } == true, "\(String(describing: error))")
            #expect(try await broker.core.openID.clients.client(id: client.id) == client)
        }
    }

    @Test(arguments: [
        "/brand/x", "/brand/%2e%2e%2fbroker.json", "/brand/a/b", "/brand/a/\(String(repeating: "0", count: 64)).svg",
    ])
    func `a name that nothing has is not found`(path: String) async throws {
        try await TestBroker.run { broker in
            let answer = try await broker.get(path)

            #expect(answer.status == 404 && answer.headers["Content-Type"].first?.contains("json") == true)
        }
    }
}
