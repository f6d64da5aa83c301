extension ProviderCatalogue {
    static let azureB2c = #"""
        {
          "id": "oidc.azure-b2c",
          "name": "Azure AD B2C",
          "use": "oidc",
          "options": {
            "issuer": "https://{tenant}.b2clogin.com/{directory}/v2.0/",
            "discovery": false,
            "endpoints": {
              "authorization": "https://{tenant}.b2clogin.com/{tenant}.onmicrosoft.com/{policy}/oauth2/v2.0/authorize",
              "token": "https://{tenant}.b2clogin.com/{tenant}.onmicrosoft.com/{policy}/oauth2/v2.0/token",
              "jwks": "https://{tenant}.b2clogin.com/{tenant}.onmicrosoft.com/{policy}/discovery/v2.0/keys"
            },
            "tokenEndpointAuthMethod": "client_secret_post",
            "scopes": ["openid", "offline_access"]
          },
          "variables": [
            {
              "name": "tenant",
              "description": "Name of the B2C tenant, the part before .onmicrosoft.com.",
              "pattern": "^[a-z0-9]+$",
              "example": "contoso"
            },
            {
              "name": "directory",
              "description": "GUID of the B2C directory.",
              "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
              "example": "775527ff-9a37-4307-8b3d-cc311f58d925"
            },
            {
              "name": "policy",
              "description": "Name of the user flow, in lower case.",
              "pattern": "^[a-z0-9_-]+$",
              "example": "b2c_1_signin"
            }
          ],
          "button": { "text": "Continue with Microsoft", "background": "#0078D4", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://learn.microsoft.com/azure/active-directory-b2c/openid-connect",
            "console": "https://portal.azure.com/"
          },
          "registration": [
            "Register an application in the B2C tenant, with the redirect URI of the type Web.",
            "Create a client secret.",
            "Create a user flow that signs in; its name is the policy.",
            "In the user flow, choose the claims to return, and name their pointers in the entry: the addresses are the list emails."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://TENANT.b2clogin.com/TENANT.onmicrosoft.com/POLICY/oauth2/v2.0/authorize, the token endpoint ends in /oauth2/v2.0/token, and the keys lie at /discovery/v2.0/keys.",
              "about": ["endpoints"],
              "page": "https://github.com/MicrosoftDocs/azure-docs/blob/03ccabf0034fecab706910c6d836897d15ac74cf/articles/active-directory-b2c/openid-connect.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The issuer is https://TENANT.b2clogin.com/ followed by the GUID of the directory and /v2.0/; it is not the address of the discovery document.",
              "about": ["endpoints"],
              "page": "https://github.com/MicrosoftDocs/azure-docs/blob/0ecc6a531d414f528531627031eef6e56d87ebcb/articles/active-directory-b2c/tokens-overview.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "A web application sends client_id and client_secret in the form of the token request.",
              "about": ["authentication"],
              "page": "https://github.com/MicrosoftDocs/azure-docs/blob/03ccabf0034fecab706910c6d836897d15ac74cf/articles/active-directory-b2c/openid-connect.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The scopes openid and offline_access are separated by spaces.",
              "about": ["scopes"],
              "page": "https://github.com/MicrosoftDocs/azure-docs/blob/03ccabf0034fecab706910c6d836897d15ac74cf/articles/active-directory-b2c/openid-connect.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "sub is the object id of the user, immutable and never reassigned or reused.",
              "about": ["userinfo"],
              "page": "https://github.com/MicrosoftDocs/azure-docs/blob/0ecc6a531d414f528531627031eef6e56d87ebcb/articles/active-directory-b2c/tokens-overview.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "There is no userinfo; name and addresses are in the ID token where the user flow adds them.",
              "about": ["userinfo"],
              "page": "https://github.com/MicrosoftDocs/azure-docs/blob/0ecc6a531d414f528531627031eef6e56d87ebcb/articles/active-directory-b2c/tokens-overview.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "ID tokens are signed with RS256.",
              "page": "https://github.com/MicrosoftDocs/azure-docs/blob/0ecc6a531d414f528531627031eef6e56d87ebcb/articles/active-directory-b2c/tokens-overview.md",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
