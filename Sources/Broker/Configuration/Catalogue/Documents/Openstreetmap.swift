extension ProviderCatalogue {
    static let openstreetmap = #"""
        {
          "id": "oidc.openstreetmap",
          "name": "OpenStreetMap",
          "use": "oidc",
          "options": {
            "issuer": "https://www.openstreetmap.org",
            "scopes": ["openid"],
            "claims": { "screenName": "/preferred_username" }
          },
          "button": { "text": "Continue with OpenStreetMap", "background": "#2E5E12", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://wiki.openstreetmap.org/wiki/OAuth",
            "console": "https://www.openstreetmap.org/oauth2/applications"
          },
          "registration": [
            "Register an OAuth 2 application in the settings of your account, as a confidential application.",
            "Enter the redirect URI.",
            "Choose the permission to sign in with OpenStreetMap."
          ],
          "facts": [
            {
              "fact": "The issuer is https://www.openstreetmap.org; its endpoints are /oauth2/authorize, /oauth2/token and /oauth2/userinfo.",
              "about": ["endpoints"],
              "page": "https://wiki.openstreetmap.org/wiki/OAuth",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "The token endpoint takes client_secret_basic and client_secret_post.",
              "about": ["authentication"],
              "page": "https://wiki.openstreetmap.org/wiki/OAuth",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "openid is the scope of sign-ins.",
              "about": ["scopes"],
              "page": "https://wiki.openstreetmap.org/wiki/OAuth",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "sub is the id of the user, preferred_username the display name, which may change; there is no address.",
              "about": ["userinfo"],
              "page": "https://wiki.openstreetmap.org/wiki/OAuth",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "OAuth 2.0 serves to confirm the user's account.",
              "page": "https://wiki.openstreetmap.org/wiki/Oauth",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
