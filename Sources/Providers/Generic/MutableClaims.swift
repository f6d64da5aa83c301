import ProviderKit

/// The names of claims whose values may change or be reassigned, and which therefore must not identify a user.
enum MutableClaims {
    /// Whether a pointer leads to a name or an address, ignoring case and separators (`E-Mail`, `user_name`).
    static func contain(_ pointer: JSONPointer) -> Bool {
        let names = pointer.tokens.map(fold)
        guard let last = names.last else { return true }
        // Addresses may be nested: `/emails/0/value`.
        return mutable.contains(last) || names.contains(where: addresses.contains)
    }

    private static func fold(_ name: String) -> String {
        String(decoding: name.lowercased().utf8.filter { !separators.contains($0) }, as: UTF8.self)
    }

    private static let separators = Set("_-. ".utf8)

    private static let addresses: Set<String> = [
        "email", "emails", "emailaddress", "emailaddresses", "mail", "mails", "mailaddress", "mobile", "mobilenumber",
        "mobilephone", "msisdn", "phone", "phones", "phonenumber", "phonenumbers", "primaryemail", "tel", "telephone",
        "useremail", "userprincipalname", "upn",
    ]

    private static let mutable: Set<String> = [
        "alias", "displayname", "fullname", "globalname", "handle", "login", "loginname", "name", "nickname",
        "preferredname", "preferredusername", "samaccountname", "screenname", "uniquename", "username", "vanityname",
    ]
}

extension String {
    /// Whether a subject looks like an e-mail address or a telephone number, which providers reassign.
    var isAddressShaped: Bool {
        if utf8.first == UInt8(ascii: "+") {
            return utf8.count > 6 && utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
        }
        guard let at = utf8.lastIndex(of: UInt8(ascii: "@")) else { return false }
        return at != utf8.startIndex && utf8.index(after: at) != utf8.endIndex
    }
}
