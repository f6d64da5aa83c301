import ArgumentParser
import Foundation

/// The URL of a remote broker: a scheme, a host and a port, without a path.
struct ServerURL: Hashable {
    let text: String

    /// - Throws: ``CommandFailure``. Plain HTTP is accepted for this machine only: the request carries an admin token.
    init(_ text: String) throws(CommandFailure) {
        let hasScheme = text.contains("://")
        guard let url = URLComponents(string: hasScheme ? text : "https://" + text), let scheme = url.scheme,
            let host = url.host, !host.isEmpty, ["", "/"].contains(url.path), url.query == nil, url.fragment == nil,
            url.user == nil, url.password == nil
        else { throw Self.failure("--server takes the broker's URL, such as https://id.example.com") }
        guard scheme.lowercased() == "https" || (scheme.lowercased() == "http" && Self.isLoopback(host)) else {
            throw Self.failure("--server takes an https URL: plain http would show the admin token to the network")
        }
        self.text = "\(scheme.lowercased())://\(host.lowercased())\(url.port.map { ":\($0)" } ?? "")"
    }

    private static func isLoopback(_ host: String) -> Bool {
        ["localhost", "127.0.0.1", "[::1]", "::1"].contains(host.lowercased())
    }

    private static func failure(_ message: String) -> CommandFailure {
        CommandFailure(code: "INVALID_SERVER", message, exitCode: .validationFailure)
    }
}
