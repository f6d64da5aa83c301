import BrowserTesting
import Crypto
import Foundation
import NIOSSL
import PostgreSQLTesting
import ProviderKit
import Testing

@Suite("broker serve with a certificate", .oneEngine("TLS"), .timeLimit(.minutes(20)))
struct ServeTLSTests {
    private static let host = "id.example"

    @Test func `it answers over HTTPS what it answers elsewhere, with its own issuer`() async throws {
        try await Self.serve { _, _, visitor, port in
            let ready = try await visitor.get("/readyz", port: port)
            let discovery = try await visitor.get("/my-app/.well-known/openid-configuration", port: port)

            #expect(ready.status == 200, "\(ready)")
            #expect(try JSONValue(parsing: discovery.text)["issuer"] == "https://id.example/my-app")
        }
    }

    @Test func `it speaks TLS 1.2 at least, and HTTP 1.1 only`() async throws {
        try await Self.serve { _, _, visitor, port in
            let agreed = try await visitor.handshake(port: port)
            let older = try await visitor.handshake(port: port, upTo: .tlsv12)

            #expect(agreed == "http/1.1")
            #expect(older == "http/1.1")
            await #expect(throws: (any Error).self) { try await visitor.handshake(port: port, upTo: .tlsv11) }
        }
    }

    @Test func `in TLS 1.2 it agrees on forward secrecy and authenticated encryption only`() async throws {
        try await Self.serve { _, _, visitor, port in
            for cipher: NIOTLSCipher in [
                .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
            ] {
                let agreed = try await visitor.handshake(port: port, upTo: .tlsv12, with: [cipher])
                #expect(agreed == "http/1.1")
            }
            for cipher: NIOTLSCipher in [
                .TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA, .TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA,
            ] {
                await #expect(throws: (any Error).self) {
                    try await visitor.handshake(port: port, upTo: .tlsv12, with: [cipher])
                }
            }
        }
    }

    @Test func `it does not answer without TLS`() async throws {
        try await Self.serve { broker, _, _, port in
            let plain = IdentityToolkitApp(url: "http://127.0.0.1:\(port)", apiKey: broker.apiKey)

            await #expect(throws: (any Error).self) { try await plain.get("/healthz") }
        }
    }

    @Test func `a renewed certificate is shown without a restart`() async throws {
        try await Self.serve { broker, process, visitor, port in
            let renewed = try SelfSignedCertificate(names: [Self.host])
            try broker.folder.write(renewed.pem, to: "cert.pem")
            _ = try #require(await process.log.firstLine { $0.contains("TLS certificate reload failed") })
            let meanwhile = try await visitor.get("/healthz", port: port)

            try broker.folder.write(renewed.key.pemRepresentation, to: "key.pem")
            _ = try #require(await process.log.firstLine { $0.contains("TLS certificate reloaded") })
            let after = try await TLSVisitor(trusted: renewed, host: Self.host).get("/healthz", port: port)

            #expect(meanwhile.status == 200)
            #expect(after.status == 200)
            await #expect(throws: (any Error).self) { try await visitor.get("/healthz", port: port) }
        }
    }

    @Test func `an expired certificate is logged, and a renewed one is served`() async throws {
        try await Self.serve(isExpired: true) { broker, process, visitor, port in
            _ = try #require(await process.log.firstLine { $0.contains("TLS certificate expired") })
            await #expect(throws: (any Error).self) { try await visitor.get("/healthz", port: port) }

            let renewed = try SelfSignedCertificate(names: [Self.host])
            try renewed.write(to: broker.folder)
            _ = try #require(await process.log.firstLine { $0.contains("TLS certificate reloaded") })
            let after = try await TLSVisitor(trusted: renewed, host: Self.host).get("/healthz", port: port)

            #expect(after.status == 200)
        }
    }

    @Test func `with a certificate it may listen for other machines, and broker health asks over TLS`() async throws {
        try await Self.serve(listen: "0.0.0.0:0") { broker, _, _, port in
            let health = try await broker.command("health", "--json", "--tls", "--listen", "0.0.0.0:\(port)")

            #expect(health.exitCode == 0, "\(health)")
            #expect(try JSONValue(parsing: health.output)["status"] == "ready")
        }
    }

    @Test(arguments: [
        Refusal("key.pem is open to others", "chmod 600") { folder, own, _ in
            try folder.write(own.key.pemRepresentation, to: "key.pem", permissions: 0o640)
        },
        Refusal("the key belongs to another certificate", "does not belong to the certificate") { folder, _, other in
            try folder.write(other.key.pemRepresentation, to: "key.pem")
        },
        Refusal("the certificate is none", "cert.pem: is no certificate") { folder, _, _ in
            try folder.write("none\n", to: "cert.pem")
        },
        Refusal("the key is none", "key.pem: is no private key") { folder, _, _ in
            try folder.write("none\n", to: "key.pem")
        },
        Refusal("there is no certificate", "cert.pem: the TLS certificate cannot be read") { folder, _, _ in
            try FileManager.default.removeItem(atPath: folder.file("cert.pem"))
        },
    ])
    func `files it cannot serve with refuse the start`(refusal: Refusal) async throws {
        try await Installation.run { broker in
            let own = try SelfSignedCertificate(names: [Self.host])
            try own.write(to: broker.folder)
            try refusal.spoil(broker.folder, own, try SelfSignedCertificate(names: [Self.host]))

            let result = try await broker.command(
                "serve", "--listen", "127.0.0.1:0", "--tls-cert", "cert.pem", "--tls-key", "key.pem",
                environment: ["BROKER_PUBLIC_URL": "https://id.example"])

            #expect(result.exitCode == 78, "\(result)")
            #expect(result.errors.contains(refusal.words), "\(result)")
        }
    }

    @Test func `an http public URL, a key without a certificate and an open address without either are refused`()
        async throws
    {
        try await Installation.run { broker in
            try SelfSignedCertificate().write(to: broker.folder)

            let http = try await broker.command("serve", "--tls-cert", "cert.pem", "--tls-key", "key.pem")
            let half = try await broker.command("serve", "--tls-key", "key.pem")
            let open = try await broker.command(
                "serve", "--listen", "0.0.0.0:0", environment: ["BROKER_PUBLIC_URL": "https://id.example"])

            #expect(http.exitCode == 78 && http.errors.contains("/publicURL"), "\(http)")
            #expect(half.exitCode == 64 && half.errors.contains("must be given together"), "\(half)")
            #expect(open.exitCode == 78 && open.errors.contains("without TLS"), "\(open)")
        }
    }

    /// Runs a broker for `https://id.example` whose file names its certificate.
    private static func serve(
        listen: String = "127.0.0.1:0", isExpired: Bool = false,
        _ body: (Installation, BrokerProcess, TLSVisitor, Int) async throws -> Void
    ) async throws {
        try await Installation.run { broker in
            let certificate = try SelfSignedCertificate(names: [host], isExpired: isExpired)
            try certificate.write(to: broker.folder)
            let settings = try JSONValue(parsing: broker.folder.text(of: "broker.json"))
            var object = try #require(settings.object)
            object["tls"] = ["cert": "cert.pem", "key": "key.pem"]
            object["publicURL"] = .string("https://\(host)")
            try broker.folder.write(JSONValue.object(object).serialized(), to: "broker.json")
            let arguments = ["serve", "--json", "--listen", listen]
            try await BrokerProcess.run(arguments, in: broker.folder) { process in
                let line = try #require(await process.output.firstLine(), "\(process.log.text)")
                let url = try #require(try JSONValue(parsing: line)["broker"]?.string.flatMap(URL.init(string:)))
                #expect(url.scheme == "https")
                try await body(
                    broker, process, TLSVisitor(trusted: certificate, host: host), try #require(url.port))
            }
        }
    }

    /// A way in which an operator's files are wrong, and what the broker says to it.
    struct Refusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let words: String
        let spoil: @Sendable (TestFolder, SelfSignedCertificate, SelfSignedCertificate) throws -> Void

        init(
            _ name: String, _ words: String,
            spoil: @escaping @Sendable (TestFolder, SelfSignedCertificate, SelfSignedCertificate) throws -> Void
        ) {
            testDescription = name
            self.words = words
            self.spoil = spoil
        }
    }
}

extension SelfSignedCertificate {
    /// As an operator keeps it.
    fileprivate func write(to folder: TestFolder) throws {
        try folder.write(pem, to: "cert.pem")
        try folder.write(key.pemRepresentation, to: "key.pem")
    }
}
