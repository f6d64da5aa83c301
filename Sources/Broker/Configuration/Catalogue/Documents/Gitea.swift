extension ProviderCatalogue {
    static let gitea = #"""
        {
          "id": "oauth2.gitea",
          "name": "Gitea",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://{host}/login/oauth/authorize",
            "tokenUrl": "https://{host}/login/oauth/access_token",
            "userinfoUrl": "https://{host}/login/oauth/userinfo",
            "tokenEndpointAuthMethod": "client_secret_post",
            "pkce": true,
            "scopes": ["openid", "profile", "email"],
            "claims": {
              "subject": "/sub",
              "email": "/email",
              "displayName": "/name",
              "screenName": "/preferred_username",
              "pictureUrl": "/picture"
            }
          },
          "variables": [
            {
              "name": "host",
              "description": "Host name of the Gitea installation.",
              "pattern": "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?$",
              "example": "git.mail.example"
            }
          ],
          "button": { "text": "Continue with Gitea", "background": "#609926", "foreground": "#000000" },
          "links": {
            "documentation": "https://docs.gitea.com/development/oauth2-provider",
            "console": "https://docs.gitea.com/development/oauth2-provider"
          },
          "registration": [
            "Create an OAuth2 application in the settings, under Applications, as a confidential client.",
            "Enter the redirect URI.",
            "Copy the client ID and the client secret."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is /login/oauth/authorize, the token endpoint POST /login/oauth/access_token, userinfo /login/oauth/userinfo.",
              "about": ["endpoints"],
              "page": "https://github.com/go-gitea/gitea/blob/19be0d118c657e1751adfa8c7b245eb70be55ca6/docs/content/development/oauth2-provider.en-us.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The client sends client_id and client_secret in the body; PKCE with S256 is supported.",
              "about": ["authentication"],
              "page": "https://github.com/go-gitea/gitea/blob/19be0d118c657e1751adfa8c7b245eb70be55ca6/docs/content/development/oauth2-provider.en-us.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Userinfo answers all members whatever the scope; the scope that was asked for is kept with the grant.",
              "about": ["scopes"],
              "page": "https://github.com/go-gitea/gitea/blob/046f7a02815879a045d016887e8002fdbd252e5b/routers/web/auth/oauth2_provider.go",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Userinfo takes a bearer token and answers sub, which is the number of the user, name, preferred_username, email and picture.",
              "about": ["userinfo"],
              "page": "https://github.com/go-gitea/gitea/blob/046f7a02815879a045d016887e8002fdbd252e5b/routers/web/auth/oauth2_provider.go",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Nothing says that the address is verified.",
              "page": "https://github.com/go-gitea/gitea/blob/046f7a02815879a045d016887e8002fdbd252e5b/routers/web/auth/oauth2_provider.go",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
