import ProviderKit

/// `options.claims.subject` of an OAuth 2 provider: the place of the user's id, several in order of preference, or several
/// that make the id together.
struct SubjectRule: DeclaredValue {
    private(set) var sources: [ClaimSource] = []
    /// Stands between the parts of a composite subject; nil when one of ``sources`` is the whole subject.
    private(set) var separator: String?

    init() {}

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer().decode(JSONValue.self)
        guard value["join"] != nil else {
            sources = try ClaimSources(from: decoder).sources
            return
        }
        let joined = try Joined(from: decoder)
        (sources, separator) = (joined.join?.sources ?? [], joined.separator)
    }

    static var declaredSchema: JSONObject {
        ["anyOf": [.object(ClaimSources.declaredSchema), .object(Joined.declaredSchema)]]
    }

    private struct Joined: DeclaredOptions {
        var join: ClaimSources?
        var separator = ":"

        static let declaration = DeclaredObject<Joined>(
            "A subject of several parts, for providers whose ids are unique within a team or an organisation.",
            [
                .key("join", \.join, "the parts, each of which has to be there").required()
                    .narrowed(by: ["type": "array", "minItems": 2]),
                .key(
                    "separator", \.separator,
                    "the character between the parts: a sign-in with one that has it is refused, except in the last part"
                ).initially(":").narrowed(by: ["pattern": "^[:./|_~-]$"]),
            ])
    }

    /// Whether the separator is one character that ids rarely have.
    var hasValidSeparator: Bool {
        separator.map { $0.utf8.count == 1 && $0.utf8.allSatisfy(":./|_~-".utf8.contains) } ?? true
    }
}

/// `options.subjectNamespace`: what tells the ids of several places apart.
enum SubjectNamespace: DeclaredValue {
    /// The provider gives no id of one place to another user in another one.
    case shared
    /// A name for each place, which begins its subjects.
    case names([String])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let value = try container.decode(JSONValue.self)
        let names = value.array?.compactMap(\.string)
        let isList = names.map { names in
            names.count == value.array?.count && names.allSatisfy(Self.isName) && Set(names).count == names.count
        }
        switch (value, isList) {
        case ("shared", _): self = .shared
        case (_, true): self = .names(names ?? [])
        default:
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription:
                    #"expected "shared", or a list of different names of a-z, 0-9 and -, one for each place"#)
        }
    }

    static let declaredSchema: JSONObject = [
        "anyOf": [
            ["const": "shared"],
            [
                "type": "array", "uniqueItems": true, "items": ["type": "string", "pattern": "^[a-z0-9-]{1,32}$"],
            ],
        ]
    ]

    private static func isName(_ name: String) -> Bool {
        (1...32).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (0x30...0x39).contains(byte)
                    || byte == UInt8(ascii: "-")
            }
    }
}

/// The rule by which an OAuth 2 provider's documents name the subject.
struct SubjectReader: Sendable {
    private let rule: SubjectRule
    private let namespace: SubjectNamespace?

    /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/configuration`` for a subject that may be another user's
    ///   later, or another user's at another place.
    init(_ rule: SubjectRule, _ namespace: SubjectNamespace?, ofSeveralHosts: Bool) throws(ProviderError) {
        func refuse(_ reason: String) -> ProviderError {
            ProviderError(.configuration, at: .configure, "options." + reason)
        }
        self.rule = rule
        self.namespace = namespace
        guard rule.sources.allSatisfy({ !MutableClaims.contain($0.pointer) }) else {
            throw refuse("claims.subject must point to an id that is never reassigned, not to a name or an address")
        }
        guard rule.sources.allSatisfy({ $0.place != .callback }) else {
            throw refuse(
                "claims.subject must not be in the callback: the browser brings its values, and nothing proves them")
        }
        guard rule.separator == nil || rule.sources.count > 1, rule.hasValidSeparator else {
            throw refuse(
                "claims.subject.join needs two parts or more, and a separator of one character of : . / | _ ~ -")
        }
        let isList = rule.separator == nil && rule.sources.count > 1
        switch namespace {
        case .names(let names):
            guard isList, names.count == rule.sources.count else {
                throw refuse("subjectNamespace needs one name for each place of claims.subject")
            }
        case nil:
            guard !isList else {
                throw refuse(
                    #"subjectNamespace is needed with several places of claims.subject: a list of names, which begin the "#
                        + #"subjects of each, or "shared" if no id of one place is another user's at another one"#)
            }
            guard !ofSeveralHosts || rule.separator != nil else {
                throw refuse(
                    #"subjectNamespace must be "shared" with several userinfoHosts, if no id of one host is another "#
                        + "user's at another one; otherwise join the host and the id in claims.subject")
            }
        case .shared: break
        }
    }

    /// The places of the subject.
    var sources: [ClaimSource] { rule.sources }

    /// The rule as text, which changes whenever another subject may result.
    var description: String {
        let places = rule.sources.map(\.description).joined(separator: ", ")
        let joined = rule.separator.map { "join \($0) \(places)" } ?? places
        guard case .names(let names) = namespace else { return joined }
        return "\(joined) as \(names.joined(separator: ", "))"
    }

    /// The subject of the documents' user.
    ///
    /// - Throws: ``ProviderError`` when there is none, when a part could be read in two ways, or is an address.
    func subject(in documents: ClaimDocuments) throws(ProviderError) -> String {
        let ids = rule.sources.map { documents[$0]?.identifier }
        guard let separator = rule.separator else {
            guard let found = ids.firstIndex(where: { $0 != nil }), let id = ids[found] else { throw Self.missing }
            try checkStable(id)
            guard case .names(let names) = namespace else { return id }
            return "\(names[found]):\(id)"
        }
        let parts = ids.compactMap(\.self)
        guard parts.count == ids.count else { throw Self.missing }
        for part in parts { try checkStable(part) }
        guard !parts.dropLast().contains(where: { $0.utf8.contains(where: separator.utf8.contains) }) else {
            throw ProviderError(
                .configuration, at: .readProfile,
                "a part of options.claims.subject has the separator: choose another one")
        }
        return parts.joined(separator: separator)
    }

    private func checkStable(_ id: String) throws(ProviderError) {
        guard !id.isAddressShaped else {
            throw ProviderError(
                .configuration, at: .readProfile,
                "options.claims.subject points to an address, which can be reassigned: use a stable id")
        }
    }

    private static let missing = ProviderError(
        .upstream, at: .readProfile, "the response has no value at options.claims.subject")
}
