extension ProviderCatalogue {
    static let codeberg = #"""
        {
          "id": "oauth2.codeberg",
          "name": "Codeberg",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://codeberg.org/login/oauth/authorize",
            "tokenUrl": "https://codeberg.org/login/oauth/access_token",
            "userinfoUrl": "https://codeberg.org/login/oauth/userinfo",
            "tokenEndpointAuthMethod": "client_secret_post",
            "pkce": true,
            "scopes": ["openid", "profile", "email"],
            "claims": {
              "subject": "/sub",
              "email": "/email",
              "displayName": "/name",
              "screenName": "/preferred_username",
              "pictureUrl": "/picture"
            }
          },
          "button": { "text": "Continue with Codeberg", "background": "#2185D0", "foreground": "#000000" },
          "links": {
            "documentation": "https://docs.codeberg.org/",
            "console": "https://codeberg.org/user/settings/applications"
          },
          "registration": [
            "Create an OAuth2 application in the settings, under Applications, as a confidential client.",
            "Enter the redirect URI.",
            "Copy the client ID and the client secret."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is /login/oauth/authorize, the token endpoint POST /login/oauth/access_token, userinfo /login/oauth/userinfo.",
              "about": ["endpoints"],
              "page": "https://docs.codeberg.org/",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "The client sends client_id and client_secret in the body; PKCE with S256 is supported.",
              "about": ["authentication"],
              "page": "https://docs.codeberg.org/",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "Scopes of OAuth 2.0 are not implemented in Forgejo, which Codeberg runs.",
              "about": ["scopes"],
              "page": "https://docs.codeberg.org/",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "Userinfo takes a bearer token and answers sub, which is the number of the user, name, preferred_username, email and picture.",
              "about": ["userinfo"],
              "page": "https://docs.codeberg.org/",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "Nothing says that the address is verified.",
              "page": "https://docs.codeberg.org/",
              "read": "2026-11-26",
              "verified": "memory"
            }
          ]
        }
        """#
}
