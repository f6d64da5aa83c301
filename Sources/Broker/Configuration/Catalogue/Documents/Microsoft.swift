extension ProviderCatalogue {
    static let microsoft = #"""
        {
          "id": "microsoft.com",
          "name": "Microsoft",
          "use": "oidc",
          "options": {
            "issuer": "https://login.microsoftonline.com/{tid}/v2.0",
            "tenants": "common",
            "tokenEndpointAuthMethod": "client_secret_post",
            "scopes": ["openid", "email", "profile", "offline_access"],
            "userinfo": false,
            "claims": { "displayName": "/name", "email": "/email", "screenName": "/preferred_username" }
          },
          "button": { "text": "Continue with Microsoft", "background": "#2F2F2F", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://learn.microsoft.com/entra/identity-platform/v2-protocols-oidc",
            "console": "https://entra.microsoft.com/",
            "brand": "https://learn.microsoft.com/entra/identity-platform/howto-add-branding-in-apps"
          },
          "registration": [
            "Register an application in the Entra admin center, for accounts in any directory and personal accounts.",
            "Add the platform Web with the redirect URI.",
            "Create a client secret and copy its value; note when it expires.",
            "Leave trustEmail alone: administrators of any tenant can write any address."
          ],
          "facts": [
            {
              "fact": "The discovery document is below https://login.microsoftonline.com/{tenant}/v2.0; the authorization endpoint is /oauth2/v2.0/authorize, the token endpoint /oauth2/v2.0/token of the tenant, userinfo https://graph.microsoft.com/oidc/userinfo.",
              "about": ["endpoints", "userinfo"],
              "page": "https://github.com/MicrosoftDocs/entra-docs/blob/0358995965b03e866d4b22a25625f4c558f121b9/docs/identity-platform/v2-protocols-oidc.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Clients authenticate with client_secret_post or private_key_jwt; the example of the discovery document lists no client_secret_basic.",
              "about": ["endpoints", "authentication"],
              "page": "https://github.com/MicrosoftDocs/entra-docs/blob/0358995965b03e866d4b22a25625f4c558f121b9/docs/identity-platform/v2-protocols-oidc.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "ID tokens are signed with RS256.",
              "page": "https://github.com/MicrosoftDocs/entra-docs/blob/00281281df91a10426c64e11b706470e74632193/docs/identity-platform/id-token-claims-reference.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "preferred_username and name change and are for display; the scope profile is needed for name, preferred_username and oid.",
              "about": ["scopes", "userinfo"],
              "page": "https://github.com/MicrosoftDocs/entra-docs/blob/00281281df91a10426c64e11b706470e74632193/docs/identity-platform/id-token-claims-reference.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "email is not guaranteed to be correct and changes; the page warns against using it for authorization.",
              "page": "https://github.com/MicrosoftDocs/entra-docs/blob/00281281df91a10426c64e11b706470e74632193/docs/identity-platform/id-token-claims-reference.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The authority common takes personal accounts and those of every tenant; its discovery document's URL has common where a tenant's has its id.",
              "about": ["endpoints"],
              "page": "https://github.com/MicrosoftDocs/entra-docs/blob/0358995965b03e866d4b22a25625f4c558f121b9/docs/identity-platform/v2-protocols-oidc.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "oid is immutable and not reused, the same for all applications, and another in each tenant; together with tid it names a user.",
              "about": ["userinfo"],
              "page": "https://github.com/MicrosoftDocs/entra-docs/blob/00281281df91a10426c64e11b706470e74632193/docs/identity-platform/id-token-claims-reference.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "iss has the tenant's id; personal accounts have the tenant 9188040d-6c67-4c5b-b112-36a304b66dad.",
              "page": "https://github.com/MicrosoftDocs/entra-docs/blob/00281281df91a10426c64e11b706470e74632193/docs/identity-platform/id-token-claims-reference.md",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
