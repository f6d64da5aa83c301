import BrokerStore
import Hummingbird
import OAuth
import ProviderKit

/// The addresses that the links and forms of the chooser and the consent page lead to.
struct SignInPageRoutes: Sendable {
    let pages: HostedPages

    func add(to routes: HostedRoutes) {
        routes.on(.get, "/sign-in", signIn)
        routes.on(.get, "/depart", choose)
        routes.on(.get, "/continue", follow)
        routes.on(.post, "/continue", confirm)
    }

    /// The address of a sign-in without a client at one provider.
    static func address(of provider: String, at publicURL: String) -> String {
        "\(publicURL)/sign-in?" + FormEncoding.encode([(Self.provider.name, provider)])
    }

    /// The provider of a sign-in without a client, which is begun in a session too.
    static let provider = DeclaredParameter(
        "provider", "The id of a provider, which the browser is sent to at once.")

    /// A sign-in without a client; it ends at the account page.
    @Sendable
    func signIn(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let visit = try await pages.visit(request, context)
        let asked = try QueryParameters(queryOf: request)[Self.provider]
        if let provider = asked.flatMap(pages.providers.current.provider), provider.hasPage {
            var interaction = Interaction(.signIn, then: .account)
            interaction.provider = provider.id
            return try await pages.dispatcher.proceed(.providerChosen, of: interaction, visit)
        }
        if visit.session != nil { return pages.redirect(visit, to: "/account") }
        return try await pages.dispatcher.proceed(.sessionRequired, of: Interaction(.signIn, then: .account), visit)
    }

    @Sendable
    func choose(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let visit = try await pages.visit(request, context)
        return try await proceed(.providerChosen, try QueryParameters(queryOf: request), .redirect, visit)
    }

    @Sendable
    func follow(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let visit = try await pages.visit(request, context)
        let query = try QueryParameters(queryOf: request)
        return try await proceed(.answered(isConfirmed: false), query, .resume, visit)
    }

    @Sendable
    func confirm(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let (visit, form) = try await pages.posted(request, context)
        return try await proceed(.answered(isConfirmed: true), form, .resume, visit)
    }

    private func proceed(
        _ result: StepResult, _ fields: QueryParameters, _ purpose: HostedForms.Purpose, _ visit: Visit
    ) async throws -> Response {
        guard let interaction: Interaction = pages.payload(fields["form"], for: purpose, visit) else {
            return await pages.invalidForm(pages.expired(fields["form"], for: purpose, visit), visit)
        }
        return try await pages.dispatcher.proceed(result, of: interaction, visit)
    }
}
