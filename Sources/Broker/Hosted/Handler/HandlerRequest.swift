import ProviderKit

/// The query with which an SDK, or an app without one, opens the handler page (contract §9.4).
struct HandlerRequest: Sendable {
    let apiKey: String
    let appName: String
    let type: AuthEventType
    let eventID: String?
    /// The app's page: where a redirect ends, and whose origin a popup may speak to.
    let redirectURL: AppURL
    let provider: String
    let scopes: [String]
    let parameters: [String: String]
    /// Whether the outcome is posted to the app's page itself, without the frame in which Google's script runs.
    let handsOverByMessage: Bool

    /// - Throws: ``HandlerRefusal`` while the request is not verified to come from an app of this project. Its page
    ///   receives nothing then.
    init(
        _ query: QueryParameters, _ toolkit: IdentityToolkitContext
    ) throws(HandlerRefusal) {
        guard let apiKey = query[HandlerParameter.apiKey], toolkit.knows(apiKey) else {
            throw HandlerRefusal("The API key is unknown.")
        }
        guard let page = query[HandlerParameter.redirectURL].flatMap(AppURL.page), toolkit.domains.contains(page.host)
        else {
            throw HandlerRefusal("redirectUrl is no page of an authorized domain.")
        }
        guard let type = query[HandlerParameter.type].flatMap(AuthEventType.init) else {
            throw HandlerRefusal("authType is none of those this page serves.")
        }
        guard query["tid"] == nil else { throw HandlerRefusal("There are no tenants here.") }
        guard let appName = query[HandlerParameter.appName], appName.utf8.count <= 256,
            (query[HandlerParameter.eventID] ?? "").utf8.count <= 256
        else { throw HandlerRefusal("appName or eventId is missing or too long.") }
        guard let provider = query[HandlerParameter.providerID] else { throw HandlerRefusal("providerId is missing.") }
        do throws(WireError) {
            self.provider = try ProviderIDField.check(provider)
            scopes = try ScopeField.scopes(
                query[HandlerParameter.scopes] ?? "", separatedBy: UInt8(ascii: ","), at: "scopes")
            parameters = try Self.parameters(query[HandlerParameter.customParameters])
        } catch {
            throw HandlerRefusal("providerId, scopes or customParameters are malformed.")
        }
        self.apiKey = apiKey
        self.appName = appName
        self.type = type
        eventID = query[HandlerParameter.eventID]
        redirectURL = page
        handsOverByMessage = query[HandlerParameter.handOver] == "message"
    }

    private static func parameters(_ text: String?) throws(WireError) -> [String: String] {
        guard let text else { return [:] }
        guard let value = try? JSONValue(parsing: text.utf8) else { throw .malformedJSON("customParameters") }
        return try CustomParameters.read(value, at: "customParameters")
    }

    /// The request as the page stores it in the browser while the user is at the provider. It holds no secret of the
    /// broker's: the session id in it is the app's.
    func json(sessionID: String?) -> JSONValue {
        var object = JSONObject([
            ("key", .string("\(apiKey):\(appName)")), ("apiKey", .string(apiKey)), ("appName", .string(appName)),
            ("type", .string(type.rawValue)), ("redirectUrl", .string(redirectURL.text)),
            ("origin", .string(redirectURL.origin)), ("isPopup", .bool(type.isPopup)),
            ("byMessage", .bool(handsOverByMessage)),
        ])
        object["eventId"] = eventID.map(JSONValue.string)
        object["sessionId"] = sessionID.map(JSONValue.string)
        return .object(object)
    }
}

/// The reason the handler page does not begin, for developers.
struct HandlerRefusal: Error, Sendable {
    let text: String

    init(_ text: String) {
        self.text = text
    }
}

/// The operation of an SDK, as SDKs name it.
enum AuthEventType: String, Sendable, CaseIterable {
    case signInViaPopup, signInViaRedirect, linkViaPopup, linkViaRedirect, reauthViaPopup, reauthViaRedirect

    var isPopup: Bool {
        switch self {
        case .signInViaPopup, .linkViaPopup, .reauthViaPopup: true
        case .signInViaRedirect, .linkViaRedirect, .reauthViaRedirect: false
        }
    }

    var isReauthentication: Bool { self == .reauthViaPopup || self == .reauthViaRedirect }
}

/// The parameters of the pages of Firebase's SDK.
enum HandlerParameter {
    static let apiKey = DeclaredParameter("apiKey", "The API key of the app.").example("<API key>")
    static let appName = DeclaredParameter("appName", "The name of the app in the SDK, of at most 256 bytes.")
        .example("[DEFAULT]")
    static let type = DeclaredParameter("authType", "What the sign-in is for.")
        .choices(AuthEventType.allCases.map(\.rawValue)).example("signInViaPopup")
    static let providerID = DeclaredParameter("providerId", "The provider's id.").example("github.com")
    static let redirectURL = DeclaredParameter("redirectUrl", "The app's page, on an authorized domain.")
        .example("http://localhost/")
    static let eventID = DeclaredParameter("eventId", "The SDK's id of the sign-in, of at most 256 bytes.")
    static let scopes = DeclaredParameter("scopes", "Further scopes in the provider's words, separated by commas.")
    static let customParameters = DeclaredParameter(
        "customParameters", "Further parameters of the authorization request: a JSON object as text.")
    static let handOver = DeclaredParameter(
        "handOver", "`message`: the outcome is sent to the page that opened this one.")
    static let origin = DeclaredParameter("origin", "The origin of the page that frames this one.")
        .example("http://localhost")

    /// What a request of the SDK has.
    static let request = [
        apiKey, appName, type, providerID, redirectURL, eventID, scopes, customParameters, handOver,
    ]
}
