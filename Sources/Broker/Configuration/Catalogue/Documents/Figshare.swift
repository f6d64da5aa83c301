extension ProviderCatalogue {
    static let figshare = #"""
        {
          "id": "oauth2.figshare",
          "name": "figshare",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://figshare.com/account/applications/authorize",
            "tokenUrl": "https://api.figshare.com/v2/token",
            "userinfoUrl": "https://api.figshare.com/v2/account",
            "tokenEndpointAuthMethod": "client_secret_post",
            "pkce": false,
            "scopes": ["all"],
            "claims": {
              "subject": "/id",
              "email": "/email",
              "givenName": "/first_name",
              "familyName": "/last_name"
            }
          },
          "button": { "text": "Continue with figshare", "background": "#556472", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://docs.figshare.com/#oauth",
            "console": "https://figshare.com/account/applications"
          },
          "registration": [
            "Create an application in the account's applications page.",
            "Enter the redirect URI.",
            "Copy the consumer id and the consumer secret."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://figshare.com/account/applications/authorize, the token endpoint POST https://api.figshare.com/v2/token.",
              "about": ["endpoints"],
              "page": "https://github.com/figshare/user_documentation/blob/252af83bce7e7dcd967dc46855b015396349d513/docs/oauth.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The client sends client_id and client_secret in a form or in JSON.",
              "about": ["authentication"],
              "page": "https://github.com/figshare/user_documentation/blob/252af83bce7e7dcd967dc46855b015396349d513/docs/oauth.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "all is the one scope, with full access to the user's data.",
              "about": ["scopes"],
              "page": "https://github.com/figshare/user_documentation/blob/252af83bce7e7dcd967dc46855b015396349d513/docs/oauth.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "GET /v2/account answers the account of the token.",
              "about": ["endpoints", "userinfo"],
              "page": "https://github.com/figshare/user_documentation/blob/0c9fcbee0028c3489edbc17055c0f9407dd80398/swagger_documentation/clients/go/docs/OtherApi.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The account has id, first_name, last_name and email.",
              "about": ["userinfo"],
              "page": "https://github.com/figshare/user_documentation/blob/865b9dd8c9033c74eed74ef441a1e5dd7bd17aa6/swagger_documentation/clients/go/docs/Account.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Errors of the token endpoint always have the status 400.",
              "page": "https://github.com/figshare/user_documentation/blob/252af83bce7e7dcd967dc46855b015396349d513/docs/oauth.md",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
