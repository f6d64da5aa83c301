import ProviderKit

/// A record of the control interface: read from JSON, shown as JSON.
protocol ControlRecord: Sendable {
    /// The body that makes a new record.
    associatedtype Draft: Decodable & Sendable

    init(_ draft: Draft) throws(Refusal)
    var json: JSONValue { get }
}

/// The properties of one simulated provider. ``SimulatorCore`` does the rest.
protocol SimulatedProvider: SimulatorState where Person: ControlRecord, Application: ControlRecord {
    /// The names and paths of the pages that users see.
    var pages: ProviderPages { get }

    /// Adds the provider's own endpoints.
    static func addRoutes(to routes: ProviderRoutes<Self>)

    /// Adds the control calls that issue credentials.
    static func addControls(to controls: ProviderControls<Self>)

    /// The answer to a request for an unknown path; `nil` for the server's own.
    func notFound(_ path: String) -> SimulatorResponse?

    /// Reads an authorization request.
    mutating func authorize(_ request: SimulatorRequest) throws(Refusal) -> AuthorizationStep

    /// Issues what the user has consented to.
    ///
    /// - Throws: The answer when the user may not consent.
    mutating func grant(
        _ request: SimulatedAuthorizationRequest, to application: Application, by person: Person, _ form: FormFields
    ) throws(Refusal) -> SimulatorResponse

    /// The answer when the user has cancelled.
    func denial(of request: SimulatedAuthorizationRequest) -> SimulatorResponse

    /// An answer of the authorization endpoint with the provider's own header fields.
    func annotated(_ response: SimulatorResponse, for request: SimulatedAuthorizationRequest) -> SimulatorResponse

    /// The user whose session a browser gets after a decision of `person`.
    func sessionOwner(_ person: Person) -> Person.ID

    /// The row of the consent page.
    func choice(_ person: Person) -> (name: String, note: String)

    /// The meaning of a scope on the consent page.
    func meaning(ofScope scope: String) -> String?

    /// The provider's own part of the consent page, between permissions and buttons.
    func consentExtra(_ request: SimulatedAuthorizationRequest) -> HTML

    /// The user with this name, as the control interface addresses users.
    func person(named name: String) -> Person?

    /// Stores a client registration of the control interface.
    mutating func register(_ application: Application) -> Application

    /// Records what an approved device may do.
    mutating func approve(_ device: DeviceCodes<Person.ID>.Device, by personID: Person.ID, scopes: [String])

    /// Counts an entered user code.
    ///
    /// - Returns: `false` when too many codes of the client were entered.
    mutating func countEntry(ofClient clientID: String) -> Bool

    /// The page for a user who may not approve a device of `application`.
    func deviceProblem(of person: Person, _ application: Application) -> SimulatorResponse?

    /// The status page's rows.
    func row(_ person: Person) -> HTML
    func row(_ application: Application) -> HTML
}

extension SimulatedProvider {
    func notFound(_ path: String) -> SimulatorResponse? { nil }
    func annotated(_ response: SimulatorResponse, for request: SimulatedAuthorizationRequest) -> SimulatorResponse {
        response
    }
    func sessionOwner(_ person: Person) -> Person.ID { person.id }
    func meaning(ofScope scope: String) -> String? { nil }
    func consentExtra(_ request: SimulatedAuthorizationRequest) -> HTML { "" }
    mutating func approve(_ device: DeviceCodes<Person.ID>.Device, by personID: Person.ID, scopes: [String]) {}
    mutating func countEntry(ofClient clientID: String) -> Bool { true }
    func deviceProblem(of person: Person, _ application: Application) -> SimulatorResponse? { nil }

    mutating func register(_ application: Application) -> Application {
        memory.put(application)
        return application
    }
}

/// The provider's decision on an authorization request.
enum AuthorizationStep {
    /// The answer needs no page.
    case answer(SimulatorResponse)
    /// The user decides on a page; `selected` is the identifier of the preselected user.
    case ask(SimulatedAuthorizationRequest, clientName: String, selected: String? = nil)
}

/// The names and paths of the pages that users see.
struct ProviderPages: Sendable {
    /// The provider's name on the pages.
    let provider: String
    let authorizePath: String
    /// The path of the users' pictures, before their identifier.
    let picturePath: String
    /// The device page, where the provider has the device flow.
    var devicePath: String?
    /// The device page's path below the provider's base; the same as ``devicePath`` for a provider at the root.
    var deviceAddress: String?
    /// Whether the device page takes the code from the query (`verification_uri_complete`).
    var prefillsUserCode = false
    /// Whether the user may deselect single scopes.
    var offersScopes = true
    /// The session cookie's name and path, where the provider has one.
    var cookie: (name: String, path: String)?
    /// The status page.
    var title: String? = nil
    var heading: String? = nil
    var facts: [(name: String, value: String)] = []
    var applicationsHeading = "Registered applications"
    /// A control call to try, and its body.
    var example: (url: String, body: String)?
}
