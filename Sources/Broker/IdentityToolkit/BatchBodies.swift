import BrokerStore
import JOSE
import ProviderKit

/// The body of `accounts:batchCreate` (contract §7.2).
struct UserUpload: DeclaredRequest {
    /// User records with names in camel case.
    private(set) var records: [JSONObject] = []
    private(set) var replacesExisting = false

    static let body = DeclaredBody<UserUpload>([
        .value(
            "users", schema: ["type": "array", "items": UserRecordReader.schema], "The users, at most 1000."
        ) { (fields, body) throws(WireError) in
            body.records = try fields.objects("users").map(\.fields.camelCased)
            guard !body.records.isEmpty else { throw .code(.missingUserAccount) }
            guard body.records.count <= UserPage.maximumSize else { throw .code(.maximumUserCountExceeded) }
        }.required().example([["localId": "ada", "email": "ada@example.com"]]),
        .flag("allowOverwrite", "Whether users with these ids are replaced; otherwise they are refused.") {
            $0.replacesExisting = $1 ?? false
        }.example(true),
        .flag("sanityCheck", "Whether a request that has an address or an identity twice is refused as a whole.") {
            (body, isChecked) throws(WireError) in
            guard isChecked == true else { return }
            try checkEmails(body.records)
            try checkRawIDs(body.records)
        },
        .check { (_, body) throws(WireError) in
            if !body.replacesExisting { try checkLocalIDs(body.records) }
        },
    ])

    private static func checkEmails(_ records: [JSONObject]) throws(WireError) {
        var seen: Set<String> = []
        for email in records.compactMap({ $0["email"]?.string }) where !seen.insert(email).inserted {
            throw .code(.duplicateEmail, email)
        }
    }

    private static func checkRawIDs(_ records: [JSONObject]) throws(WireError) {
        var seen: Set<[String]> = []
        for entry in records.flatMap({ $0["providerUserInfo"]?.array ?? [] }) {
            guard let provider = entry["providerId"]?.string, let rawID = entry["rawId"]?.string else { continue }
            guard seen.insert([provider, rawID]).inserted else {
                throw .code(.duplicateRawID, "Provider id(\(provider)), Raw id(\(rawID))")
            }
        }
    }

    private static func checkLocalIDs(_ records: [JSONObject]) throws(WireError) {
        var seen: Set<String> = []
        for localID in records.compactMap({ $0["localId"]?.string }) where !seen.insert(localID).inserted {
            throw .code(.duplicateLocalID, localID)
        }
    }
}

/// The body of `accounts:batchDelete` (contract §7.3).
struct UserDeletion: DeclaredRequest {
    private(set) var localIDs: [String] = []
    private(set) var includesEnabled = false

    static let body = DeclaredBody<UserDeletion>([
        .texts("localIds", "The ids of the users, at most 1000.") { (body, localIDs) throws(WireError) in
            guard (1...UserPage.maximumSize).contains(localIDs.count) else { throw .code(.localIDListExceedsLimit) }
            body.localIDs = localIDs
        }.required().example(["<user>"]),
        .flag("force", "Whether users that are not disabled are deleted too.") { $0.includesEnabled = $1 ?? false }
            .example(true),
    ])
}

/// A request for a page of all users: the query of `accounts:batchGet`, and the body of `downloadAccount`
/// (contract §7.1).
struct UserPageRequest: DeclaredRequest {
    private(set) var limit = 20
    /// The id of the last user of the page before.
    private(set) var cursor: String?

    static let body = DeclaredBody<UserPageRequest>([
        .integer("maxResults", 0...Int.max, "The maximum number of users of the page: 20 when absent, at most 1000.") {
            (page, size) in
            guard let size, size != 0 else { return }
            page.limit = min(size, UserPage.maximumSize)
        }.example(100),
        .text("nextPageToken", "`nextPageToken` of the page before.") { (page, token) throws(WireError) in
            guard let token else { return }
            guard let bytes = Base64URL.decode(token), let localID = String(utf8: bytes),
                LocalID.isUsable(localID)
            else { throw .code(.invalidPageSelection) }
            page.cursor = localID
        },
    ])

    /// The same as a query.
    static let parameters = body.fields.map {
        DeclaredParameter($0.name, $0.text).schema($0.schema ?? [:])
    }

    /// The same for `downloadAccount`, whose path does not name the project.
    static let download = DeclaredBody<UserPageRequest>(
        [.unread("targetProjectId", schema: ["type": "string"], "The project's id.")], body.fields)
}

/// The body of `accounts:query` (contract §7.4).
struct UserQuery: DeclaredRequest {
    /// The condition; only the first one of a request is evaluated, as Identity Toolkit documents it.
    private(set) var criterion: UserCriterion?
    private(set) var returnsUsers = true
    private(set) var offset = 0
    private(set) var limit = Self.maximum
    private var sortKey = SortKey.unspecified
    private var isDescending = false

    var order: UserOrder { UserOrder(by: sortKey.key, isDescending: isDescending) }

    /// The maximum number of users of an answer, and the default.
    private static let maximum = 500

    private enum SortKey: String, CaseIterable {
        case unspecified = "SORT_BY_FIELD_UNSPECIFIED"
        case userID = "USER_ID"
        case name = "NAME"
        case createdAt = "CREATED_AT"
        case lastLoginAt = "LAST_LOGIN_AT"
        case email = "USER_EMAIL"

        var key: UserOrder.Key {
            switch self {
            case .unspecified, .userID: .localID
            case .name: .displayName
            case .createdAt: .createdAt
            case .lastLoginAt: .lastLoginAt
            case .email: .email
            }
        }
    }

    private enum Order: String, CaseIterable {
        case unspecified = "ORDER_UNSPECIFIED"
        case ascending = "ASC"
        case descending = "DESC"
    }

    static let body = DeclaredBody<UserQuery>([
        .flag("returnUserInfo", "Whether the users are answered, or only their number; `true` when absent.") {
            $0.returnsUsers = $1 ?? true
        }.example(true),
        .value(
            "expression",
            schema: [
                "type": "array",
                "items": [
                    "type": "object",
                    "properties": [
                        "email": ["type": "string", "description": "The user's e-mail address."],
                        "userId": ["type": "string", "description": "The user's id."],
                    ],
                ],
            ], "The condition; of several the first one counts. Without it the answer is about all users."
        ) { (fields, query) throws(WireError) in query.criterion = try criterion(fields) },
        .choice("sortBy", of: SortKey.self, "What the users are ordered by; their id when absent.") {
            $0.sortKey = $1 ?? .unspecified
        }.example(.string(SortKey.createdAt.rawValue)),
        .choice("order", of: Order.self, "Whether the order is ascending or descending; ascending when absent.") {
            $0.isDescending = $1 == .descending
        },
        .integer("offset", 0...Int(Int32.max), "The number of users to pass over.") { $0.offset = $1 ?? 0 },
        .integer("limit", 0...Int.max, "The maximum number of users of the answer: 500 when absent, and at most.") {
            (query, limit) in
            query.limit = limit.map { $0 == 0 ? maximum : min($0, maximum) } ?? maximum
        },
    ])

    private static func criterion(_ fields: RequestFields) throws(WireError) -> UserCriterion? {
        guard let expression = try fields.objects("expression").first else { return nil }
        if let email = try expression.nonEmpty("email") { return .email(email) }
        if let localID = try expression.nonEmpty("userId") { return .localID(LocalID.isUsable(localID) ? localID : "") }
        // No user has a telephone number here.
        return try expression.nonEmpty("phoneNumber") == nil ? nil : .localID("")
    }
}

extension JSONObject {
    /// The object with the protocol's first spelling of names, at every depth (contract §1.3).
    fileprivate var camelCased: JSONObject {
        JSONObject(
            map { name, value in
                switch value {
                case .object(let object): (name.camelCased, .object(object.camelCased))
                case .array(let elements):
                    (name.camelCased, .array(elements.map { $0.object.map { .object($0.camelCased) } ?? $0 }))
                default: (name.camelCased, value)
                }
            })
    }
}

extension String {
    fileprivate var camelCased: String {
        guard utf8.contains(UInt8(ascii: "_")) else { return self }
        let words = split(separator: "_")
        return words.dropFirst().reduce(String(words.first ?? "")) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
    }
}
