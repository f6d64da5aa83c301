import ProviderKit

/// An account at an emulated provider. A field that it lacks is empty.
struct FictitiousAccount: Sendable {
    let subject: String
    let name: String
    let email: String
    let screenName: String
    let picture: String

    /// The claims of the account's ID token. The address counts as verified, as at the Firebase Auth emulator.
    func claims(issuer: String) -> JSONObject {
        var claims: JSONObject = ["iss": .string(issuer), "sub": .string(subject)]
        if !email.isEmpty {
            claims["email"] = .string(email)
            claims["email_verified"] = true
        }
        for (name, value) in [("name", name), ("screen_name", screenName), ("picture", picture)] where !value.isEmpty {
            claims[name] = .string(value)
        }
        return claims
    }

    /// The label on the page.
    var label: String {
        let parts = [name, email].filter { !$0.isEmpty }
        return parts.isEmpty ? subject : parts.joined(separator: ", ")
    }

    static func newSubject() -> String {
        String(Int64.random(in: 1_000_000_000_000_000...9_007_199_254_740_991))
    }

    /// The fields of a new account, to be changed by the user.
    static func suggestion() -> FictitiousAccount {
        let (first, last) = (firstNames.randomElement() ?? "", lastNames.randomElement() ?? "")
        let screenName = "\(first).\(last).\(Int.random(in: 100...999))".lowercased()
        return FictitiousAccount(
            subject: "", name: "\(first) \(last)", email: screenName + "@example.com", screenName: screenName,
            picture: "")
    }

    private static let firstNames = ["Ada", "Ben", "Cleo", "Dina", "Emil", "Fay", "Grace", "Hugo", "Iris", "Jon"]
    private static let lastNames = ["Alder", "Birch", "Cedar", "Elm", "Hazel", "Juniper", "Maple", "Otter", "Rowan"]
}
