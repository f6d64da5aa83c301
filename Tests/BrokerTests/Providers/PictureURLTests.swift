import Testing

@testable import Broker

@Suite("The URL of a user's picture")
struct PictureURLTests {
    @Test(arguments: [
        "https://pictures.example/p.png", "HTTPS://pictures.example", "https://[2001:db8::1]:8443/p?size=1#top",
    ])
    func `is in records and in tokens`(text: String) {
        #expect(PictureURL(text)?.text == text)
        #expect(PictureURL(text)?.claim == text)
    }

    @Test(arguments: [
        "http://pictures.example/p.png", "https://user@pictures.example/", "https://a@b@pictures.example/",
        "https://pictures.example/é", "https://pictures.example/\"x", "https://pictures.example/a b",
    ])
    func `is in records only when it is not safe in a page`(text: String) {
        #expect(PictureURL(text)?.text == text)
        #expect(PictureURL(text)?.claim == nil)
    }

    @Test(arguments: [
        "", "http", "https:", "ftp://pictures.example/", "javascript:alert(1)", "//pictures.example/p.png",
        "https://", "https:///p.png", "https://:8443/", "https://user@", "https://user@:8443/", "https://?p",
        "https://#p",
        "https://pictures.example/\u{1}", "https://pictures.example/\u{7F}", "https://pictures.example/\u{85}",
        "https\u{1A}//pictures.example/", "https:\u{F}/pictures.example/",
        "https://pictures.example/" + String(repeating: "p", count: 2048),
    ])
    func `is left out when it is none`(text: String) {
        #expect(PictureURL(text) == nil)
    }

    @Test func `has at most 2048 bytes`() {
        let longest = "https://pictures.example/"
        #expect(PictureURL(longest + String(repeating: "p", count: 2048 - longest.utf8.count)) != nil)
        #expect(PictureURL(longest + String(repeating: "p", count: 2049 - longest.utf8.count)) == nil)
    }
}
