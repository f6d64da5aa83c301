extension ProviderCatalogue {
    static let mailRu = #"""
        {
          "id": "oauth2.mail-ru",
          "name": "Mail.ru",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://oauth.mail.ru/login",
            "tokenUrl": "https://oauth.mail.ru/token",
            "userinfoUrl": "https://oauth.mail.ru/userinfo",
            "tokenEndpointAuthMethod": "client_secret_basic",
            "pkce": false,
            "scopes": ["userinfo"],
            "userinfoToken": { "in": "query", "name": "access_token" },
            "claims": {
              "subject": "/id",
              "email": "/email",
              "displayName": "/name",
              "givenName": "/first_name",
              "familyName": "/last_name",
              "screenName": "/nickname",
              "pictureUrl": "/image"
            }
          },
          "button": { "text": "Continue with Mail.ru", "background": "#005FF9", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://id.vk.com/about/business/go/docs/ru/mailid/oauth",
            "console": "https://o2.mail.ru/app/"
          },
          "registration": [
            "Create an application at Mail ID.",
            "Enter the redirect URI.",
            "Copy the id and the secret of the client."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://oauth.mail.ru/login, the token endpoint POST https://oauth.mail.ru/token with a form.",
              "about": ["endpoints"],
              "page": "https://id.vk.com/about/business/go/docs/ru/mailid/oauth",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "The client authenticates with HTTP Basic.",
              "about": ["authentication"],
              "page": "https://id.vk.com/about/business/go/docs/ru/mailid/oauth",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "userinfo is the scope of the profile.",
              "about": ["scopes"],
              "page": "https://id.vk.com/about/business/go/docs/ru/mailid/oauth",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "GET https://oauth.mail.ru/userinfo with access_token in the query answers id, email, name, first_name, last_name, nickname and image.",
              "about": ["userinfo"],
              "page": "https://id.vk.com/about/business/go/docs/ru/mailid/oauth",
              "read": "2026-11-26",
              "verified": "memory"
            }
          ]
        }
        """#
}
