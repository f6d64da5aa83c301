extension ProviderCatalogue {
    static let cloudflareAccess = #"""
        {
          "id": "oidc.cloudflare-access",
          "name": "Cloudflare Access",
          "use": "oidc",
          "options": {
            "issuer": "https://{team}.cloudflareaccess.com/cdn-cgi/access/sso/oidc/{application}",
            "scopes": ["openid", "email", "profile"],
            "claims": { "email": "/email", "displayName": "/name" }
          },
          "variables": [
            {
              "name": "team",
              "description": "Team name of the Cloudflare Zero Trust organization.",
              "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$",
              "example": "acme"
            },
            {
              "name": "application",
              "description": "Client ID of the SaaS application.",
              "pattern": "^[0-9a-f]{16,64}$",
              "example": "0123456789abcdef0123456789abcdef"
            }
          ],
          "button": { "text": "Continue with Cloudflare", "background": "#F6821F", "foreground": "#000000" },
          "links": {
            "documentation": "https://developers.cloudflare.com/cloudflare-one/access-controls/applications/http-apps/saas-apps/generic-oidc-saas/",
            "console": "https://one.dash.cloudflare.com/"
          },
          "registration": [
            "Add a SaaS application of the type OIDC in Zero Trust.",
            "Choose the scopes openid, email and profile.",
            "Enter the redirect URL and copy the client ID and the secret."
          ],
          "facts": [
            {
              "fact": "The issuer is https://TEAM.cloudflareaccess.com/cdn-cgi/access/sso/oidc/CLIENT_ID; below it lie /authorization, /token, /jwks and /userinfo.",
              "about": ["endpoints"],
              "page": "https://github.com/cloudflare/cloudflare-docs/blob/19f770e7143d6cbb4926ff29426fee70c805fee5/src/content/docs/cloudflare-one/access-controls/applications/http-apps/saas-apps/generic-oidc-saas.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The application has a client ID and a client secret; PKCE is optional.",
              "page": "https://github.com/cloudflare/cloudflare-docs/blob/19f770e7143d6cbb4926ff29426fee70c805fee5/src/content/docs/cloudflare-one/access-controls/applications/http-apps/saas-apps/generic-oidc-saas.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The scopes are openid, email, profile and groups; openid gives the unique identifier.",
              "about": ["scopes", "userinfo"],
              "page": "https://github.com/cloudflare/cloudflare-docs/blob/19f770e7143d6cbb4926ff29426fee70c805fee5/src/content/docs/cloudflare-one/access-controls/applications/http-apps/saas-apps/generic-oidc-saas.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Both ways of sending the client secret are taken.",
              "about": ["authentication"],
              "page": "https://developers.cloudflare.com/cloudflare-one/access-controls/applications/http-apps/saas-apps/generic-oidc-saas/",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "The address is that of the identity provider behind Access.",
              "page": "https://developers.cloudflare.com/cloudflare-one/access-controls/applications/http-apps/saas-apps/generic-oidc-saas/",
              "read": "2026-11-26",
              "verified": "memory"
            }
          ]
        }
        """#
}
