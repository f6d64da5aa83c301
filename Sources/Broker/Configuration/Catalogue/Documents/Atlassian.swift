extension ProviderCatalogue {
    static let atlassian = #"""
        {
          "id": "oauth2.atlassian",
          "name": "Atlassian",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://auth.atlassian.com/authorize",
            "tokenUrl": "https://auth.atlassian.com/oauth/token",
            "userinfoUrl": "https://api.atlassian.com/me",
            "tokenEndpointAuthMethod": "client_secret_post",
            "scopes": ["read:me", "offline_access"],
            "pkce": false,
            "tokenRequest": { "format": "json" },
            "authorizationParameters": { "audience": "api.atlassian.com", "prompt": "consent" },
            "claims": {
              "subject": "/account_id",
              "email": "/email",
              "displayName": "/name",
              "screenName": "/nickname",
              "pictureUrl": "/picture"
            }
          },
          "button": { "text": "Continue with Atlassian", "background": "#0052CC", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://developer.atlassian.com/cloud/confluence/oauth-2-3lo-apps",
            "console": "https://developer.atlassian.com/console/myapps/",
            "brand": "https://www.atlassian.com/company/news/press-kit"
          },
          "registration": [
            "Create an OAuth 2.0 integration in the developer console.",
            "Under Permissions, add the User Identity API with the scope read:me.",
            "Under Authorization, enter the callback URL of OAuth 2.0 (3LO).",
            "Under Distribution, share the app: before that only you can sign in."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://auth.atlassian.com/authorize; audience=api.atlassian.com, prompt=consent and state are required.",
              "about": ["endpoints"],
              "page": "https://developer.atlassian.com/cloud/confluence/oauth-2-3lo-apps",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token endpoint is POST https://auth.atlassian.com/oauth/token with a JSON body.",
              "about": ["endpoints"],
              "page": "https://developer.atlassian.com/cloud/confluence/oauth-2-3lo-apps",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "client_id and client_secret are members of the token request's body.",
              "about": ["authentication"],
              "page": "https://developer.atlassian.com/cloud/confluence/oauth-2-3lo-apps",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token answer has access_token, expires_in and scope, and refresh_token with the scope offline_access; the example has no token_type.",
              "page": "https://developer.atlassian.com/cloud/confluence/oauth-2-3lo-apps",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Scopes are separated by spaces; read:me opens the profile and has to be added with the User Identity API.",
              "about": ["scopes"],
              "page": "https://developer.atlassian.com/cloud/confluence/oauth-2-3lo-apps",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The profile is GET https://api.atlassian.com/me with a bearer token; it has account_id, email, name, nickname, picture and account_status.",
              "about": ["endpoints", "userinfo"],
              "page": "https://developer.atlassian.com/cloud/confluence/oauth-2-3lo-apps",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Nothing says that the address is verified; the page says nothing of PKCE.",
              "page": "https://developer.atlassian.com/cloud/confluence/oauth-2-3lo-apps",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
