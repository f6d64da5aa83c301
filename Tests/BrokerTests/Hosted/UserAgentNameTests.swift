import BrokerStore
import Testing

@testable import Broker

@Suite("The names of a User-Agent")
struct UserAgentNameTests {
    @Test(
        arguments: [
            ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox · Linux"),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
                "Chrome · Windows"
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0",
                "Edge · Windows"
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1",
                "Safari · iPhone"
            ),
            (
                "Mozilla/5.0 (Linux; Android 15; SM-S931N) AppleWebKit/537.36 SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36",
                "Samsung Internet · Android"
            ),
            ("okhttp/4.12.0", "okhttp"), ("Notes/2.1 (Macintosh)", "Notes · macOS"), ("Mozilla/5.0", nil), ("", nil),
            (nil, nil),
        ] as [(String?, String?)])
    func `is the program's name and the system's`(userAgent: String?, name: String?) {
        #expect(UserAgentName(userAgent)?.text == name)
    }

    @Test func `a long one is cut where it is taken`() {
        let device = ClientDevice(userAgent: String(repeating: "x", count: 5000), address: "192.0.2.1")

        #expect(device.userAgent?.utf8.count == 256 && ClientDevice(userAgent: "").userAgent == nil)
    }
}
