import ProviderKit

/// The authentication that an authorization request requires, by `acr_values` and by its scopes (RFC 9470 §4).
struct RequiredAuthentication: Sendable {
    /// The class that the tokens will name.
    let acr: String?
    /// The least of the maximum ages, in seconds.
    let maxAge: Int?
    /// The providers that satisfy every rule; `nil` when no rule names any.
    let providers: [String]?
    let methods: [String]?

    /// Combines the rule of the first supported value of `acr_values` with those of the scopes.
    ///
    /// - Parameters:
    ///   - acrValues: The parameter, in the client's order of preference.
    ///   - scopes: The requested scopes.
    ///   - provider: The provider that the client has chosen.
    ///   - rules: The step-up rules of the policy.
    /// - Throws: ``OAuthError`` with `unmet_authentication_requirements` when no login can satisfy the request.
    init(
        acrValues: String?, scopes: [String], provider: String?, rules: [StepUpRule]
    ) throws(OAuthError) {
        let values = acrValues?.split(separator: " ").map(String.init) ?? []
        let requested = values.lazy.compactMap { value in rules.first { $0.acr.hasSameBytes(as: value) } }.first
        // A broker without rules ignores the parameter, as a voluntary one (OpenID Connect Core §3.1.2.1).
        if requested == nil, !values.isEmpty, !rules.isEmpty {
            throw .init(
                .unmetAuthenticationRequirements,
                "acr_values names no class of this broker: see acr_values_supported of its metadata.")
        }
        let scopes = Scopes(scopes.joined(separator: " "))
        let required = [requested].compactMap(\.self) + rules.filter { $0 != requested && $0.isRequired(by: scopes) }
        acr = required.first?.acr
        maxAge = required.compactMap(\.maxAge).min().map(Int.init(clamping:))
        let named = required.map(\.providers).filter { !$0.isEmpty }
        providers = named.first.map { first in first.filter { id in named.allSatisfy { $0.contains(id) } } }
        let methods = required.flatMap(\.methods)
        self.methods = methods.isEmpty ? nil : methods
        guard let providers else { return }
        guard !providers.isEmpty, provider.map(providers.contains) ?? true else {
            throw .init(
                .unmetAuthenticationRequirements,
                "No login with the requested provider satisfies the required authentication.")
        }
    }
}
