extension ProviderCatalogue {
    static let gitlab = #"""
        {
          "id": "oidc.gitlab",
          "name": "GitLab Self-Managed",
          "use": "oidc",
          "options": {
            "issuer": "https://{host}",
            "tokenEndpointAuthMethod": "client_secret_post",
            "scopes": ["openid", "email", "profile"],
            "claims": {
              "email": "/email",
              "emailVerified": "/email_verified",
              "displayName": "/name",
              "screenName": "/nickname",
              "pictureUrl": "/picture"
            }
          },
          "variables": [
            {
              "name": "host",
              "description": "The host of the instance, with the port where it is not 443.",
              "pattern": "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?$",
              "example": "gitlab.example"
            }
          ],
          "button": { "text": "Continue with GitLab", "background": "#FC6D26", "foreground": "#000000" },
          "links": {
            "documentation": "https://docs.gitlab.com/integration/openid_connect_provider/",
            "console": "https://{host}/-/user_settings/applications",
            "brand": "https://about.gitlab.com/press/press-kit/"
          },
          "registration": [
            "Add an application under your user, a group or the admin area.",
            "Enter the redirect URI and leave Confidential selected.",
            "Select the scopes openid, profile and email."
          ],
          "facts": [
            {
              "fact": "An application gets ID tokens when the scope openid is selected in its settings.",
              "about": ["scopes"],
              "page": "https://github.com/gitlabhq/gitlabhq/blob/0653e08efd039a5905f3fa4f6e9cef9f5d2f799c/doc/integration/openid_connect_provider.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "sub is the id of the user; sub_legacy is deprecated.",
              "about": ["userinfo"],
              "page": "https://github.com/gitlabhq/gitlabhq/blob/0653e08efd039a5905f3fa4f6e9cef9f5d2f799c/doc/integration/openid_connect_provider.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "sub, email and email_verified are in the ID token; name, nickname and picture are at /oauth/userinfo.",
              "about": ["userinfo"],
              "page": "https://github.com/gitlabhq/gitlabhq/blob/0653e08efd039a5905f3fa4f6e9cef9f5d2f799c/doc/integration/openid_connect_provider.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "email is the primary address if the application may read it, the public one otherwise; email_verified says whether it was verified.",
              "page": "https://github.com/gitlabhq/gitlabhq/blob/0653e08efd039a5905f3fa4f6e9cef9f5d2f799c/doc/integration/openid_connect_provider.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The authorization endpoint is /oauth/authorize, the token endpoint POST /oauth/token; PKCE with S256 is recommended for clients with a secret too.",
              "about": ["endpoints"],
              "page": "https://github.com/gitlabhq/gitlabhq/blob/04b8ef1303253eb7059349dfa73dfe25df4ac1fb/doc/api/oauth2.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The form of the token request has client_id and client_secret.",
              "about": ["authentication"],
              "page": "https://github.com/gitlabhq/gitlabhq/blob/04b8ef1303253eb7059349dfa73dfe25df4ac1fb/doc/api/oauth2.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The issuer is the origin of the instance.",
              "page": "https://docs.gitlab.com/integration/openid_connect_provider/",
              "read": "2026-11-26",
              "verified": "memory"
            }
          ]
        }
        """#
}
