import Broker
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import OAuth
import ProviderKit

/// The authorization endpoint of all emulated providers (RFC 6749 §3.1): a page on which the user chooses a fictitious
/// account, adds one or cancels.
struct AccountChooser: Sendable {
    let project: EmulatedProject
    let origins: EmulatorOrigins

    static func path(of project: String) -> String { "/emulator/auth/projects/\(project)/accounts" }

    /// The number of accounts that the page shows.
    private static let maximumCount = 50
    /// Bytes of a field. All fields together have to fit into a code.
    private static let maximumField = 256

    func answer(_ call: EmulatorRequest) async throws -> Response {
        func value(_ name: String) -> String? { call.query.first { $0.name == name }?.value }
        guard let provider = value("provider"), let state = value("state"), let target = value("redirect_uri"),
            target.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let url = URL(string: target),
            ["http", "https"].contains(url.scheme ?? ""), origins.isTarget(url)
        else {
            return EmulatorGateway.error(
                .badRequest, "INVALID_ARGUMENT", "provider, state and a redirect_uri of this machine are required.")
        }
        guard call.method == .post else { return try await page(provider, redirectingTo: url) }
        if call["cancel"] != nil { return redirect(to: target, [("error", "access_denied"), ("state", state)]) }
        guard let account = try await chosen(call, at: provider) else {
            return EmulatorGateway.error(
                .badRequest, "INVALID_ARGUMENT", "account names none, or a field has more than 256 bytes.")
        }
        let credential = EmulatedCredential(
            idToken: UnsignedToken.token(account.claims(issuer: "https://\(provider)")), accessToken: nil)
        return redirect(to: target, [("code", credential.text), ("state", state)])
    }

    /// The account of a posted form: an existing one, or a new one with the fields.
    private func chosen(_ call: EmulatorRequest, at provider: String) async throws -> FictitiousAccount? {
        if let subject = call["account"] {
            return try await accounts(at: provider).first { $0.subject.utf8.elementsEqual(subject.utf8) }
        }
        let fields = ["name", "email", "screenName", "picture"].map { call[$0] ?? "" }
        guard fields.allSatisfy({ $0.utf8.count <= Self.maximumField }) else { return nil }
        return FictitiousAccount(
            subject: FictitiousAccount.newSubject(), name: fields[0], email: fields[1], screenName: fields[2],
            picture: fields[3])
    }

    /// The accounts that users of the project have at a provider.
    private func accounts(at provider: String) async throws -> [FictitiousAccount] {
        let identities = try await project.users().flatMap { $0["providerUserInfo"]?.array ?? [] }
        return identities.filter { $0["providerId"]?.string == provider }.prefix(Self.maximumCount).map { identity in
            func text(_ name: String) -> String { identity[name]?.string ?? "" }
            return FictitiousAccount(
                subject: text("rawId"), name: text("displayName"), email: text("email"),
                screenName: text("screenName"), picture: text("photoUrl"))
        }
    }

    /// Redirects back. A URL of the emulator keeps the host by which the browser names it.
    private func redirect(to target: String, _ parameters: [(name: String, value: String)]) -> Response {
        let isOwn = target.hasPrefix(project.publicURL + "/")
        let location = isOwn ? String(target.dropFirst(project.publicURL.count)) : target
        let separator = location.contains("?") ? "&" : "?"
        return Response(
            status: .seeOther,
            headers: [.location: location + separator + FormEncoding.encode(parameters), .cacheControl: "no-store"])
    }

    private func page(_ provider: String, redirectingTo url: URL) async throws -> Response {
        let title = "Sign in with \(project.displayName(ofProvider: provider))".escapedForMarkup
        let buttons = try await accounts(at: provider).map { account in
            """
            <button name="account" value="\(account.subject.escapedForMarkup)">\(account.label.escapedForMarkup)</button>
            """
        }
        let choice =
            buttons.isEmpty ? "" : "<form method=\"post\"><h2>Accounts</h2>\(buttons.joined(separator: "\n"))</form>"
        let suggestion = FictitiousAccount.suggestion()
        let fields = [
            ("name", "Name", suggestion.name), ("email", "E-mail address, which counts as verified", suggestion.email),
            ("screenName", "User name", suggestion.screenName), ("picture", "URL of a picture", ""),
        ].map { name, label, value in
            "<label>\(label)<input name=\"\(name)\" value=\"\(value.escapedForMarkup)\" maxlength=\"256\"></label>"
        }
        let nonce = RandomText.alphanumeric(22)
        let document = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>\(title)</title>
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <style nonce="\(nonce)">\(Self.style)</style></head>
            <body><p role="alert">\(EmulatorGateway.warning)</p><main><h1>\(title)</h1>
            \(choice)
            <form method="post"><h2>New account</h2>
            \(fields.joined(separator: "\n"))
            <button>Add the account and sign in</button></form>
            <form method="post"><button name="cancel" value="yes">Cancel</button></form>
            </main></body></html>

            """
        let port = url.port.map { ":\($0)" } ?? ""
        // Browsers apply form-action to the redirect after a form too.
        let policy =
            "default-src 'none'; style-src 'nonce-\(nonce)'; frame-ancestors 'none'; base-uri 'none'; "
            + "form-action 'self' \(url.scheme ?? "")://\(url.host() ?? "")\(port)"
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/html; charset=utf-8", .contentSecurityPolicy: policy, .cacheControl: "no-store",
                .xContentTypeOptions: "nosniff",
            ], body: .init(byteBuffer: ByteBuffer(string: document)))
    }

    private static let style = """
        html{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif}body{margin:0 1.5rem}\
        main{max-width:26rem;margin:5vh auto}h1{font-size:1.5rem}h2{font-size:1.125rem}\
        label{display:block;margin:.5rem 0}input,button{font:inherit;box-sizing:border-box;width:100%;padding:.5rem}\
        button{margin:.25rem 0}
        """
}
