extension ProviderCatalogue {
    static let tiktok = #"""
        {
          "id": "oauth2.tiktok",
          "name": "TikTok",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://www.tiktok.com/v2/auth/authorize/",
            "tokenUrl": "https://open.tiktokapis.com/v2/oauth/token/",
            "userinfoUrl": "https://open.tiktokapis.com/v2/user/info/?fields=open_id,avatar_url,display_name",
            "tokenEndpointAuthMethod": "client_secret_post",
            "pkce": false,
            "scopes": ["user.info.basic"],
            "scopeSeparator": ",",
            "authorizationRequest": { "clientIdName": "client_key" },
            "tokenRequest": { "clientIdName": "client_key" },
            "claims": {
              "subject": "/data/user/open_id",
              "displayName": "/data/user/display_name",
              "pictureUrl": "/data/user/avatar_url"
            }
          },
          "button": { "text": "Continue with TikTok", "background": "#000000", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://developers.tiktok.com/doc/login-kit-manage-user-access-tokens",
            "console": "https://developers.tiktok.com/apps/"
          },
          "registration": [
            "Create an app with the product Login Kit.",
            "Enter the redirect URI for the web.",
            "Add the scope user.info.basic, and submit the app for review."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://www.tiktok.com/v2/auth/authorize/.",
              "about": ["endpoints"],
              "page": "https://developers.tiktok.com/doc/login-kit-manage-user-access-tokens",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token endpoint is POST https://open.tiktokapis.com/v2/oauth/token/ with a form.",
              "about": ["endpoints"],
              "page": "https://developers.tiktok.com/doc/oauth-get-a-user-access-token",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The client sends client_key and client_secret in the form; a code_verifier is for mobile and desktop apps.",
              "about": ["authentication"],
              "page": "https://developers.tiktok.com/doc/oauth-get-a-user-access-token",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "client_key takes the place of client_id at the authorization endpoint too.",
              "page": "https://developers.tiktok.com/doc/login-kit-manage-user-access-tokens",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "user.info.basic gives the picture and the display name; scopes are separated by commas.",
              "about": ["scopes"],
              "page": "https://developers.tiktok.com/doc/login-kit-manage-user-access-tokens",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "GET https://open.tiktokapis.com/v2/user/info/ with fields in the query and a bearer token answers data.user with open_id and avatar_url; open_id identifies the user in one app.",
              "about": ["endpoints", "userinfo"],
              "page": "https://developers.tiktok.com/doc/tiktok-api-v2-get-user-info",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The profile has display_name too, of the scope user.info.basic.",
              "page": "https://developers.tiktok.com/doc/display-api-overview/",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "There is no address.",
              "page": "https://developers.tiktok.com/doc/login-kit-manage-user-access-tokens",
              "read": "2026-11-26",
              "verified": "memory"
            }
          ]
        }
        """#
}
