extension ProviderCatalogue {
    static let lichess = #"""
        {
          "id": "oauth2.lichess",
          "name": "Lichess",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://lichess.org/oauth",
            "tokenUrl": "https://lichess.org/api/token",
            "userinfoUrl": "https://lichess.org/api/account",
            "tokenEndpointAuthMethod": "none",
            "pkce": true,
            "claims": { "subject": "/id", "screenName": "/username", "displayName": "/username" }
          },
          "button": { "text": "Continue with Lichess", "background": "#161512", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://lichess.org/api#tag/OAuth",
            "console": "https://lichess.org/account/oauth/token"
          },
          "registration": [
            "Nothing to register: choose a client id that names the service, and leave the secret out.",
            "The redirect URI may have any host, and the consent page shows it."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://lichess.org/oauth with response_type, client_id, redirect_uri, code_challenge_method=S256 and code_challenge.",
              "about": ["endpoints"],
              "page": "https://github.com/lichess-org/api/blob/266355f591937814ffaa88608c731c5c56c9923e/doc/specs/tags/oauth/oauth.yaml",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token endpoint is POST https://lichess.org/api/token with a form of grant_type, code, code_verifier, redirect_uri and client_id.",
              "about": ["endpoints"],
              "page": "https://github.com/lichess-org/api/blob/012d561f0afed8036f344c21580e2870be64cafd/doc/specs/tags/oauth/api-token.yaml",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "There is no registration and no client secret: client_id is any name of the application, and PKCE takes the place of authentication.",
              "about": ["authentication"],
              "page": "https://github.com/lichess-org/api/blob/012d561f0afed8036f344c21580e2870be64cafd/doc/specs/tags/oauth/api-token.yaml",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The scopes are separated by spaces; the identity needs none.",
              "about": ["scopes"],
              "page": "https://github.com/lichess-org/api/blob/266355f591937814ffaa88608c731c5c56c9923e/doc/specs/tags/oauth/oauth.yaml",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "GET https://lichess.org/api/account with a bearer token answers the account.",
              "about": ["endpoints", "userinfo"],
              "page": "https://github.com/lichess-org/api/blob/135d6c69ad30968dcb0405b8e638da4aa092eb31/doc/specs/tags/account/api-account.yaml",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "id is the lower-case user name, username its spelling.",
              "about": ["userinfo"],
              "page": "https://github.com/lichess-org/api/blob/0d654ce6736a4cc6cc8133c41d68df7737b1fd66/doc/specs/schemas/User.yaml",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The name of a closed account cannot be taken again, in whatever case; so it identifies one user.",
              "about": ["userinfo"],
              "page": "https://github.com/lichess-org/lila/blob/1eb0c366aca00ebfa45584b70ee186e817096c13/translation/source/settings.xml",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
