extension ProviderCatalogue {
    static let dex = #"""
        {
          "id": "oidc.dex",
          "name": "Dex",
          "use": "oidc",
          "options": {
            "issuer": "https://{issuer}",
            "scopes": ["openid", "email", "profile", "offline_access"],
            "userinfo": false,
            "claims": {
              "email": "/email",
              "emailVerified": "/email_verified",
              "displayName": "/name",
              "screenName": "/preferred_username"
            }
          },
          "variables": [
            {
              "name": "issuer",
              "description": "The issuer without https://, path included.",
              "pattern": "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?(/[A-Za-z0-9._~-]+)*$",
              "example": "dex.example/dex"
            }
          ],
          "button": { "text": "Continue with Dex", "background": "#0A7CAE", "foreground": "#FFFFFF" },
          "links": { "documentation": "https://dexidp.io/docs/guides/using-dex/" },
          "registration": [
            "Add a static client with id, secret and redirectURIs to Dex's configuration.",
            "Set trustEmail only if every connector of Dex verifies addresses."
          ],
          "facts": [
            {
              "fact": "The scope openid is required; email and profile put the claims into the ID token, offline_access brings a refresh token where the connector has one.",
              "about": ["scopes"],
              "page": "https://github.com/dexidp/website/blob/221fa511e39fa948e52fe5a103f981610b78c19a/content/docs/configuration/custom-scopes-claims-clients.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "email_verified says whether the upstream provider of the connector has verified the address.",
              "page": "https://github.com/dexidp/website/blob/221fa511e39fa948e52fe5a103f981610b78c19a/content/docs/configuration/custom-scopes-claims-clients.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "name is the display name, preferred_username the short name.",
              "page": "https://github.com/dexidp/website/blob/221fa511e39fa948e52fe5a103f981610b78c19a/content/docs/configuration/custom-scopes-claims-clients.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Clients are static clients of Dex's configuration with id, secret and redirectURIs.",
              "page": "https://github.com/dexidp/website/blob/10f45db9aac4bd73dba9d221addbf564ebaf68d3/content/docs/guides/using-dex.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Endpoints come from the issuer's discovery document, and the ID token of the code's redemption has the claims.",
              "about": ["endpoints"],
              "page": "https://github.com/dexidp/website/blob/10f45db9aac4bd73dba9d221addbf564ebaf68d3/content/docs/guides/using-dex.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "sub is a unique id of the end user; ID tokens are signed with RS256; the discovery document stands below the issuer and names the authorization, the token and the key endpoint.",
              "about": ["endpoints", "userinfo"],
              "page": "https://github.com/dexidp/website/blob/2fd02fc089b8fdb595e681f195e8ab6ccd9a5987/content/docs/openid-connect.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The client's id and secret are given to an OAuth library, which sends them by HTTP Basic or in the form.",
              "about": ["authentication"],
              "page": "https://github.com/dexidp/website/blob/10f45db9aac4bd73dba9d221addbf564ebaf68d3/content/docs/guides/using-dex.md",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
