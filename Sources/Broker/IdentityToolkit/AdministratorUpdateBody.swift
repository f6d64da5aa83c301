import BrokerStore
import ProviderKit

/// The body of an `accounts:update` request from a backend (contract §2.6): the changes it asks for.
struct AdministratorUpdateBody: DeclaredRequest {
    private(set) var localID = ""
    /// The user of an ID token goes before the localId, as at Identity Toolkit.
    private(set) var idToken: String?
    private(set) var changes = AccountChanges()
    private(set) var further = AdministratorChanges()

    static let body = DeclaredBody<AdministratorUpdateBody>(
        [
            .refused(AccountChangeFields.unimplemented, AccountChangeFields.refusal),
            .text("localId", orThrow: .code(.missingLocalID), "The user's id.") { $0.localID = $1 }.example("<user>"),
        ], administered.filter { $0.name == AdministratorChanges.claimsName },
        AccountChangeFields.body.of(\AdministratorUpdateBody.changes),
        [
            .check { (fields, _) throws(WireError) in
                for name in ["phoneNumber", "mfa"] where try fields.nonEmptyValue(name) {
                    throw .code(.operationNotAllowed, "\(name) is not offered here: users sign in through a provider.")
                }
            },
            .flag("emailVerified", "Whether the address counts as verified.") { $0.further.isEmailVerified = $1 },
            .flag("disableUser", "Whether the user is disabled.") { $0.further.isDisabled = $1 },
            number(
                "validSince", in: 0...latest / 1000,
                "Ends the tokens that were issued before: whole seconds since 1970, which the user's record shows."
            ) { $0.further.validSince = $1 },
        ], administered.filter { $0.name != AdministratorChanges.claimsName },
        [
            .value(
                "linkProviderUserInfo", schema: LinkedProviderBody.body.schema.object ?? [:],
                "A provider entry for the user."
            ) { (fields, body) throws(WireError) in
                body.further.link = try fields.object("linkProviderUserInfo").map(LinkedProviderBody.init)?.link
            },
            .text("idToken", "An ID token of the user; it goes before `localId`.") { $0.idToken = $1 },
        ])

    /// The end of the year 9999, in milliseconds: later dates are none in most languages.
    private static let latest: Int64 = 253_402_300_799_999

    /// The fields that administrators set as they are.
    private static let administered = UserField.administered.map { field -> BodyField<Self> in
        let text = UserFieldSchema.text(of: field)
        return switch field.form {
        case .text where field.name == AdministratorChanges.claimsName:
            .emptyableText(field.name, text) { (body, claims) throws(WireError) in
                guard let claims else { return }
                do throws(BrokerError) {
                    try CustomClaims.check(attributes: claims)
                } catch {
                    throw WireError(error)
                }
                body.further.fields[field] = .text(claims)
            }.example(#"{"role":"editor"}"#)
        // A text that is empty or `null` clears.
        case .text:
            .value(field.name, schema: ["type": ["string", "null"]], text) { (fields, body) throws(WireError) in
                body.further.fields[field] = try ProfileFields.text(field.name, of: fields).map {
                    .text(orNull: $0.value)
                }
            }
        case .flag: .flag(field.name, text) { $0.further.fields[field] = $1.map(SQLValue.flag) }
        // Firebase's SDKs fail on a zero.
        case .time:
            number(field.name, in: 1...latest, text) {
                $0.further.fields[field] = $1.map { .time(orNull: Timestamp(milliseconds: $0)) }
            }
        case .integer:
            number(field.name, in: 0...latest, text) { $0.further.fields[field] = $1.map(SQLValue.integer) }
        }
    }

    /// A 64-bit number as text (contract §0), for which a number serves as well.
    private static func number(
        _ name: String, in range: ClosedRange<Int64>, _ text: String,
        set: @escaping @Sendable (inout Self, Int64?) -> Void
    ) -> BodyField<Self> {
        .value(name, schema: ["type": "string", "pattern": "^[0-9]+$"], text) { (fields, body) throws(WireError) in
            guard let text = try fields.nonEmpty(name) else { return set(&body, nil) }
            guard let number = Int64(text), range.contains(number) else {
                throw .field("/\(name)", "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
            }
            set(&body, number)
        }
    }
}

/// The provider entry that an administrator gives to a user.
private struct LinkedProviderBody: DeclaredRequest {
    private var provider = ""
    private var subject = ""
    private var email: String?
    private var displayName: String?
    private var photoURL: String?
    private var screenName: String?

    var link: AdministratorChanges.Link {
        var link = AdministratorChanges.Link(provider: provider, subject: subject)
        (link.email, link.displayName, link.photoURL, link.screenName) = (email, displayName, photoURL, screenName)
        return link
    }

    static let body = DeclaredBody<LinkedProviderBody>([
        .text("providerId", orThrow: .code(.missingProviderID), "The provider's id.") {
            $0.provider = $1.lowercasedASCII
        },
        .text("rawId", orThrow: .code(.missingRawID), "The user's permanent id at the provider.") {
            (entry, subject) throws(WireError) in
            guard Evidence.isSubject(subject) else {
                throw .field("/linkProviderUserInfo/rawId", "must be a subject of 1 to 255 printable ASCII characters")
            }
            entry.subject = subject
        },
        .text("email", "The user's e-mail address at the provider.") { (entry, email) throws(WireError) in
            guard let email else { return }
            guard let address = EmailAddress(email) else { throw .code(.invalidEmail) }
            entry.email = address.display
        },
        ProfileFields.displayName { $0.displayName = $1?.value },
        ProfileFields.picture { $0.photoURL = $1?.value },
        ProfileFields.screenName { $0.screenName = $1?.value },
    ])
}
