import ProviderKit
import ProviderKitTesting
import Testing

@Suite("A scripted upstream")
struct ScriptedUpstreamTests {
    @Test func `answers for one address come in order, and the last one repeats`() async throws {
        let upstream = ScriptedUpstream(["/user": [.status(500), .status(200)]])
        let request = UpstreamRequest(.get, "https://id.example/user", at: .fetchProfile)

        var statuses: [Int] = []
        for _ in 0..<3 { statuses.append(try await upstream.send(request).status) }

        #expect(statuses == [500, 200, 200])
        #expect(upstream.requests.map(\.url) == Array(repeating: "https://id.example/user", count: 3))
    }

    @Test func `the longest part of an address that fits decides`() async throws {
        let upstream = ScriptedUpstream(["/user": [.status(200)], "/user/emails": [.status(404)]])
        let request = UpstreamRequest(.get, "https://id.example/user/emails?page=1", at: .fetchProfile)

        #expect(try await upstream.send(request).status == 404)
    }

    @Test(arguments: [
        (UpstreamRequest.Method.get, "https://id.example/me?fields=all", true), (.get, "https://id.example/me", true),
        (.post, "https://id.example/me", false), (.get, "https://id.example/me/", false),
        (.get, "https://id.example.evil/me", false),
    ])
    func `an endpoint is asked by its method and its whole address`(
        method: UpstreamRequest.Method, url: String, isThere: Bool
    ) async {
        let upstream = ScriptedUpstream([ScriptedEndpoint(.get, "https://id.example/me", .status(204))])

        let status = try? await upstream.send(UpstreamRequest(method, url, at: .fetchProfile)).status

        #expect(status == (isThere ? 204 : nil))
    }

    @Test func `a request can be read`() {
        let request = UpstreamRequest(.post, "https://id.example/token?a=1%202", at: .redeem).bearer("t")
            .sending(form: [("code", "c&d")])

        #expect(request.queryValue("a") == "1 2" && request.formValue("code") == "c&d" && request.bearerToken == "t")
        #expect(request.queryValue("b") == nil && request.formValue("a") == nil)
    }
}
