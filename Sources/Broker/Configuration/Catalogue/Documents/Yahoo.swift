extension ProviderCatalogue {
    static let yahoo = #"""
        {
          "id": "yahoo.com",
          "name": "Yahoo",
          "use": "oidc",
          "options": {
            "issuer": "https://api.login.yahoo.com",
            "scopes": ["openid", "email", "profile"],
            "algorithms": ["ES256"],
            "claims": {
              "email": "/email",
              "emailVerified": "/email_verified",
              "displayName": "/name",
              "givenName": "/given_name",
              "familyName": "/family_name",
              "pictureUrl": "/picture"
            }
          },
          "button": { "text": "Continue with Yahoo", "background": "#5F01D1", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://developer.yahoo.com/oauth2/guide/openid_connect/getting_started.html",
            "console": "https://developer.yahoo.com/apps/"
          },
          "registration": [
            "Create an app in the Yahoo Developer Network, as a confidential client.",
            "Enter the redirect URI.",
            "Choose the OpenID Connect permissions email and profile."
          ],
          "facts": [
            {
              "fact": "The issuer is https://api.login.yahoo.com; its endpoints are /oauth2/request_auth, /oauth2/get_token and /openid/v1/userinfo; ID tokens are signed with ES256.",
              "about": ["endpoints"],
              "page": "https://developer.yahoo.com/oauth2/guide/openid_connect/getting_started.html",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "The token endpoint takes client_secret_basic and client_secret_post.",
              "about": ["authentication"],
              "page": "https://developer.yahoo.com/oauth2/guide/openid_connect/getting_started.html",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "email and profile are permissions of the app too.",
              "about": ["scopes"],
              "page": "https://developer.yahoo.com/oauth2/guide/openid_connect/getting_started.html",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "sub is the GUID of the user, which does not change.",
              "about": ["userinfo"],
              "page": "https://developer.yahoo.com/oauth2/guide/openid_connect/getting_started.html",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "email_verified is a claim of userinfo.",
              "page": "https://developer.yahoo.com/oauth2/guide/openid_connect/getting_started.html",
              "read": "2026-11-26",
              "verified": "memory"
            }
          ]
        }
        """#
}
