import ProviderKit
import Testing

@Suite("pages of a list")
struct PagesTests {
    private static let first = "https://api.example/emails?per_page=2"

    private static func pages(
        _ upstream: PagedUpstream, next: NextPage = .link, atMost limit: Int = 10
    ) async throws(ProviderError) -> [UpstreamResponse] {
        let request = UpstreamRequest(.get, first, at: .fetchProfile).bearer("token").header("X-Version", "3")
        return try await upstream.pages(request, next: next, atMost: limit)
    }

    @Test(arguments: [
        "<https://api.example/emails?page=2>; rel=\"next\"", "</emails?page=2>; rel=next",
        "<https://API.example:443/emails?page=2>; rel=\"next\"",
        #"<https://api.example/emails?page=9>; rel="last", </emails?page=2>; title="a, b; rel=x"; REL="a Next""#,
    ])
    func `the link to the next page is followed with the same header fields`(link: String) async throws {
        let origin = link.contains("API") ? "https://API.example:443" : "https://api.example"
        let second = origin + "/emails?page=2"
        let upstream = PagedUpstream([Self.first: .json([1], links: link), second: .json([2])])

        let pages = try await Self.pages(upstream)

        #expect(pages.map { String(decoding: $0.body, as: UTF8.self) } == ["[1]", "[2]"])
        let headers = upstream.requests.map { $0.headers.map { "\($0.name): \($0.value)" } }
        #expect(headers.count == 2 && headers[0] == headers[1])
        #expect(headers[1].contains("Authorization: Bearer token"))
    }

    @Test func `several fields with links count as one`() async throws {
        let links = ["<https://api.example/emails?page=9>; rel=\"last\"", "</emails?page=2>; rel=\"next\""]
        let upstream = PagedUpstream([
            Self.first: UpstreamResponse(status: 200, headers: links.map { ("link", $0) }),
            "https://api.example/emails?page=2": .json([2]),
        ])

        #expect(try await Self.pages(upstream).count == 2)
    }

    @Test func `a place in the body names the next page, until it is null or missing`() async throws {
        let pointer = try #require(JSONPointer("/links/next"))
        let upstream = PagedUpstream([
            Self.first: .json(["links": ["next": "/emails?page=2"]]),
            "https://api.example/emails?page=2": .json(["links": ["next": "https://api.example/emails?page=3"]]),
            "https://api.example/emails?page=3": .json(["links": ["next": .null]]),
        ])

        #expect(try await Self.pages(upstream, next: .pointer(pointer)).count == 3)
        #expect(try await Self.pages(PagedUpstream([Self.first: .json([:])]), next: .pointer(pointer)).count == 1)
    }

    @Test(arguments: [
        "https://elsewhere.example/emails", "http://api.example/emails", "https://api.example:8443/emails",
        "//elsewhere.example/emails", "https://user@api.example/emails", "https://api.example\\@elsewhere.example/",
        "https://api.example.elsewhere.example/",
    ])
    func `no token goes to another origin`(target: String) async throws {
        let upstream = PagedUpstream([Self.first: .json([1], links: "<\(target)>; rel=\"next\"")])

        let error = await #expect(throws: ProviderError.self) { try await Self.pages(upstream) }

        #expect(error?.fault == .upstream && error?.step == .fetchProfile)
        #expect(upstream.requests.map(\.url) == [Self.first])
    }

    @Test func `a list without an end is given up`() async throws {
        let numbers = 2...40
        var responses = [Self.first: UpstreamResponse.json([1], links: "</emails?page=2>; rel=\"next\"")]
        for number in numbers {
            responses["https://api.example/emails?page=\(number)"] = .json(
                [1], links: "</emails?page=\(number + 1)>; rel=\"next\"")
        }
        let upstream = PagedUpstream(responses)

        let error = await #expect(throws: ProviderError.self) { try await Self.pages(upstream, atMost: 5) }

        #expect(error?.fault == .upstream && upstream.requests.count == 5)
    }

    @Test func `a list whose last page is the limit's is complete`() async throws {
        let upstream = PagedUpstream([
            Self.first: .json([1], links: "</emails?page=2>; rel=\"next\""),
            "https://api.example/emails?page=2": .json([2]),
        ])

        #expect(try await Self.pages(upstream, atMost: 2).count == 2)
    }

    @Test func `pages in a circle are requested once`() async throws {
        let upstream = PagedUpstream([Self.first: .json([1], links: "<\(Self.first)>; rel=\"next\"")])

        let error = await #expect(throws: ProviderError.self) { try await Self.pages(upstream) }

        #expect(error?.fault == .upstream && upstream.requests.count == 1)
    }

    @Test func `a page that is refused ends the list and is its last one`() async throws {
        let upstream = PagedUpstream([
            Self.first: .json([1], links: "</emails?page=2>; rel=\"next\""),
            "https://api.example/emails?page=2": .json([], status: 403, links: "</emails?page=3>; rel=\"next\""),
        ])

        #expect(try await Self.pages(upstream).map(\.status) == [200, 403])
    }

    @Test(arguments: ["", "next", "<", "<https://api.example/x", "<x>;;;rel", "<x>; rel=\"prev\"", "<x>; rel=nextish"])
    func `a field without a next link ends the list`(link: String) async throws {
        #expect(try await Self.pages(PagedUpstream([Self.first: .json([1], links: link)])).count == 1)
    }
}
