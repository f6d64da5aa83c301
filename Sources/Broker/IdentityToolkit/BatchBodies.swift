import BrokerStore
import ProviderKit

/// The body of `accounts:batchCreate` (contract §7.2).
struct UserUpload: Sendable {
    /// User records with names in camel case.
    let records: [JSONObject]
    let replacesExisting: Bool

    /// - Throws: ``WireError`` for what refuses the whole request, in the order of the contract.
    init(_ fields: RequestFields) throws(WireError) {
        records = try fields.objects("users").map(\.camelCased)
        guard !records.isEmpty else { throw .code(.missingUserAccount) }
        guard records.count <= UserPage.maximumSize else {
            throw .code(.maximumUserCountExceeded)
        }
        replacesExisting = try fields.bool("allowOverwrite") ?? false
        if try fields.bool("sanityCheck") ?? false {
            try Self.checkEmails(records)
            try Self.checkRawIDs(records)
        }
        if !replacesExisting { try Self.checkLocalIDs(records) }
    }

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

/// The body of `accounts:query` (contract §7.4).
struct UserQuery: Sendable {
    /// The condition; only the first one of a request is evaluated, as Identity Toolkit documents it.
    let criterion: UserCriterion?
    let returnsUsers: Bool
    let order: UserOrder
    let offset: Int
    let limit: Int

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

    /// - Throws: ``WireError``.
    init(_ fields: RequestFields) throws(WireError) {
        returnsUsers = try fields.bool("returnUserInfo") ?? true
        criterion = try fields.objects("expression").first.flatMap { expression throws(WireError) in
            let expression = RequestFields(expression)
            if let email = try expression.nonEmpty("email") { return .email(email) }
            if let localID = try expression.nonEmpty("userId") {
                return .localID(LocalID.isUsable(localID) ? localID : "")
            }
            // No user has a telephone number here.
            return try expression.nonEmpty("phoneNumber") == nil ? nil : .localID("")
        }
        let sortKey = try fields.choice("sortBy", of: SortKey.self) ?? .unspecified
        let order = try fields.choice("order", of: Order.self) ?? .unspecified
        self.order = UserOrder(by: sortKey.key, isDescending: order == .descending)
        offset = try fields.number("offset", in: 0...Int(Int32.max)) ?? 0
        let limit = try fields.number("limit", in: 0...Int.max) ?? 0
        self.limit = limit == 0 ? Self.maximum : min(limit, Self.maximum)
    }
}

extension RequestFields {
    /// An array of objects; an absent one is empty.
    func objects(_ name: String) throws(WireError) -> [JSONObject] {
        guard let value = try value(name), !value.isNull else { return [] }
        guard let array = value.array else { throw WireError.field("/\(name)", "must be array") }
        return try array.enumerated().map { index, element throws(WireError) in
            guard let object = element.object else { throw WireError.field("/\(name)/\(index)", "must be object") }
            return object
        }
    }

    /// A name of an enumeration, which may stand as its number.
    fileprivate func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ name: String, of type: Choice.Type
    ) throws(WireError) -> Choice? {
        guard let text = try nonEmpty(name) else { return nil }
        let choices = Array(type.allCases)
        if let number = Int(text), choices.indices.contains(number) { return choices[number] }
        guard let choice = Choice(rawValue: text) else {
            throw WireError.field("/\(name)", "must be one of \(choices.map(\.rawValue).joined(separator: ", "))")
        }
        return choice
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
