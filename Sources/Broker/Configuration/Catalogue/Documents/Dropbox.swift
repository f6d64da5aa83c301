extension ProviderCatalogue {
    static let dropbox = #"""
        {
          "id": "oauth2.dropbox",
          "name": "Dropbox",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://www.dropbox.com/oauth2/authorize",
            "tokenUrl": "https://api.dropboxapi.com/oauth2/token",
            "userinfoUrl": "https://api.dropboxapi.com/2/openid/userinfo",
            "tokenEndpointAuthMethod": "client_secret_post",
            "pkce": true,
            "scopes": ["openid", "email", "profile"],
            "userinfoRequest": { "method": "POST", "format": "json", "body": {} },
            "claims": {
              "subject": "/sub",
              "email": "/email",
              "emailVerified": "/email_verified",
              "givenName": "/given_name",
              "familyName": "/family_name"
            }
          },
          "button": { "text": "Continue with Dropbox", "background": "#0061FE", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://developers.dropbox.com/oauth-guide",
            "console": "https://www.dropbox.com/developers/apps",
            "brand": "https://www.dropbox.com/developers/reference/branding-guide"
          },
          "registration": [
            "Create an app with scoped access in the App Console.",
            "Enter the redirect URI.",
            "Under Permissions, allow openid, email and profile."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://www.dropbox.com/oauth2/authorize with client_id, redirect_uri and response_type=code.",
              "about": ["endpoints"],
              "page": "https://developers.dropbox.com/oauth-guide",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token endpoint is /oauth2/token, with the client_secret of the app; PKCE with S256 is supported.",
              "about": ["authentication"],
              "page": "https://developers.dropbox.com/oauth-guide",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token endpoint is POST https://api.dropboxapi.com/oauth2/token, userinfo POST https://api.dropboxapi.com/2/openid/userinfo with JSON.",
              "about": ["endpoints"],
              "page": "https://developers.dropbox.com/oauth-guide",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "The route openid/userinfo needs the scope openid.",
              "about": ["scopes"],
              "page": "https://github.com/dropbox/dropbox-api-spec/blob/404afad5c508a45ea9004c9d8c0cd4a56f0fbf22/openid.stone",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "email and profile are scopes too.",
              "page": "https://developers.dropbox.com/oauth-guide",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "The route takes no arguments and answers sub, email, email_verified, given_name and family_name; sub is the account_id, unique and stable.",
              "about": ["userinfo"],
              "page": "https://github.com/dropbox/dropbox-api-spec/blob/404afad5c508a45ea9004c9d8c0cd4a56f0fbf22/openid.stone",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The user may have lost the address since, and addresses are given out again.",
              "page": "https://github.com/dropbox/dropbox-api-spec/blob/404afad5c508a45ea9004c9d8c0cd4a56f0fbf22/openid.stone",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
