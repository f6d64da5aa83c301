import ProviderKit

/// The names in the braces of paths.
enum PathParameter {
    static let project = DeclaredParameter("project", "The project's id.").example("my-project")
    static let localID = DeclaredParameter("localId", "The user's id.").example("<user>")
    static let providerID = DeclaredParameter("providerId", "The provider's id.").example("github.com")
    static let provider = DeclaredParameter("provider", "The provider's id.").example("github.com")
    static let sessionID = DeclaredParameter("sessionId", "The session's id.").example("<session>")
    static let mergeID = DeclaredParameter("mergeId", "The merge's id.").example("<merge>")
    static let receipt = DeclaredParameter("receipt", "The receipt of the withdrawal.").example("<receipt>")
    static let image = DeclaredParameter("image", "The picture's name.").example("<image>")
    static let client = DeclaredParameter("client", "The client's id.").example("<client>")
    static let id = DeclaredParameter("id", "The id of the provider's entry.").example("oidc.example")
    static let tenant = DeclaredParameter("tenant", "A tenant's id. There are none.").example("tenant")
    static let resource = DeclaredParameter("resource", "A resource of the tenant. There are none.").example("accounts")

    static let all = [
        project, localID, providerID, provider, sessionID, mergeID, receipt, image, client, id, tenant,
        resource,
    ]
}

/// The parameters of lists that are answered in pages.
enum PageParameter {
    static let size = DeclaredParameter("pageSize", "The maximum number of entries of the page, at most 100.")
        .schema(["type": "string", "pattern": "^[0-9]+$"]).example("50")
    static let token = DeclaredParameter("pageToken", "`nextPageToken` of the page before.")
}
