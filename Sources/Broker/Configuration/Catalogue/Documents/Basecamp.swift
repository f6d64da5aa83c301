extension ProviderCatalogue {
    static let basecamp = #"""
        {
          "id": "oauth2.basecamp",
          "name": "Basecamp",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://launchpad.37signals.com/authorization/new",
            "tokenUrl": "https://launchpad.37signals.com/authorization/token",
            "userinfoUrl": "https://launchpad.37signals.com/authorization.json",
            "tokenEndpointAuthMethod": "client_secret_post",
            "pkce": false,
            "authorizationParameters": { "type": "web_server" },
            "tokenRequest": { "parameters": {"type": "web_server"} },
            "claims": {
              "subject": "/identity/id",
              "email": "/identity/email_address",
              "givenName": "/identity/first_name",
              "familyName": "/identity/last_name"
            }
          },
          "button": { "text": "Continue with Basecamp", "background": "#1D2D35", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://github.com/basecamp/api/blob/master/sections/authentication.md",
            "console": "https://launchpad.37signals.com/integrations"
          },
          "registration": [
            "Register the app at the 37signals launchpad.",
            "Enter the redirect URI and choose the product Basecamp."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://launchpad.37signals.com/authorization/new, the token endpoint POST https://launchpad.37signals.com/authorization/token.",
              "about": ["endpoints"],
              "page": "https://github.com/basecamp/api/blob/0100d85350f8dc64653b8b0343af065a34e6af9c/sections/authentication.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Both requests carry type=web_server: the server implements draft 5 of OAuth 2.0.",
              "page": "https://github.com/basecamp/api/blob/0100d85350f8dc64653b8b0343af065a34e6af9c/sections/authentication.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "client_id, client_secret, redirect_uri and code are parameters of the token request; there are no scopes.",
              "about": ["authentication", "scopes"],
              "page": "https://github.com/basecamp/api/blob/0100d85350f8dc64653b8b0343af065a34e6af9c/sections/authentication.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "GET https://launchpad.37signals.com/authorization.json with a bearer token answers the identity.",
              "about": ["endpoints", "userinfo"],
              "page": "https://github.com/basecamp/api/blob/0100d85350f8dc64653b8b0343af065a34e6af9c/sections/authentication.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "identity.id is a whole number of the Basecamp ID; it is not the person's id within one product.",
              "about": ["userinfo"],
              "page": "https://github.com/basecamp/api/blob/0100d85350f8dc64653b8b0343af065a34e6af9c/sections/authentication.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "first_name, last_name and email_address are members of identity; nothing says whether the address is verified.",
              "page": "https://github.com/basecamp/api/blob/0100d85350f8dc64653b8b0343af065a34e6af9c/sections/authentication.md",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
