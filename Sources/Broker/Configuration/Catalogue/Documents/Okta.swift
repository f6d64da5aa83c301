extension ProviderCatalogue {
    static let okta = #"""
        {
          "id": "oidc.okta",
          "name": "Okta",
          "use": "oidc",
          "options": {
            "issuer": "https://{domain}",
            "scopes": ["openid", "email", "profile", "offline_access"],
            "claims": {
              "email": "/email",
              "emailVerified": "/email_verified",
              "displayName": "/name",
              "givenName": "/given_name",
              "familyName": "/family_name",
              "screenName": "/preferred_username",
              "pictureUrl": "/picture"
            }
          },
          "variables": [
            {
              "name": "domain",
              "description": "The domain of the Okta organisation.",
              "pattern": "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?$",
              "example": "acme.okta.com"
            }
          ],
          "button": { "text": "Continue with Okta", "background": "#191919", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://developer.okta.com/docs/reference/api/oidc/",
            "console": "https://{domain}/admin/apps/active"
          },
          "registration": [
            "Create an app integration: OIDC, Web Application.",
            "Enter the sign-in redirect URI and allow the refresh token grant.",
            "Set trustEmail if the directory's addresses come from your own organisation."
          ],
          "facts": [
            {
              "fact": "The issuer of the org authorization server is https://{yourOktaDomain}; its authorization endpoint is /oauth2/v1/authorize; state and nonce are required.",
              "about": ["endpoints"],
              "page": "https://github.com/okta/okta-developer-docs/blob/021698357fb257730fc891afb602ecb455b75fb2/packages/@okta/vuepress-site/docs/reference/api/oidc/index.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Client authentication is the one that the application is registered with: client_secret_basic by default, or client_secret_post, client_secret_jwt, private_key_jwt, none.",
              "about": ["authentication"],
              "page": "https://github.com/okta/okta-developer-docs/blob/021698357fb257730fc891afb602ecb455b75fb2/packages/@okta/vuepress-site/docs/reference/api/oidc/index.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "PKCE with S256 is supported; ID tokens are signed with RS256.",
              "page": "https://github.com/okta/okta-developer-docs/blob/021698357fb257730fc891afb602ecb455b75fb2/packages/@okta/vuepress-site/docs/reference/api/oidc/index.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "With the code flow all claims of the requested scopes are at /oauth2/v1/userinfo.",
              "about": ["scopes", "userinfo"],
              "page": "https://github.com/okta/okta-developer-docs/blob/021698357fb257730fc891afb602ecb455b75fb2/packages/@okta/vuepress-site/docs/reference/api/oidc/index.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "email_verified is true if the primary address was verified; preferred_username is the login.",
              "page": "https://github.com/okta/okta-developer-docs/blob/021698357fb257730fc891afb602ecb455b75fb2/packages/@okta/vuepress-site/docs/reference/api/oidc/index.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "sub is a unique id of the user, name and preferred_username come with the scope profile, email and email_verified with the scope email.",
              "about": ["userinfo", "scopes"],
              "page": "https://github.com/okta/okta-developer-docs/blob/021698357fb257730fc891afb602ecb455b75fb2/packages/@okta/vuepress-site/docs/reference/api/oidc/index.md",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
