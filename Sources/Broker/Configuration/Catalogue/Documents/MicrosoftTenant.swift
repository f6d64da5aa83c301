extension ProviderCatalogue {
    static let microsoftTenant = #"""
        {
          "id": "oidc.microsoft-tenant",
          "name": "Microsoft (one tenant)",
          "use": "oidc",
          "options": {
            "issuer": "https://login.microsoftonline.com/{tenant}/v2.0",
            "tokenEndpointAuthMethod": "client_secret_post",
            "scopes": ["openid", "email", "profile", "offline_access"],
            "userinfo": false,
            "claims": { "displayName": "/name", "email": "/email", "screenName": "/preferred_username" }
          },
          "variables": [
            {
              "name": "tenant",
              "description": "The id of the tenant, a GUID.",
              "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
              "example": "8eaef023-2b34-4da1-9baa-8bc8c9d6a490"
            }
          ],
          "button": { "text": "Continue with Microsoft", "background": "#2F2F2F", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://learn.microsoft.com/entra/identity-platform/v2-protocols-oidc",
            "console": "https://entra.microsoft.com/",
            "brand": "https://learn.microsoft.com/entra/identity-platform/howto-add-branding-in-apps"
          },
          "registration": [
            "Register an application in the Entra admin center, for accounts in this directory only.",
            "Add the platform Web with the redirect URI.",
            "Create a client secret and copy its value; note when it expires.",
            "Copy the Directory (tenant) ID: a domain name is no issuer."
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
              "fact": "sub is a pairwise id of user and application, never reassigned; with another client id every user has another one.",
              "about": ["userinfo"],
              "page": "https://github.com/MicrosoftDocs/entra-docs/blob/00281281df91a10426c64e11b706470e74632193/docs/identity-platform/id-token-claims-reference.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The issuer of a tenant has the tenant's id; accounts at home and guests of the tenant are users of it.",
              "page": "https://github.com/MicrosoftDocs/entra-docs/blob/00281281df91a10426c64e11b706470e74632193/docs/identity-platform/id-token-claims-reference.md",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
