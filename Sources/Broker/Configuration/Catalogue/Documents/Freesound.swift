extension ProviderCatalogue {
    static let freesound = #"""
        {
          "id": "oauth2.freesound",
          "name": "Freesound",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://freesound.org/apiv2/oauth2/authorize/",
            "tokenUrl": "https://freesound.org/apiv2/oauth2/access_token/",
            "userinfoUrl": "https://freesound.org/apiv2/me/",
            "tokenEndpointAuthMethod": "client_secret_post",
            "pkce": false,
            "claims": {
              "subject": "/unique_id",
              "email": "/email",
              "screenName": "/username",
              "displayName": "/username"
            }
          },
          "button": { "text": "Continue with Freesound", "background": "#1A1A1A", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://freesound.org/docs/api/authentication.html",
            "console": "https://freesound.org/apiv2/apply/"
          },
          "registration": [
            "Apply for an API credential.",
            "Enter the redirect URL there; it is not taken from the request.",
            "Copy the client id and the client secret."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is /apiv2/oauth2/authorize/ with client_id, response_type=code and state.",
              "about": ["endpoints"],
              "page": "https://github.com/MTG/freesound/blob/02fa0a28c2c0d38f59775020d52752ed575585e1/_docs/api/source/authentication.rst",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token endpoint is POST /apiv2/oauth2/access_token/ with a form of grant_type and code.",
              "about": ["endpoints"],
              "page": "https://github.com/MTG/freesound/blob/02fa0a28c2c0d38f59775020d52752ed575585e1/_docs/api/source/authentication.rst",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The client sends client_id and client_secret in the form.",
              "about": ["authentication"],
              "page": "https://github.com/MTG/freesound/blob/02fa0a28c2c0d38f59775020d52752ed575585e1/_docs/api/source/authentication.rst",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "No scope is asked for; the token answer names read and write.",
              "about": ["scopes"],
              "page": "https://github.com/MTG/freesound/blob/02fa0a28c2c0d38f59775020d52752ed575585e1/_docs/api/source/authentication.rst",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "GET /apiv2/me/ with a bearer token answers the user with username, email and unique_id, which identifies the user.",
              "about": ["endpoints", "userinfo"],
              "page": "https://github.com/MTG/freesound/blob/00ec1dd94d9b0dcfc1c4285ff56e6dcbe8683061/_docs/api/source/resources.rst",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The pages name the host www.freesound.org; today freesound.org answers.",
              "page": "https://freesound.org/docs/api/authentication.html",
              "read": "2026-11-26",
              "verified": "memory"
            }
          ]
        }
        """#
}
