import Foundation
import HTTPTypes
import OAuth
import ProviderKit

/// Translates between what the Firebase Auth emulator takes and answers (contract §1.2, §3.1, §5.1, §5.6, A-10), and what
/// a broker does.
struct EmulatorTranslation: Sendable {
    let project: EmulatedProject

    /// The request as the project's broker accepts it.
    func request(_ original: EmulatorRequest) throws -> EmulatorRequest {
        var request = original
        authorize(&request)
        try project.offer(providers: request.providerIDs)
        dropScopes(&request)
        request.change("requestUri", "request_uri", by: atPublicURL)
        // The emulator's name of the project without a tenant, as `firebase emulators:start --import` writes it.
        request.path = request.path.replacing("/tenants//", with: "/")
        if request.path.contains(":signInWithCustomToken") || request.path.hasSuffix("/verifyCustomToken") {
            try request.change("token") { try UnsignedToken.claims(of: $0).map(project.customToken) }
        } else {
            try request.change("idToken", "id_token") { try UnsignedToken.claims(of: $0).map(project.idToken) }
        }
        if request.path.contains(":signInWithIdp") || request.path.hasSuffix("/verifyAssertion") {
            try translateCredential(&request)
        }
        return request
    }

    /// Any API key is the project's, and `owner` and `ya29.…` are its administrator.
    private func authorize(_ request: inout EmulatorRequest) {
        // SDKs name it apiKey in the URLs of pages.
        for index in request.query.indices
        where ["key", "apiKey"].contains(request.query[index].name) && !request.query[index].value.isEmpty {
            request.query[index].value = project.apiKey
        }
        if let name = HTTPField.Name("x-goog-api-key"), request.headers[name]?.isEmpty == false {
            request.headers[name] = project.apiKey
        }
        // The broker refuses malformed credentials.
        guard let token = try? BearerCredentials.token(in: request.headers[values: .authorization]) else { return }
        if token.lowercased() == "owner" || token.hasPrefix("ya29.") {
            request.headers[.authorization] = BearerCredentials.header(project.adminToken)
        }
    }

    /// The emulated providers grant whatever an app asks for, so no entry has to allow it.
    private func dropScopes(_ request: inout EmulatorRequest) {
        if request.path.hasSuffix("/auth/handler") {
            request.query.removeAll { ["scopes", "customParameters"].contains($0.name) }
        } else if request.path.hasSuffix(":createAuthUri"), case .json(var object) = request.body {
            for name in ["oauthScope", "oauth_scope", "customParameter", "custom_parameter"] { object[name] = nil }
            request.body = .json(object)
        }
    }

    /// A URL of the emulator under the name that its brokers have for it; nil for any other URL.
    private func atPublicURL(_ text: String) -> String? {
        guard let port = URL(string: project.publicURL)?.port else { return nil }
        for alias in ["http://localhost:\(port)/", "http://[::1]:\(port)/"] where text.hasPrefix(alias) {
            return "\(project.publicURL)/\(text.dropFirst(alias.count))"
        }
        return nil
    }

    /// The tokens of a provider become the credential of the emulated provider.
    private func translateCredential(_ request: inout EmulatorRequest) throws {
        guard case .json(var object) = request.body else { return }
        let name = object["requestUri"] == nil ? "request_uri" : "requestUri"
        let bodyName = object["postBody"] == nil ? "post_body" : "postBody"
        let parts = (object[name]?.string ?? "").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query = parts.count == 2 ? FormEncoding.decode(parts[1].prefix { $0 != "#" }.utf8) ?? [] : []
        let posted = object[bodyName]?.string.flatMap { FormEncoding.decode($0.drop { $0 == "&" }.utf8) } ?? []
        let fields = posted + query
        func value(_ name: String) -> String? { fields.first { $0.name == name && !$0.value.isEmpty }?.value }
        guard let provider = value("providerId")?.lowercased() else { return }
        let credential = EmulatedCredential(idToken: value("id_token"), accessToken: value("access_token"))
        guard credential.idToken != nil || credential.accessToken != nil else { return }
        try project.offer(providers: [provider])
        object[bodyName] = .string(
            FormEncoding.encode([("access_token", credential.text), ("providerId", provider)]))
        // Its query would be read before the credential.
        object[name] = .string(String(parts.first ?? ""))
        request.body = .json(object)
    }

    /// A page as the browser needs it: with the API key of the app instead of the project's, below the host by which the
    /// browser names the emulator, and with the warning at its top.
    func page(_ bytes: [UInt8], for call: EmulatorRequest) -> [UInt8] {
        var text = String(decoding: bytes, as: UTF8.self)
        if let key = call.query.first(where: { $0.name == "apiKey" })?.value {
            // It is inside of JSON in a script element, which no < may end.
            let quoted = JSONValue.string(key).serialized().replacing("<", with: "\\u003C")
            text = text.replacing(project.apiKey, with: quoted.dropFirst().dropLast())
        }
        text = atHost(of: call, text)
        guard let body = text.range(of: "<body[^>]*>", options: .regularExpression) else { return Array(text.utf8) }
        let warning = "<p role=\"alert\">\(EmulatorGateway.warning)</p>"
        return Array((text[..<body.upperBound] + warning + text[body.upperBound...]).utf8)
    }

    /// A text whose URLs of the emulator are below the host by which the client names it. What a page stores in the
    /// browser is kept by host.
    func atHost(of call: EmulatorRequest, _ text: String) -> String {
        guard let authority = call.authority else { return text }
        return text.replacing(project.publicURL, with: "http://\(authority)")
    }

    /// The answer with the signatures of all tokens removed.
    func answer(_ bytes: [UInt8]) -> [UInt8] {
        guard var object = (try? JSONValue(parsing: bytes))?.object else { return bytes }
        var isChanged = false
        for name in ["idToken", "id_token", "access_token", "sessionCookie"] {
            guard let token = object[name]?.string, let unsigned = UnsignedToken.unsigned(token) else { continue }
            object[name] = .string(unsigned)
            isChanged = true
        }
        return isChanged ? object.serializedBytes() : bytes
    }
}
