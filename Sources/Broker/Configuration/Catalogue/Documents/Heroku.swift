extension ProviderCatalogue {
    static let heroku = #"""
        {
          "id": "oauth2.heroku",
          "name": "Heroku",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://id.heroku.com/oauth/authorize",
            "tokenUrl": "https://id.heroku.com/oauth/token",
            "userinfoUrl": "https://api.heroku.com/account",
            "userinfoHeaders": { "Accept": "application/vnd.heroku+json; version=3" },
            "tokenEndpointAuthMethod": "client_secret_post",
            "pkce": false,
            "scopes": ["identity"],
            "claims": { "subject": "/id", "email": "/email", "displayName": "/name" }
          },
          "button": { "text": "Continue with Heroku", "background": "#430098", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://devcenter.heroku.com/articles/oauth",
            "console": "https://dashboard.heroku.com/account/applications"
          },
          "registration": [
            "Register an API client in the account settings, under Applications.",
            "Enter the OAuth callback URL.",
            "Copy the OAuth client ID and secret."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://id.heroku.com/oauth/authorize, the token endpoint https://id.heroku.com/oauth/token.",
              "about": ["endpoints"],
              "page": "https://devcenter.heroku.com/articles/oauth",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The client sends client_secret in the form.",
              "about": ["authentication"],
              "page": "https://devcenter.heroku.com/articles/oauth",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "The scope identity gives the account alone.",
              "about": ["scopes"],
              "page": "https://devcenter.heroku.com/articles/oauth",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "GET https://api.heroku.com/account with a bearer token and the Accept of version 3 answers id, a UUID, email and name.",
              "about": ["userinfo"],
              "page": "https://devcenter.heroku.com/articles/oauth",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "The token answer has the id of the user too.",
              "page": "https://devcenter.heroku.com/changelog-items/312",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
