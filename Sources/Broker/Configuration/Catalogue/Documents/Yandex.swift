extension ProviderCatalogue {
    static let yandex = #"""
        {
          "id": "oauth2.yandex",
          "name": "Yandex",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://oauth.yandex.com/authorize",
            "tokenUrl": "https://oauth.yandex.com/token",
            "userinfoUrl": "https://login.yandex.ru/info?format=json",
            "tokenEndpointAuthMethod": "client_secret_basic",
            "pkce": true,
            "scopes": ["login:email", "login:info"],
            "userinfoToken": { "in": "header", "name": "Authorization", "scheme": "OAuth" },
            "claims": {
              "subject": "/id",
              "email": "/default_email",
              "displayName": ["/display_name", "/real_name"],
              "givenName": "/first_name",
              "familyName": "/last_name",
              "screenName": "/login"
            }
          },
          "button": { "text": "Continue with Yandex ID", "background": "#000000", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://yandex.com/dev/id/doc/en/",
            "console": "https://oauth.yandex.com/"
          },
          "registration": [
            "Register an application at Yandex OAuth for web services.",
            "Enter the redirect URI.",
            "Choose the access to login, names and address."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://oauth.yandex.com/authorize with response_type=code, client_id, redirect_uri, scope and state; PKCE is supported.",
              "about": ["endpoints"],
              "page": "https://yandex.ru/dev/id/doc/en/codes/code-url",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token endpoint is POST https://oauth.yandex.com/token with a form.",
              "about": ["endpoints"],
              "page": "https://yandex.com/dev/id/doc/en/",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "The client authenticates with HTTP Basic.",
              "about": ["authentication"],
              "page": "https://yandex.com/dev/id/doc/en/",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "login:info gives names, login:email the addresses; scopes are separated by spaces.",
              "about": ["scopes"],
              "page": "https://yandex.com/dev/id/doc/en/",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "The profile is GET https://login.yandex.ru/info with an Authorization header of the scheme OAuth; the token in the query is not secure.",
              "about": ["endpoints", "userinfo"],
              "page": "https://yandex.ru/dev/id/doc/en/user-information",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "It answers id, login, default_email, display_name, first_name and last_name.",
              "about": ["userinfo"],
              "page": "https://yandex.com/dev/id/doc/en/",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "Nothing says that the address is verified.",
              "page": "https://yandex.com/dev/id/doc/en/",
              "read": "2026-11-26",
              "verified": "memory"
            }
          ]
        }
        """#
}
