import Broker
import BrowserTesting
import Crypto
import Foundation
import Testing

@Suite("A certificate the broker shows")
struct ServerCertificateTests {
    private static let now = Date()
    private static let later = now.addingTimeInterval(7200)

    @Test func `that expires while it is shown is reported once`() throws {
        try Self.run { certificate, _ in
            #expect(Self.news(of: certificate, at: Self.now) == nil)
            #expect(Self.news(of: certificate, at: Self.later) == "expired")
            #expect(Self.news(of: certificate, at: Self.later) == nil)
        }
    }

    @Test func `an expired certificate is reported although its successor is invalid`() throws {
        try Self.run { certificate, folder in
            try folder.write("key.pem", "none")
            #expect(Self.news(of: certificate, at: Self.now) == "refused")
            #expect(Self.news(of: certificate, at: Self.now) == nil)
            #expect(Self.news(of: certificate, at: Self.later) == "expired")
            #expect(Self.news(of: certificate, at: Self.later) == nil)
        }
    }

    @Test func `that takes an expired one's place is adopted, and told when it has expired as well`() throws {
        try Self.run { certificate, folder in
            #expect(Self.news(of: certificate, at: Self.later) == "expired")
            try Self.write(try SelfSignedCertificate(isExpired: true), to: folder)
            #expect(Self.news(of: certificate, at: Self.now) == "adopted")
            #expect(Self.news(of: certificate, at: Self.now) == "expired")
            try Self.write(try SelfSignedCertificate(), to: folder)
            #expect(Self.news(of: certificate, at: Self.now) == "adopted")
            #expect(Self.news(of: certificate, at: Self.now) == nil)
        }
    }

    private static func news(of certificate: ServerCertificate, at now: Date) -> String? {
        switch certificate.reload(at: now) {
        case .adopted: "adopted"
        case .refused: "refused"
        case .expired: "expired"
        case nil: nil
        }
    }

    private static func write(_ certificate: SelfSignedCertificate, to folder: TestFolder) throws {
        try folder.write("cert.pem", certificate.pem)
        try folder.write("key.pem", certificate.key.pemRepresentation)
    }

    private static func run(_ test: (ServerCertificate, TestFolder) throws -> Void) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        try write(try SelfSignedCertificate(), to: folder)
        let files = TLSFiles(certificate: folder.path + "/cert.pem", key: folder.path + "/key.pem")
        try test(try ServerCertificate(files, environment: [:]), folder)
    }
}
