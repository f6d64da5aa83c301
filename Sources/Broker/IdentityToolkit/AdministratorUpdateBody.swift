import BrokerStore
import ProviderKit

/// The body of an `accounts:update` request from a backend (contract §2.6): the changes it asks for.
struct AdministratorUpdateBody: Sendable {
    let localID: String
    let changes: AccountChanges
    let further: AdministratorChanges

    /// - Throws: ``WireError`` in the order of contract §2.6, as far as a look at the body decides.
    init(_ fields: RequestFields) throws(WireError) {
        try UpdateBody.checkImplemented(fields)
        guard let localID = try fields.nonEmpty("localId") else { throw .code(.missingLocalID) }
        self.localID = localID
        var further = AdministratorChanges()
        further.fields = try Self.claims(fields)
        changes = try UpdateBody.changes(fields)
        for name in ["phoneNumber", "mfa"] where try fields.nonEmptyValue(name) {
            throw .code(.operationNotAllowed, "\(name) is not offered here: users sign in through a provider.")
        }
        further.isEmailVerified = try fields.bool("emailVerified")
        further.isDisabled = try fields.bool("disableUser")
        further.validSince = try Self.number("validSince", in: 0...Self.latest / 1000, of: fields)
        for field in UserField.administered where field.name != Self.claimsName {
            further.fields[field] = try Self.value(of: field, fields)
        }
        further.link = try Self.link(fields)
        self.further = further
    }

    /// The end of the year 9999, in milliseconds: later dates are none in most languages.
    private static let latest: Int64 = 253_402_300_799_999

    /// Firebase's SDKs fail on a zero.
    private static func time(_ name: String, of fields: RequestFields) throws(WireError) -> Timestamp? {
        try number(name, in: 1...latest, of: fields).map(Timestamp.init(milliseconds:))
    }

    private static func number(
        _ name: String, in range: ClosedRange<Int64>, of fields: RequestFields
    ) throws(WireError) -> Int64? {
        guard let text = try fields.nonEmpty(name) else { return nil }
        guard let number = Int64(text), range.contains(number) else {
            throw .field("/\(name)", "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private static let claimsName = "customAttributes"

    /// The custom claims as they were sent, once they are known to be usable (contract §7.5).
    private static func claims(_ fields: RequestFields) throws(WireError) -> [UserField: SQLValue] {
        guard let text = try fields.string(claimsName) else { return [:] }
        do throws(BrokerError) {
            try CustomClaims.check(attributes: text)
        } catch {
            throw WireError(error)
        }
        return Dictionary(
            uniqueKeysWithValues: UserField.administered.filter { $0.name == claimsName }.map { ($0, .text(text)) })
    }

    /// The value that a request has for a field; nil for none. A text that is empty or `null` clears.
    private static func value(of field: UserField, _ fields: RequestFields) throws(WireError) -> SQLValue? {
        switch field.form {
        case .text: try ProfileFields.text(field.name, of: fields).map { .text(orNull: $0.value) }
        case .flag: try fields.bool(field.name).map(SQLValue.flag)
        case .time: try time(field.name, of: fields).map { .time(orNull: $0) }
        case .integer: try number(field.name, in: 0...latest, of: fields).map(SQLValue.integer)
        }
    }

    private static func link(_ fields: RequestFields) throws(WireError) -> AdministratorChanges.Link? {
        guard let entry = try fields.object("linkProviderUserInfo") else { return nil }
        guard let provider = try entry.nonEmpty("providerId") else { throw .code(.missingProviderID) }
        guard let subject = try entry.nonEmpty("rawId") else { throw .code(.missingRawID) }
        guard Evidence.isSubject(subject) else {
            throw .field("/linkProviderUserInfo/rawId", "must be a subject of 1 to 255 printable ASCII characters")
        }
        var link = AdministratorChanges.Link(provider: provider.lowercasedASCII, subject: subject)
        if let email = try entry.nonEmpty("email") {
            guard let address = EmailAddress(email) else { throw .code(.invalidEmail) }
            link.email = address.display
        }
        link.displayName = try ProfileFields.text("displayName", of: entry)?.value
        link.photoURL = try ProfileFields.picture(of: entry)?.value
        link.screenName = try ProfileFields.text("screenName", of: entry)?.value
        return link
    }
}
