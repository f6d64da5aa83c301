import Broker
import Testing

@testable import BrokerCommand

@Suite("Where a health probe asks")
struct HealthProbeTests {
    @Test(arguments: [
        ("127.0.0.1", "http://127.0.0.1:9099/readyz"), ("0.0.0.0", "http://127.0.0.1:9099/readyz"),
        ("::", "http://[::1]:9099/readyz"), ("fd00::1", "http://[fd00::1]:9099/readyz"),
        ("10.1.2.3", "http://10.1.2.3:9099/readyz"), ("localhost", "http://localhost:9099/readyz"),
    ])
    func `a broker is asked at an address it can be reached at`(host: String, url: String) {
        #expect(HealthProbe(of: .init(host: host, port: 9099), overTLS: false, path: "/readyz").url == url)
    }
}
