import Foundation
import HTTPTypes
import ProviderKit

/// Translates between what the Firebase Auth emulator takes and answers (contract §1.2, §3.1, §5.1, §5.6, A-10), and what
/// a broker does.
struct EmulatorTranslation: Sendable {
    let project: EmulatedProject

    /// The request as the project's broker accepts it.
    func request(_ original: EmulatorRequest) throws -> EmulatorRequest {
        var request = original
        authorize(&request)
        // The emulator's name of the project without a tenant, as `firebase emulators:start --import` writes it.
        request.path = request.path.replacing("/tenants//", with: "/")
        if request.path.contains(":signInWithCustomToken") || request.path.hasSuffix("/verifyCustomToken") {
            try request.change("token") { try UnsignedToken.claims(of: $0).map(project.customToken) }
        } else {
            try request.change("idToken", "id_token") { try UnsignedToken.claims(of: $0).map(project.idToken) }
        }
        if request.path.contains(":signInWithIdp") || request.path.hasSuffix("/verifyAssertion") {
            translateCredential(&request)
        }
        return request
    }

    /// Any API key is the project's, and `owner` and `ya29.…` are its administrator.
    private func authorize(_ request: inout EmulatorRequest) {
        if let index = request.query.firstIndex(where: { $0.name == "key" }), !request.query[index].value.isEmpty {
            request.query[index].value = project.apiKey
        }
        if let name = HTTPField.Name("x-goog-api-key"), request.headers[name]?.isEmpty == false {
            request.headers[name] = project.apiKey
        }
        let bearer = request.headers[.authorization].flatMap { field -> String? in
            guard field.prefix(7).lowercased() == "bearer " else { return nil }
            return field.dropFirst(7).trimmingCharacters(in: .whitespaces)
        }
        guard let bearer else { return }
        if bearer.lowercased() == "owner" || bearer.hasPrefix("ya29.") {
            request.headers[.authorization] = "Bearer " + project.adminToken
        }
    }

    /// The claims of `id_token`, else those of `access_token`, become the credential of the emulated provider.
    private func translateCredential(_ request: inout EmulatorRequest) {
        guard case .json(var object) = request.body else { return }
        let name = object["requestUri"] == nil ? "request_uri" : "requestUri"
        let bodyName = object["postBody"] == nil ? "post_body" : "postBody"
        let parts = (object[name]?.string ?? "").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query = parts.count == 2 ? FormEncoding.decode(parts[1].prefix { $0 != "#" }.utf8) ?? [] : []
        let posted = object[bodyName]?.string.flatMap { FormEncoding.decode($0.drop { $0 == "&" }.utf8) } ?? []
        let fields = posted + query
        func value(_ name: String) -> String? { fields.first { $0.name == name && !$0.value.isEmpty }?.value }
        guard let provider = value("providerId")?.lowercased(),
            let credential = value("id_token") ?? value("access_token")
        else { return }
        project.offer(provider: provider)
        let claims = UnsignedToken.claims(of: credential)
        object[bodyName] = .string(
            FormEncoding.encode([
                ("access_token", claims.map(EmulatedProvider.credential) ?? "unparsable"), ("providerId", provider),
            ]))
        // Its query would be read before the credential.
        object[name] = .string(String(parts.first ?? ""))
        request.body = .json(object)
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
        return isChanged ? Array(object.serialized().utf8) : bytes
    }
}
