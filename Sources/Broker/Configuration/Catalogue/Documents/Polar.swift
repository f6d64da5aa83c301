extension ProviderCatalogue {
    static let polar = #"""
        {
          "id": "oauth2.polar",
          "name": "Polar",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://polar.sh/oauth2/authorize",
            "tokenUrl": "https://api.polar.sh/v1/oauth2/token",
            "userinfoUrl": "https://api.polar.sh/v1/oauth2/userinfo",
            "tokenEndpointAuthMethod": "client_secret_post",
            "pkce": true,
            "scopes": ["openid", "profile", "email"],
            "claims": {
              "subject": "/sub",
              "email": "/email",
              "emailVerified": "/email_verified",
              "displayName": "/name"
            }
          },
          "button": { "text": "Continue with Polar", "background": "#0062FF", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://polar.sh/docs/integrate/oauth2/connect",
            "console": "https://polar.sh/settings#oauth"
          },
          "registration": [
            "Create an OAuth2 client in the user settings, with the client type confidential.",
            "Add the redirect URI.",
            "Choose the scopes openid, profile and email."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://polar.sh/oauth2/authorize, the token endpoint POST https://api.polar.sh/v1/oauth2/token and userinfo GET https://api.polar.sh/v1/oauth2/userinfo with a bearer token.",
              "about": ["endpoints"],
              "page": "https://github.com/polarsource/polar/blob/0b366f142e010b7391d549974ac31ed4e3aee697/docs/integrate/oauth2/connect.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The client sends client_id and client_secret in the form.",
              "about": ["authentication"],
              "page": "https://github.com/polarsource/polar/blob/0b366f142e010b7391d549974ac31ed4e3aee697/docs/integrate/oauth2/connect.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The scopes are separated by spaces and have to be among those of the client; openid and email are two of them.",
              "about": ["scopes"],
              "page": "https://github.com/polarsource/polar/blob/0b366f142e010b7391d549974ac31ed4e3aee697/docs/integrate/oauth2/connect.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The parameters and tokens are those of OpenID Connect, so sub identifies the user.",
              "about": ["userinfo"],
              "page": "https://github.com/polarsource/polar/blob/0b366f142e010b7391d549974ac31ed4e3aee697/docs/integrate/oauth2/connect.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "profile is a scope, and userinfo has email, email_verified and name.",
              "page": "https://polar.sh/docs/integrate/oauth2/connect",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "With sub_type=organization the token is that of an organization; the entry does not send it.",
              "page": "https://github.com/polarsource/polar/blob/0b366f142e010b7391d549974ac31ed4e3aee697/docs/integrate/oauth2/connect.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
