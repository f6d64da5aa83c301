extension ProviderCatalogue {
    static let roblox = #"""
        {
          "id": "oidc.roblox",
          "name": "Roblox",
          "use": "oidc",
          "options": {
            "issuer": "https://apis.roblox.com/oauth/",
            "algorithms": ["ES256"],
            "scopes": ["openid", "profile"],
            "tokenEndpointAuthMethod": "client_secret_post",
            "claims": { "displayName": "/name", "screenName": "/preferred_username", "pictureUrl": "/picture" }
          },
          "button": { "text": "Continue with Roblox", "background": "#335FFF", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://create.roblox.com/docs/cloud/auth/oauth2-reference",
            "console": "https://create.roblox.com/dashboard/credentials"
          },
          "registration": [
            "Create an OAuth 2.0 app in the creator dashboard.",
            "Add the redirect URL and the permissions openid and profile.",
            "An app has to be reviewed before many users can use it."
          ],
          "facts": [
            {
              "fact": "The issuer is https://apis.roblox.com/oauth/, with the slash; the discovery document is https://apis.roblox.com/oauth/.well-known/openid-configuration.",
              "about": ["endpoints"],
              "page": "https://github.com/Roblox/creator-docs/blob/1095d8ec2eb131b40f131e2d4a52c0ef8f1b33eb/content/en-us/cloud/auth/oauth2-reference.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The authorization endpoint is https://apis.roblox.com/oauth/v1/authorize, the token endpoint POST https://apis.roblox.com/oauth/v1/token, userinfo GET https://apis.roblox.com/oauth/v1/userinfo with a bearer token.",
              "about": ["endpoints", "userinfo"],
              "page": "https://github.com/Roblox/creator-docs/blob/1095d8ec2eb131b40f131e2d4a52c0ef8f1b33eb/content/en-us/cloud/auth/oauth2-reference.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Clients authenticate with client_secret_post or client_secret_basic; PKCE with S256 is supported; a code lives for one minute.",
              "about": ["authentication"],
              "page": "https://github.com/Roblox/creator-docs/blob/1095d8ec2eb131b40f131e2d4a52c0ef8f1b33eb/content/en-us/cloud/auth/oauth2-reference.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "ID tokens are signed with ES256.",
              "page": "https://github.com/Roblox/creator-docs/blob/1095d8ec2eb131b40f131e2d4a52c0ef8f1b33eb/content/en-us/cloud/auth/oauth2-reference.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "sub is the user id and the only stable name of a user; user name and display name change.",
              "about": ["userinfo"],
              "page": "https://github.com/Roblox/creator-docs/blob/1095d8ec2eb131b40f131e2d4a52c0ef8f1b33eb/content/en-us/cloud/auth/oauth2-reference.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The scopes openid and profile give name, preferred_username and picture; picture may be null; apps of third parties get no address.",
              "about": ["scopes"],
              "page": "https://github.com/Roblox/creator-docs/blob/1095d8ec2eb131b40f131e2d4a52c0ef8f1b33eb/content/en-us/cloud/auth/oauth2-reference.md",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
