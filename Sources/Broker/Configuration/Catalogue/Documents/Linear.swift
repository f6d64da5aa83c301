extension ProviderCatalogue {
    static let linear = #"""
        {
          "id": "oauth2.linear",
          "name": "Linear",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://linear.app/oauth/authorize",
            "tokenUrl": "https://api.linear.app/oauth/token",
            "userinfoUrl": "https://api.linear.app/graphql",
            "revocationUrl": "https://api.linear.app/oauth/revoke",
            "tokenEndpointAuthMethod": "client_secret_post",
            "pkce": true,
            "scopes": ["read"],
            "userinfoRequest": {
              "method": "POST",
              "format": "json",
              "body": { "query": "{ viewer { id name email avatarUrl } }" }
            },
            "claims": {
              "subject": "/data/viewer/id",
              "email": "/data/viewer/email",
              "displayName": "/data/viewer/name",
              "pictureUrl": "/data/viewer/avatarUrl"
            }
          },
          "button": { "text": "Continue with Linear", "background": "#5E6AD2", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://linear.app/developers/oauth-2-0-authentication",
            "console": "https://linear.app/settings/api/applications/new",
            "brand": "https://linear.app/brand"
          },
          "registration": [
            "Create an OAuth application in the API settings of a workspace.",
            "Enter the callback URL.",
            "Copy the client ID and the client secret."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://linear.app/oauth/authorize with client_id, redirect_uri, response_type=code and scope.",
              "about": ["endpoints"],
              "page": "https://linear.app/developers/oauth-2-0-authentication",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token endpoint is POST https://api.linear.app/oauth/token with a form; revocation is POST https://api.linear.app/oauth/revoke with the form field token.",
              "about": ["endpoints"],
              "page": "https://linear.app/developers/oauth-2-0-authentication",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The client sends client_id and client_secret in the form; PKCE with S256 is supported beside it.",
              "about": ["authentication"],
              "page": "https://linear.app/developers/oauth-2-0-authentication",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The scopes are separated by commas; read is the one that is always there.",
              "about": ["scopes"],
              "page": "https://linear.app/developers/oauth-2-0-authentication",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The API is GraphQL, POST https://api.linear.app/graphql with JSON and a bearer token; the query viewer answers the user with id and name.",
              "about": ["endpoints", "userinfo"],
              "page": "https://linear.app/developers/oauth-2-0-authentication",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The viewer has email and avatarUrl too; nothing says that the address is verified.",
              "page": "https://linear.app/developers/oauth-2-0-authentication",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "An app made before December 2023 answers scope as a list.",
              "page": "https://linear.app/developers/oauth-2-0-authentication",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
