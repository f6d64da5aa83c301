extension ProviderCatalogue {
    static let discord = #"""
        {
          "id": "oauth2.discord",
          "name": "Discord",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://discord.com/oauth2/authorize",
            "tokenUrl": "https://discord.com/api/oauth2/token",
            "userinfoUrl": "https://discord.com/api/users/@me",
            "revocationUrl": "https://discord.com/api/oauth2/token/revoke",
            "tokenEndpointAuthMethod": "client_secret_basic",
            "scopes": ["identify", "email"],
            "pkce": false,
            "claims": {
              "subject": "/id",
              "email": "/email",
              "emailVerified": "/verified",
              "displayName": ["/global_name", "/username"],
              "screenName": "/username"
            }
          },
          "trustEmail": true,
          "button": { "text": "Continue with Discord", "background": "#5865F2", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://discord.com/developers/docs/topics/oauth2",
            "console": "https://discord.com/developers/applications",
            "brand": "https://discord.com/branding"
          },
          "registration": [
            "Create an application in the developer portal.",
            "Under OAuth2, add the redirect URI.",
            "Copy the client id and reset the client secret to see it."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://discord.com/oauth2/authorize, the token endpoint POST https://discord.com/api/oauth2/token, the revocation endpoint https://discord.com/api/oauth2/token/revoke.",
              "about": ["endpoints"],
              "page": "https://github.com/discord/discord-api-docs/blob/2602effef0fa59e3d6f2acb1cb208feabdee7331/developers/topics/oauth2.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The client authenticates at the token endpoint with HTTP Basic, or with client_id and client_secret in the form; JSON is refused.",
              "about": ["endpoints", "authentication"],
              "page": "https://github.com/discord/discord-api-docs/blob/2602effef0fa59e3d6f2acb1cb208feabdee7331/developers/topics/oauth2.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Scopes are separated by spaces; identify opens /users/@me and email adds the address to it.",
              "about": ["scopes"],
              "page": "https://github.com/discord/discord-api-docs/blob/2602effef0fa59e3d6f2acb1cb208feabdee7331/developers/topics/oauth2.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The profile is GET /users/@me with a bearer token.",
              "about": ["endpoints", "userinfo"],
              "page": "https://github.com/discord/discord-api-docs/blob/038eea1aca1790bf14bc24535dfd114fff61bbee/developers/resources/user.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The member id is a snowflake, username is not unique, global_name may be null, avatar is a hash.",
              "about": ["userinfo"],
              "page": "https://github.com/discord/discord-api-docs/blob/038eea1aca1790bf14bc24535dfd114fff61bbee/developers/resources/user.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The member verified says whether the address of the account has been verified; it comes with the scope email.",
              "about": ["scopes"],
              "page": "https://github.com/discord/discord-api-docs/blob/038eea1aca1790bf14bc24535dfd114fff61bbee/developers/resources/user.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The page of the authorization code grant says nothing of PKCE.",
              "page": "https://github.com/discord/discord-api-docs/blob/2602effef0fa59e3d6f2acb1cb208feabdee7331/developers/topics/oauth2.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
