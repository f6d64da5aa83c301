import ProviderKit
import Testing

@Suite("secret parameters of a request")
struct SecretParameterTests {
    @Test(arguments: [("https://api.example/me", "?"), ("https://api.example/me?a=1", "&")])
    func `are sent in the query and shown nowhere`(url: String, mark: String) {
        let request = UpstreamRequest(.get, url, at: .fetchProfile).secretParameter("access token", "s&cret+value")
        var dumped = "\(request) \(String(reflecting: request))"
        dump(request, to: &dumped)

        #expect(request.sentURL == "\(url)\(mark)access%20token=s%26cret%2Bvalue")
        #expect(request.url == url && !dumped.contains("cret"))
    }

    @Test func `a secret segment is sent at the end of the path and shown nowhere`() {
        let request = UpstreamRequest(.get, "https://api.example/tokens?a=1", at: .fetchProfile).secretPath("s/cret?")
        #expect(request.sentURL == "https://api.example/tokens/s%2Fcret%3F?a=1")
        #expect(request.url == "https://api.example/tokens?a=1" && !"\(request)".contains("cret"))
    }

    @Test func `a request without them is sent to its URL`() {
        #expect(UpstreamRequest(.get, "https://api.example/me", at: .discover).sentURL == "https://api.example/me")
    }
}
