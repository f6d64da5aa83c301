extension ProviderCatalogue {
    static let procore = #"""
        {
          "id": "oauth2.procore",
          "name": "Procore",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://login.procore.com/oauth/authorize",
            "tokenUrl": "https://login.procore.com/oauth/token",
            "userinfoUrl": "https://api.procore.com/rest/v1.0/me",
            "tokenEndpointAuthMethod": "client_secret_post",
            "pkce": false,
            "claims": { "subject": "/id", "email": "/login", "displayName": "/name" }
          },
          "button": { "text": "Continue with Procore", "background": "#FF5100", "foreground": "#000000" },
          "links": {
            "documentation": "https://procore.github.io/documentation/oauth-auth-grant-flow",
            "console": "https://developers.procore.com/"
          },
          "registration": [
            "Create an app in the Procore developer portal.",
            "Enter the redirect URI.",
            "Copy the client ID and the client secret of production."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://login.procore.com/oauth/authorize with client_id, response_type=code and redirect_uri.",
              "about": ["endpoints"],
              "page": "https://github.com/procore/documentation/blob/1e0a75583f9f64323825ab9e1152c2ae2202dbe8/oauth/oauth_auth_grant_flow.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token endpoint is POST https://login.procore.com/oauth/token.",
              "about": ["endpoints"],
              "page": "https://github.com/procore/documentation/blob/1e0a75583f9f64323825ab9e1152c2ae2202dbe8/oauth/oauth_auth_grant_flow.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The client sends client_id and client_secret in the body of the token request, with grant_type, code and redirect_uri.",
              "about": ["authentication"],
              "page": "https://github.com/procore/documentation/blob/1e0a75583f9f64323825ab9e1152c2ae2202dbe8/oauth/oauth_auth_grant_flow.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The flow knows no scopes: the permissions of the user apply.",
              "about": ["scopes"],
              "page": "https://github.com/procore/documentation/blob/1e0a75583f9f64323825ab9e1152c2ae2202dbe8/oauth/oauth_auth_grant_flow.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "GET https://api.procore.com/rest/v1.0/me with a bearer token answers id, login (the address) and name.",
              "about": ["endpoints", "userinfo"],
              "page": "https://github.com/procore/documentation/blob/1e0a75583f9f64323825ab9e1152c2ae2202dbe8/oauth/oauth_auth_grant_flow.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "id is what one keeps to find the user again.",
              "about": ["userinfo"],
              "page": "https://github.com/procore/documentation/blob/1e0a75583f9f64323825ab9e1152c2ae2202dbe8/oauth/oauth_auth_grant_flow.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The sandbox has other hosts and credentials.",
              "page": "https://github.com/procore/documentation/blob/1e0a75583f9f64323825ab9e1152c2ae2202dbe8/oauth/oauth_auth_grant_flow.md",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
