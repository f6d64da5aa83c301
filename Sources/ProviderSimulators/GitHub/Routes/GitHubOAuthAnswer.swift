import ProviderKit

/// An answer of the token and device endpoints: a form unless the client asks for something else.
struct GitHubOAuthAnswer {
    /// In the order of the form.
    private let fields: [(name: String, value: JSONValue)]

    private init(_ fields: KeyValuePairs<String, JSONValue?>) {
        self.fields = fields.compactMap { name, value in value.map { (name, $0) } }
    }

    init(_ token: GitHubToken) {
        let expires = token.refresh != nil
        self.init([
            "access_token": .string(token.value),
            "expires_in": expires ? .integer(Int64(GitHubToken.lifetime)) : nil,
            "refresh_token": token.refresh.map { .string($0.value) },
            "refresh_token_expires_in": expires ? .integer(Int64(GitHubToken.refreshLifetime)) : nil,
            "scope": .string(token.scopes.joined(separator: ",")),
            "token_type": "bearer",
        ])
    }

    init(_ failure: GitHubOAuthFailure) {
        self.init([
            "error": .string(failure.code),
            "error_description": .string(failure.description),
            "error_uri": .string(failure.tokenErrorURI),
            "interval": failure.interval.map { .integer(Int64($0)) },
        ])
    }

    init(_ device: SimulatedDeviceAuthorization) {
        fields = (device.json(complete: false).object ?? [:]).map { ($0.name, $0.value) }
    }

    /// The answer in the first of `acceptedTypes` that GitHub writes.
    func response(accepting acceptedTypes: [String]) -> SimulatorResponse {
        for type in acceptedTypes {
            switch type {
            case "application/json": return .json(.object(JSONObject(fields.map { ($0, $1) })))
            case "application/xml": return xml
            default: continue
            }
        }
        var form = FormFields([:])
        for (name, value) in fields { form.append(name, value.text ?? "") }
        return SimulatorResponse(
            status: 200, contentType: "application/x-www-form-urlencoded; charset=utf-8",
            body: Array(form.encoded.utf8))
    }

    private var xml: SimulatorResponse {
        let elements = fields.map { name, value in
            "<\(name)>\(HTML.escape(value.text ?? ""))</\(name)>"
        }
        let document = #"<?xml version="1.0" encoding="UTF-8"?>"# + "<OAuth>\(elements.joined())</OAuth>"
        return SimulatorResponse(
            status: 200, contentType: "application/xml; charset=utf-8", body: Array(document.utf8))
    }
}
