import Foundation

/// Which redirect URIs a registration covers.
struct GitHubCallback {
    let application: GitHubSimulator.Application

    /// The redirect target: `requested` when the registration covers it, the registered callback when nothing was
    /// asked for, `nil` when the request must be refused.
    func target(for requested: String?) -> String? {
        guard let requested, !requested.isEmpty, !requested.hasSameBytes(as: application.callbackURL) else {
            return application.callbackURL
        }
        switch application.kind {
        case .oauthApp:
            return covers(requested) ? requested : nil
        case .gitHubApp:
            let registered = [application.callbackURL] + application.additionalCallbackURLs
            return registered.contains { $0.hasSameBytes(as: requested) } ? requested : nil
        }
    }

    /// Same scheme, host or a subdomain of it, same port unless loopback, same path or below it.
    private func covers(_ requested: String) -> Bool {
        guard let wanted = Self.parse(requested), let registered = Self.parse(application.callbackURL),
            wanted.scheme == registered.scheme
        else { return false }
        if Self.loopbackHosts.contains(registered.host) {
            guard wanted.host == registered.host else { return false }
        } else {
            guard wanted.host == registered.host || wanted.host.hasSuffix("." + registered.host),
                wanted.port == registered.port
            else { return false }
        }
        return Self.isPath(wanted.path, atOrBelow: registered.path)
    }

    private static let loopbackHosts: Set<String> = ["127.0.0.1", "[::1]", "::1", "localhost"]

    private struct Parts {
        let scheme: String, host: String, port: Int, path: String
    }

    private static func parse(_ text: String) -> Parts? {
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }),
            let components = URLComponents(string: text), let scheme = components.scheme?.lowercased(),
            let host = components.encodedHost?.lowercased(), components.user == nil, components.password == nil,
            components.fragment == nil
        else { return nil }
        let port = components.port ?? (scheme == "https" ? 443 : 80)
        return Parts(scheme: scheme, host: host, port: port, path: components.percentEncodedPath)
    }

    private static func isPath(_ path: String, atOrBelow registered: String) -> Bool {
        // Dot segments would leave the registered folder once the browser resolves them.
        guard !path.lowercased().split(separator: "/").contains(where: Self.isDotSegment) else { return false }
        let folder = registered.hasSuffix("/") ? String(registered.dropLast()) : registered
        return path == registered || path == folder || path.hasPrefix(folder + "/")
    }

    private static func isDotSegment(_ segment: Substring) -> Bool {
        [".", ".."].contains(segment.replacing("%2e", with: "."))
    }
}
