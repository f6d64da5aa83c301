extension ProviderCatalogue {
    static let anilist = #"""
        {
          "id": "oauth2.anilist",
          "name": "AniList",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://anilist.co/api/v2/oauth/authorize",
            "tokenUrl": "https://anilist.co/api/v2/oauth/token",
            "userinfoUrl": "https://graphql.anilist.co",
            "tokenEndpointAuthMethod": "client_secret_post",
            "pkce": false,
            "tokenRequest": { "format": "json" },
            "userinfoRequest": {
              "method": "POST",
              "format": "json",
              "body": { "query": "query { Viewer { id name avatar { large } } }" }
            },
            "claims": {
              "subject": "/data/Viewer/id",
              "screenName": "/data/Viewer/name",
              "displayName": "/data/Viewer/name",
              "pictureUrl": "/data/Viewer/avatar/large"
            }
          },
          "button": { "text": "Continue with AniList", "background": "#02A9FF", "foreground": "#000000" },
          "links": {
            "documentation": "https://docs.anilist.co/guide/auth/authorization-code",
            "console": "https://anilist.co/settings/developer"
          },
          "registration": ["Create a client in the developer settings.", "Enter the redirect URL."],
          "facts": [
            {
              "fact": "The authorization endpoint is https://anilist.co/api/v2/oauth/authorize with client_id, redirect_uri and response_type=code.",
              "about": ["endpoints"],
              "page": "https://github.com/AniList/ApiV2-GraphQL-Docs/blob/65630387b94284a7fae94f37c8adb6427102f210/docs/guide/auth/authorization-code.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token endpoint is POST https://anilist.co/api/v2/oauth/token with JSON or a form.",
              "about": ["endpoints"],
              "page": "https://github.com/AniList/ApiV2-GraphQL-Docs/blob/65630387b94284a7fae94f37c8adb6427102f210/docs/guide/auth/authorization-code.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The client sends client_id and client_secret in the body, with grant_type, redirect_uri and code.",
              "about": ["authentication"],
              "page": "https://github.com/AniList/ApiV2-GraphQL-Docs/blob/65630387b94284a7fae94f37c8adb6427102f210/docs/guide/auth/authorization-code.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "There are no scopes.",
              "about": ["scopes"],
              "page": "https://github.com/AniList/ApiV2-GraphQL-Docs/blob/65630387b94284a7fae94f37c8adb6427102f210/docs/guide/auth/authorization-code.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The API is GraphQL, POST https://graphql.anilist.co with a bearer token and JSON with the member query.",
              "about": ["endpoints"],
              "page": "https://github.com/AniList/ApiV2-GraphQL-Docs/blob/65630387b94284a7fae94f37c8adb6427102f210/docs/guide/auth/authorization-code.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The type User has the integer id, name and avatar; there is no address.",
              "about": ["userinfo"],
              "page": "https://github.com/AniList/ApiV2-GraphQL-Docs/blob/1140e5c969e1ed1c671c09bf75e7b5f2787a60c4/docs/user.doc.html",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The access token is a JWT, and lives for a year without a refresh token.",
              "page": "https://github.com/AniList/ApiV2-GraphQL-Docs/blob/ab374a906a49c25dac62f2d8d1a60ccec2aaf071/docs/guide/auth/authenticated-requests.md",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
