extension ProviderCatalogue {
    static let osu = #"""
        {
          "id": "oauth2.osu",
          "name": "osu!",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://osu.ppy.sh/oauth/authorize",
            "tokenUrl": "https://osu.ppy.sh/oauth/token",
            "userinfoUrl": "https://osu.ppy.sh/api/v2/me",
            "tokenEndpointAuthMethod": "client_secret_post",
            "pkce": false,
            "scopes": ["identify"],
            "claims": {
              "subject": "/id",
              "screenName": "/username",
              "displayName": "/username",
              "pictureUrl": "/avatar_url"
            }
          },
          "button": { "text": "Continue with osu!", "background": "#FF66AA", "foreground": "#000000" },
          "links": {
            "documentation": "https://osu.ppy.sh/docs/index.html",
            "console": "https://osu.ppy.sh/home/account/edit#oauth"
          },
          "registration": [
            "Register a new OAuth application in the account settings.",
            "Enter the redirect URI under Application Callback URLs."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is /oauth/authorize with client_id, redirect_uri, response_type=code, scope and state.",
              "about": ["endpoints"],
              "page": "https://github.com/ppy/osu-web/blob/0c4fe57b0e3be73ce17a0c498bdfd3a7428e2b0b/resources/views/docs/auth.blade.php",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token endpoint is POST /oauth/token with a form of client_id, client_secret, code, grant_type and redirect_uri.",
              "about": ["endpoints", "authentication"],
              "page": "https://github.com/ppy/osu-web/blob/0c4fe57b0e3be73ce17a0c498bdfd3a7428e2b0b/resources/views/docs/auth.blade.php",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The API lies below /api/v2/.",
              "about": ["endpoints"],
              "page": "https://github.com/ppy/osu-web/blob/01b6122114707e445f97a7ecd0c7b341ffcca4a1/resources/views/docs/info.md.blade.php",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Scopes are separated by spaces; identify is the one for the user's own data, and the default.",
              "about": ["scopes"],
              "page": "https://github.com/ppy/osu-web/blob/0c4fe57b0e3be73ce17a0c498bdfd3a7428e2b0b/resources/views/docs/auth.blade.php",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "id is the integer id of the user, username the name, avatar_url the picture.",
              "about": ["userinfo"],
              "page": "https://github.com/ppy/osu-web/blob/1009318dfe16b86271004159449f4fd6ac7c650a/resources/views/docs/_structures/user.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The own data is /me below that address, and needs the scope identify.",
              "about": ["endpoints", "userinfo"],
              "page": "https://github.com/ppy/osu-web/blob/0c4fe57b0e3be73ce17a0c498bdfd3a7428e2b0b/resources/views/docs/auth.blade.php",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The host of the public installation is osu.ppy.sh.",
              "page": "https://osu.ppy.sh/docs/index.html",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "There is no address.",
              "page": "https://github.com/ppy/osu-web/blob/1009318dfe16b86271004159449f4fd6ac7c650a/resources/views/docs/_structures/user.md",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
