extension ProviderCatalogue {
    static let huggingface = #"""
        {
          "id": "oidc.huggingface",
          "name": "Hugging Face",
          "use": "oidc",
          "options": {
            "issuer": "https://huggingface.co",
            "tokenEndpointAuthMethod": "client_secret_basic",
            "scopes": ["openid", "profile", "email"],
            "claims": {
              "email": "/email",
              "emailVerified": "/email_verified",
              "displayName": "/name",
              "screenName": "/preferred_username",
              "pictureUrl": "/picture"
            }
          },
          "button": { "text": "Continue with Hugging Face", "background": "#FFD21E", "foreground": "#000000" },
          "links": {
            "documentation": "https://huggingface.co/docs/hub/oauth",
            "console": "https://huggingface.co/settings/connected-applications",
            "brand": "https://huggingface.co/brand"
          },
          "registration": [
            "Create an OAuth app in the settings, under Connected Applications.",
            "Add the redirect URI.",
            "Choose the scopes openid, profile and email."
          ],
          "facts": [
            {
              "fact": "The discovery document is https://huggingface.co/.well-known/openid-configuration; the authorization endpoint is https://huggingface.co/oauth/authorize, the token endpoint POST https://huggingface.co/oauth/token.",
              "about": ["endpoints"],
              "page": "https://github.com/huggingface/hub-docs/blob/0020dbde2b8aa802b85db1f1361e06bed0cf3dec/docs/hub/spaces-oauth.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The client authenticates with HTTP Basic.",
              "about": ["authentication"],
              "page": "https://github.com/huggingface/hub-docs/blob/0020dbde2b8aa802b85db1f1361e06bed0cf3dec/docs/hub/spaces-oauth.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The scopes are openid, profile (name and avatar) and email.",
              "about": ["scopes"],
              "page": "https://github.com/huggingface/hub-docs/blob/0020dbde2b8aa802b85db1f1361e06bed0cf3dec/docs/hub/oauth.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Userinfo has sub, which stays the same when the user is renamed, preferred_username, name and picture, and with the scope email also email and email_verified.",
              "about": ["userinfo"],
              "page": "https://github.com/huggingface/huggingface.js/blob/0bf77c6b70ef1b087fe96a390930f9199c65881f/packages/hub/src/lib/oauth-handle-redirect.ts",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Userinfo is https://huggingface.co/oauth/userinfo.",
              "page": "https://huggingface.co/docs/hub/oauth",
              "read": "2026-11-26",
              "verified": "memory"
            }
          ]
        }
        """#
}
