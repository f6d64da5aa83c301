extension ProviderCatalogue {
    static let kick = #"""
        {
          "id": "oauth2.kick",
          "name": "Kick",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://id.kick.com/oauth/authorize",
            "tokenUrl": "https://id.kick.com/oauth/token",
            "userinfoUrl": "https://api.kick.com/public/v1/users",
            "tokenEndpointAuthMethod": "client_secret_post",
            "pkce": true,
            "scopes": ["user:read"],
            "claims": {
              "subject": "/data/0/user_id",
              "email": "/data/0/email",
              "displayName": "/data/0/name",
              "screenName": "/data/0/name",
              "pictureUrl": "/data/0/profile_picture"
            }
          },
          "button": { "text": "Continue with Kick", "background": "#0B0E0F", "foreground": "#53FC18" },
          "links": {
            "documentation": "https://docs.kick.com/getting-started/generating-tokens-oauth2-flow",
            "console": "https://kick.com/settings/developer"
          },
          "registration": [
            "Create an app in the developer tab of the account settings.",
            "Enter the redirect URL.",
            "Choose the scope to read user information."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://id.kick.com/oauth/authorize with response_type=code, client_id, redirect_uri, scope and state.",
              "about": ["endpoints"],
              "page": "https://github.com/KickEngineering/KickDevDocs/blob/434e8c7137008b916e6806afab501076877182bb/getting-started/generating-tokens-oauth2-flow.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token endpoint is POST https://id.kick.com/oauth/token with a form of code, redirect_uri, grant_type and code_verifier.",
              "about": ["endpoints"],
              "page": "https://github.com/KickEngineering/KickDevDocs/blob/434e8c7137008b916e6806afab501076877182bb/getting-started/generating-tokens-oauth2-flow.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "PKCE with S256 is required.",
              "page": "https://github.com/KickEngineering/KickDevDocs/blob/434e8c7137008b916e6806afab501076877182bb/getting-started/generating-tokens-oauth2-flow.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The client sends client_id and client_secret in the form, beside the verifier.",
              "about": ["authentication"],
              "page": "https://github.com/KickEngineering/KickDevDocs/blob/434e8c7137008b916e6806afab501076877182bb/getting-started/generating-tokens-oauth2-flow.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The scope user:read gives the data of the user.",
              "about": ["scopes"],
              "page": "https://github.com/KickEngineering/KickDevDocs/blob/29d817365fcf69f4b5f5cd4191ea65c792f796eb/scopes/scopes.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "GET https://api.kick.com/public/v1/users with a bearer token and without ids answers a list data with the one user who authorized: user_id, name, email and profile_picture.",
              "about": ["endpoints", "userinfo"],
              "page": "https://docs.kick.com/apis/users",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Revocation is POST https://id.kick.com/oauth/revoke with the token in the query, not as RFC 7009 has it.",
              "page": "https://github.com/KickEngineering/KickDevDocs/blob/434e8c7137008b916e6806afab501076877182bb/getting-started/generating-tokens-oauth2-flow.md",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
