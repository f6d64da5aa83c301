import AsyncHTTPClient
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import OAuth
import ProviderKit

// The endpoints that the emulator answers differently from a broker.
extension EmulatorGateway {
    /// Answers an endpoint that only the emulator has.
    func maintain(_ call: EmulatorRequest, _ translation: EmulatorTranslation) async throws -> Response {
        let parts = call.path.split(separator: "/").map(String.init)
        switch (call.method, parts.count == 5 ? parts[4] : "") {
        case (.delete, "accounts"):
            try await translation.project.removeAllUsers()
            return Self.json([:])
        case (.get, "oobCodes"): return Self.json(["oobCodes": []])
        case (.get, "verificationCodes"): return Self.json(["verificationCodes": []])
        case (.get, "config"): return try await configuration([:], translation)
        case (.patch, "config"):
            guard case .json(let object) = call.body else {
                return Self.error(.badRequest, "INVALID_ARGUMENT", "Invalid JSON payload received.")
            }
            return try await configuration(object, translation)
        default: return Self.error(.notFound, "NOT_FOUND", "Not Found")
        }
    }

    /// Changes and shows the two settings that the emulator's own configuration has, of the project's broker. A refusal is
    /// the broker's.
    private func configuration(_ changes: JSONObject, _ translation: EmulatorTranslation) async throws -> Response {
        let mask = [("signIn", "allowDuplicateEmails"), ("emailPrivacyConfig", "enableImprovedEmailPrivacy")]
            .filter { changes[$0]?[$1] != nil }.map { "\($0).\($1)" }
        let query = mask.isEmpty ? "" : "?updateMask=" + mask.joined(separator: ",")
        let call = EmulatorRequest(
            method: mask.isEmpty ? .get : .patch, target: "/v2/projects/\(translation.project.id)/config\(query)",
            headers: [.authorization: BearerCredentials.header("owner"), .contentType: "application/json"],
            body: mask.isEmpty ? [] : changes.serializedBytes())
        let answer = try await send(try translation.request(call), to: translation.project)
        let settings = try JSONValue(parsing: Array(buffer: try await answer.body.collect(upTo: Self.maximumBody)))
        guard answer.status == .ok else { return Self.json(settings, .init(code: Int(answer.status.code))) }
        return Self.json([
            "signIn": ["allowDuplicateEmails": settings["signIn"]?["allowDuplicateEmails"] ?? false],
            "emailPrivacyConfig": [
                "enableImprovedEmailPrivacy": settings["emailPrivacyConfig"]?["enableImprovedEmailPrivacy"] ?? false
            ],
        ])
    }

    /// The collection of provider configurations that a path is in; nil for any other path.
    static func providerConfigurations(in path: String) -> String? {
        for name in ["oauthIdpConfigs", "defaultSupportedIdpConfigs"] {
            guard let range = path.firstRange(of: "/\(name)"), path.contains("/projects/") else { continue }
            let rest = path[range.upperBound...]
            if rest.isEmpty || rest.hasPrefix("/") { return String(path[..<range.upperBound]) }
        }
        return nil
    }

    /// Answers for the provider configurations: there are none, since every provider is there without one.
    func providerConfigurations(
        _ collection: String, _ call: EmulatorRequest, _ translation: EmulatorTranslation
    ) async throws -> Response {
        var list = EmulatorRequest(
            method: .get, target: collection, headers: call.headers, authority: call.authority, body: [])
        list.query = call.method == .get && call.path == collection ? call.query : []
        // The broker checks the credential. It lists none, because the entries of the emulator's plugin are not of the kinds
        // of these resources.
        let listed = try await forward(list, translation)
        guard listed.status == .ok, call.method != .get || call.path != collection else { return listed }
        guard call.method == .get else {
            return Self.error(
                .badRequest, nil, "OPERATION_NOT_ALLOWED : The emulator has every provider without a configuration.")
        }
        return Self.error(.badRequest, nil, "CONFIGURATION_NOT_FOUND")
    }
}
