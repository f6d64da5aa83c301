extension ProviderCatalogue {
    static let airtable = #"""
        {
          "id": "oauth2.airtable",
          "name": "Airtable",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://airtable.com/oauth2/v1/authorize",
            "tokenUrl": "https://airtable.com/oauth2/v1/token",
            "userinfoUrl": "https://api.airtable.com/v0/meta/whoami",
            "tokenEndpointAuthMethod": "client_secret_basic",
            "pkce": true,
            "scopes": ["user.email:read"],
            "claims": { "subject": "/id", "email": "/email" }
          },
          "button": { "text": "Continue with Airtable", "background": "#FCB400", "foreground": "#000000" },
          "links": {
            "documentation": "https://airtable.com/developers/web/api/oauth-reference",
            "console": "https://airtable.com/create/oauth"
          },
          "registration": [
            "Register an OAuth integration.",
            "Enter the redirect URL.",
            "Choose the scope user.email:read, and generate a client secret."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://airtable.com/oauth2/v1/authorize, the token endpoint POST https://airtable.com/oauth2/v1/token with a form; PKCE with S256 is required.",
              "about": ["endpoints"],
              "page": "https://airtable.com/developers/web/api/oauth-reference",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "A client with a secret authenticates with HTTP Basic.",
              "about": ["authentication"],
              "page": "https://airtable.com/developers/web/api/oauth-reference",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "user.email:read gives the address; scopes are separated by spaces.",
              "about": ["scopes"],
              "page": "https://airtable.com/developers/web/api/oauth-reference",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "GET https://api.airtable.com/v0/meta/whoami with a bearer token answers id (usr…) and email.",
              "about": ["userinfo"],
              "page": "https://airtable.com/developers/web/api/oauth-reference",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "Nothing says that the address is verified.",
              "page": "https://airtable.com/developers/web/api/oauth-reference",
              "read": "2026-11-26",
              "verified": "memory"
            }
          ]
        }
        """#
}
