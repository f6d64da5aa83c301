import ProviderKit
import Testing

@Suite("secret parameters of a request")
struct SecretParameterTests {
    @Test(arguments: [("https://api.example/me", "?"), ("https://api.example/me?a=1", "&")])
    func `are sent in the query and shown nowhere`(url: String, mark: String) {
        let request = UpstreamRequest(.get, url, at: .fetchProfile).secretParameter("access token", "open&sesame+now")
        var dumped = "\(request) \(String(reflecting: request))"
        dump(request, to: &dumped)

        #expect(request.sentURL == "\(url)\(mark)access%20token=open%26sesame%2Bnow")
        #expect(request.url == url && !dumped.contains("sesame"))
    }

    @Test func `a secret segment is sent at the end of the path and shown nowhere`() {
        let url = "https://api.example/tokens?a=1"
        let request = UpstreamRequest(.get, url, at: .fetchProfile).secretPath("open/sesame?")
        #expect(request.sentURL == "https://api.example/tokens/open%2Fsesame%3F?a=1")
        #expect(request.url == url && !"\(request)".contains("sesame"))
    }

    @Test func `a request without them is sent to its URL`() {
        #expect(UpstreamRequest(.get, "https://api.example/me", at: .discover).sentURL == "https://api.example/me")
    }
}
