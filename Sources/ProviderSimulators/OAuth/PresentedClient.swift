/// The client that a token request names (RFC 6749 §2.3.1): by `Authorization: Basic`, by the body, or by both.
struct PresentedClient: Sendable {
    /// The header's name and secret, form-decoded.
    let basic: (id: String, secret: String)?
    let bodyID: String?
    let bodySecret: String?

    init(_ form: FormFields, _ request: SimulatorRequest) {
        basic = request.basicCredentials.map { (Self.decoded($0.user), Self.decoded($0.password)) }
        bodyID = form["client_id"]
        bodySecret = form["client_secret"]
    }

    /// Whether a secret comes in the header and in the body, which RFC 6749 §2.3 forbids.
    var usesTwoMechanisms: Bool { basic != nil && bodySecret != nil }

    /// RFC 6749 §2.3.1 has both halves form-encoded; what is not stays as it is.
    private static func decoded(_ text: String) -> String {
        (try? FormFields(decoding: "_=" + text))?["_"] ?? text
    }
}
