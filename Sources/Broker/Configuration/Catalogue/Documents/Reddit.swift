extension ProviderCatalogue {
    static let reddit = #"""
        {
          "id": "oauth2.reddit",
          "name": "Reddit",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://www.reddit.com/api/v1/authorize",
            "tokenUrl": "https://www.reddit.com/api/v1/access_token",
            "userinfoUrl": "https://oauth.reddit.com/api/v1/me",
            "revocationUrl": "https://www.reddit.com/api/v1/revoke_token",
            "tokenEndpointAuthMethod": "client_secret_basic",
            "pkce": false,
            "scopes": ["identity"],
            "authorizationParameters": { "duration": "permanent" },
            "claims": {
              "subject": "/id",
              "screenName": "/name",
              "displayName": "/name",
              "pictureUrl": "/icon_img"
            }
          },
          "button": { "text": "Continue with Reddit", "background": "#FF4500", "foreground": "#000000" },
          "links": {
            "documentation": "https://github.com/reddit-archive/reddit/wiki/oauth2",
            "console": "https://www.reddit.com/prefs/apps"
          },
          "registration": [
            "Create an app of the type web app.",
            "Enter the redirect URI.",
            "Reddit asks for a User-Agent of its own form; requests with a general one are slowed down."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://www.reddit.com/api/v1/authorize with client_id, response_type=code, state, redirect_uri, duration and scope.",
              "about": ["endpoints"],
              "page": "https://github.com/reddit-archive/reddit/wiki/oauth2",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token endpoint is POST https://www.reddit.com/api/v1/access_token with a form of grant_type, code and redirect_uri.",
              "about": ["endpoints"],
              "page": "https://github.com/reddit-archive/reddit/wiki/oauth2",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The client authenticates with HTTP Basic; that is required.",
              "about": ["authentication"],
              "page": "https://github.com/reddit-archive/reddit/wiki/oauth2",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The scope identity gives the identity; scopes are separated by spaces or commas, and duration=permanent brings a refresh token.",
              "about": ["scopes"],
              "page": "https://github.com/reddit-archive/reddit/wiki/oauth2",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Requests with a token go to https://oauth.reddit.com with an Authorization header of the scheme bearer.",
              "about": ["endpoints"],
              "page": "https://github.com/reddit-archive/reddit/wiki/oauth2",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "GET /api/v1/me needs the scope identity and answers the identity of the user.",
              "about": ["userinfo"],
              "page": "https://www.reddit.com/dev/api#GET_api_v1_me",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "id is the account's id, without the prefix t2_ of its full name; name is the user name.",
              "about": ["userinfo"],
              "page": "https://github.com/reddit-archive/reddit/wiki/JSON",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "There is no address.",
              "page": "https://github.com/reddit-archive/reddit/wiki/JSON",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
