import Foundation
import HTTPTypes
import Hummingbird

/// The requests that the emulator answers: those of programs on this machine, and those of pages of this machine or of an
/// allowed origin. A page of any other web site could read and remove all users through the user's browser.
struct EmulatorOrigins: Sendable {
    /// The origins of `--origin`, in lower case.
    private let allowed: Set<String>
    /// Their hosts.
    let hosts: [String]

    private static let loopbackHosts: Set<String> = ["127.0.0.1", "localhost", "::1", "[::1]"]
    private static let proxyHeaders: Set<String> = [
        "forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip",
    ]

    /// A text that is no web origin.
    struct InvalidOrigin: Error {
        let text: String
    }

    /// - Throws: ``InvalidOrigin``.
    init(_ origins: [String]) throws(InvalidOrigin) {
        var hosts: [String] = []
        for origin in origins {
            guard let url = URL(string: origin), let scheme = url.scheme, let host = url.host(), !host.isEmpty,
                origin.lowercased() == "\(scheme)://\(host)\(url.port.map { ":\($0)" } ?? "")".lowercased()
            else { throw InvalidOrigin(text: origin) }
            hosts.append(host.lowercased())
        }
        allowed = Set(origins.map { $0.lowercased() })
        self.hosts = hosts
    }

    /// The reason why a request is not answered; nil for one that is.
    func refusal(of request: Request) -> String? {
        let isProxied = request.headers.contains { Self.proxyHeaders.contains($0.name.canonicalName) }
        // A page of another site may reach loopback through the user's browser by a name of its own.
        guard !isProxied, let authority = request.head.authority, Self.isLoopback(URL(string: "http://\(authority)"))
        else { return "The emulator serves this machine only. It refuses other hosts and requests through a proxy." }
        guard let origin = request.headers[.origin], !allows(origin, request) else { return nil }
        return "The emulator refuses pages of \(origin). Start it with --origin \(origin) to allow them."
    }

    private func allows(_ origin: String, _ request: Request) -> Bool {
        // A page without a referrer posts its own forms with this origin.
        if origin == "null" {
            return HTTPField.Name("sec-fetch-site").map { request.headers[$0] == "same-origin" } ?? false
        }
        guard let url = URL(string: origin) else { return false }
        return ["http", "https"].contains(url.scheme?.lowercased() ?? "") && Self.isLoopback(url)
            || allowed.contains(origin.lowercased())
    }

    /// Whether a URL is at this machine or at the host of an allowed origin, so that the emulator may redirect to it.
    func isTarget(_ url: URL) -> Bool {
        Self.isLoopback(url) || hosts.contains(url.host()?.lowercased() ?? "")
    }

    private static func isLoopback(_ url: URL?) -> Bool {
        url?.host().map { loopbackHosts.contains($0.lowercased()) } ?? false
    }
}
