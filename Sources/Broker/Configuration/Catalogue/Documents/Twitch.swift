extension ProviderCatalogue {
    static let twitch = #"""
        {
          "id": "oidc.twitch",
          "name": "Twitch",
          "use": "oidc",
          "options": {
            "issuer": "https://id.twitch.tv/oauth2",
            "tokenEndpointAuthMethod": "client_secret_post",
            "scopes": ["openid", "user:read:email"],
            "authorizationParameters": {
              "claims": "{\"id_token\":{\"email\":null,\"email_verified\":null,\"picture\":null,\"preferred_username\":null},\"userinfo\":{\"email\":null,\"email_verified\":null,\"picture\":null,\"preferred_username\":null}}"
            },
            "claims": {
              "email": "/email",
              "emailVerified": "/email_verified",
              "displayName": "/preferred_username",
              "screenName": "/preferred_username",
              "pictureUrl": "/picture"
            }
          },
          "button": { "text": "Continue with Twitch", "background": "#9146FF", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://dev.twitch.tv/docs/authentication/getting-tokens-oidc",
            "console": "https://dev.twitch.tv/console/apps",
            "brand": "https://brand.twitch.com/"
          },
          "registration": [
            "Register an application in the developer console, with the client type Confidential.",
            "Add the OAuth redirect URL.",
            "Create a new secret."
          ],
          "facts": [
            {
              "fact": "The discovery document is https://id.twitch.tv/oauth2/.well-known/openid-configuration; the authorization endpoint is https://id.twitch.tv/oauth2/authorize.",
              "about": ["endpoints"],
              "page": "https://dev.twitch.tv/docs/authentication/getting-tokens-oidc",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The discovery document has the issuer https://id.twitch.tv/oauth2, the token endpoint https://id.twitch.tv/oauth2/token and userinfo https://id.twitch.tv/oauth2/userinfo.",
              "about": ["endpoints"],
              "page": "https://id.twitch.tv/oauth2/.well-known/openid-configuration",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Clients authenticate with client_secret_post alone; ID tokens are signed with RS256.",
              "about": ["authentication"],
              "page": "https://id.twitch.tv/oauth2/.well-known/openid-configuration",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The scope of the discovery document is openid.",
              "about": ["scopes"],
              "page": "https://id.twitch.tv/oauth2/.well-known/openid-configuration",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The parameter claims is supported, and the claims are email, email_verified, picture, preferred_username, sub and updated_at.",
              "about": ["userinfo"],
              "page": "https://dev.twitch.tv/docs/authentication/getting-tokens-oidc",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The scope user:read:email lets one see the address of the user.",
              "about": ["scopes"],
              "page": "https://dev.twitch.tv/docs/authentication/scopes/",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The address has to be asked for with the parameter claims.",
              "page": "https://dev.twitch.tv/docs/authentication/getting-tokens-oidc",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "scope of the token answer is a list.",
              "page": "https://dev.twitch.tv/docs/authentication/getting-tokens-oidc",
              "read": "2026-11-26",
              "verified": "memory"
            }
          ]
        }
        """#
}
