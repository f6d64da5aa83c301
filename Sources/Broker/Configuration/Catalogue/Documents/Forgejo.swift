extension ProviderCatalogue {
    static let forgejo = #"""
        {
          "id": "oauth2.forgejo",
          "name": "Forgejo",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://{host}/login/oauth/authorize",
            "tokenUrl": "https://{host}/login/oauth/access_token",
            "userinfoUrl": "https://{host}/login/oauth/userinfo",
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
          "variables": [
            {
              "name": "host",
              "description": "Host name of the Forgejo installation.",
              "pattern": "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?$",
              "example": "forge.mail.example"
            }
          ],
          "button": { "text": "Continue with Forgejo", "background": "#7A2E00", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://forgejo.org/docs/latest/user/oauth2-provider/",
            "console": "https://forgejo.org/docs/latest/user/oauth2-provider/"
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
              "page": "https://forgejo.org/docs/latest/user/oauth2-provider",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The client sends client_id and client_secret in the body; PKCE with S256 is supported.",
              "about": ["authentication"],
              "page": "https://forgejo.org/docs/latest/user/oauth2-provider/",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "Scopes of OAuth 2.0 are not implemented; the token of an application of the whole installation has the rights of an administrator.",
              "about": ["scopes"],
              "page": "https://forgejo.org/docs/latest/user/oauth2-provider",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Userinfo takes a bearer token and answers sub, which is the number of the user, name, preferred_username, email and picture.",
              "about": ["userinfo"],
              "page": "https://forgejo.org/docs/latest/user/oauth2-provider/",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "Nothing says that the address is verified.",
              "page": "https://forgejo.org/docs/latest/user/oauth2-provider/",
              "read": "2026-11-26",
              "verified": "memory"
            }
          ]
        }
        """#
}
