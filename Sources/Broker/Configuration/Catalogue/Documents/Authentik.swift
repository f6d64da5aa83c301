extension ProviderCatalogue {
    static let authentik = #"""
        {
          "id": "oidc.authentik",
          "name": "authentik",
          "use": "oidc",
          "options": {
            "issuer": "https://{host}/application/o/{application}/",
            "scopes": ["openid", "email", "profile", "offline_access"],
            "claims": {
              "email": "/email",
              "emailVerified": "/email_verified",
              "displayName": "/name",
              "screenName": "/preferred_username"
            }
          },
          "variables": [
            {
              "name": "host",
              "description": "The host of authentik.",
              "pattern": "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?$",
              "example": "auth.example"
            },
            {
              "name": "application",
              "description": "The slug of the application.",
              "pattern": "^[a-zA-Z0-9_-]+$",
              "example": "broker"
            }
          ],
          "button": { "text": "Continue with authentik", "background": "#FD4B2D", "foreground": "#000000" },
          "links": {
            "documentation": "https://docs.goauthentik.io/add-secure-apps/providers/oauth2/",
            "console": "https://{host}/if/admin/#/core/applications"
          },
          "registration": [
            "Create an application with an OAuth2 provider of the client type confidential.",
            "Enter the redirect URI with strict matching.",
            "Select a signing key; leave the subject mode based on the user's hashed id or on the id.",
            "Set trustEmail only if the scope mapping answers email_verified from a verified attribute; before 2025.10 it was always true."
          ],
          "facts": [
            {
              "fact": "The endpoints of the host are /application/o/authorize/, /application/o/token/, /application/o/userinfo/ and /application/o/revoke/; the discovery document is below /application/o/<application slug>/.",
              "about": ["endpoints", "userinfo"],
              "page": "https://github.com/goauthentik/authentik/blob/00d93d879e77a12f82a4a6010109da70de015134/website/docs/add-secure-apps/providers/oauth2/index.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "A signing key has to be selected in the provider: without one ID tokens are signed with the client secret.",
              "page": "https://github.com/goauthentik/authentik/blob/00d93d879e77a12f82a4a6010109da70de015134/website/docs/add-secure-apps/providers/oauth2/index.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "email_verified is false by default since 2025.10 and was always true before; a scope mapping of one's own can answer with an attribute.",
              "page": "https://github.com/goauthentik/authentik/blob/00d93d879e77a12f82a4a6010109da70de015134/website/docs/add-secure-apps/providers/oauth2/index.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The client authenticates with client id and secret; PKCE is supported.",
              "about": ["authentication"],
              "page": "https://github.com/goauthentik/authentik/blob/00d93d879e77a12f82a4a6010109da70de015134/website/docs/add-secure-apps/providers/oauth2/index.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The scopes are openid, profile with the user name, email with the address, and offline_access for a refresh token.",
              "about": ["scopes"],
              "page": "https://github.com/goauthentik/authentik/blob/00d93d879e77a12f82a4a6010109da70de015134/website/docs/add-secure-apps/providers/oauth2/index.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Userinfo answers the claims of the scope mappings.",
              "about": ["userinfo"],
              "page": "https://github.com/goauthentik/authentik/blob/00d93d879e77a12f82a4a6010109da70de015134/website/docs/add-secure-apps/providers/oauth2/index.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The provider follows OpenID Connect, so sub identifies the user at it.",
              "about": ["userinfo"],
              "page": "https://github.com/goauthentik/authentik/blob/00d93d879e77a12f82a4a6010109da70de015134/website/docs/add-secure-apps/providers/oauth2/index.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The issuer is the URL of the application with a slash at its end, and sub is a hash of the user's id, in the default settings of the provider.",
              "page": "https://docs.goauthentik.io/add-secure-apps/providers/oauth2/",
              "read": "2026-11-26",
              "verified": "memory"
            }
          ]
        }
        """#
}
