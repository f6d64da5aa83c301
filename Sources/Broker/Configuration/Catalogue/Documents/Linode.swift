extension ProviderCatalogue {
    static let linode = #"""
        {
          "id": "oauth2.linode",
          "name": "Linode",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://login.linode.com/oauth/authorize",
            "tokenUrl": "https://login.linode.com/oauth/token",
            "userinfoUrl": "https://api.linode.com/v4/profile",
            "tokenEndpointAuthMethod": "client_secret_post",
            "pkce": false,
            "scopes": ["account:read_only"],
            "claims": {
              "subject": "/uid",
              "email": "/email",
              "screenName": "/username",
              "displayName": "/username"
            }
          },
          "button": { "text": "Continue with Linode", "background": "#02B159", "foreground": "#000000" },
          "links": {
            "documentation": "https://techdocs.akamai.com/linode-api/reference/get-started",
            "console": "https://cloud.linode.com/profile/clients"
          },
          "registration": [
            "Create an OAuth app in the Cloud Manager, and leave Public off.",
            "Enter the callback URL.",
            "Copy the id and the secret."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://login.linode.com/oauth/authorize, the token endpoint POST https://login.linode.com/oauth/token with a form.",
              "about": ["endpoints"],
              "page": "https://github.com/linode/linode-api-docs/blob/00102c1567e9a5a36fe85a8105c8b20b0614b085/openapi.yaml",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "A private client sends client_id and client_secret in the body of the token request.",
              "about": ["authentication"],
              "page": "https://github.com/linode/linode-api-docs/blob/00102c1567e9a5a36fe85a8105c8b20b0614b085/openapi.yaml",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The scope account:read_only gives the information about the account.",
              "about": ["scopes"],
              "page": "https://github.com/linode/linode-api-docs/blob/00102c1567e9a5a36fe85a8105c8b20b0614b085/openapi.yaml",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "API requests go to https://api.linode.com/v4 with a bearer token.",
              "about": ["endpoints"],
              "page": "https://github.com/linode/linode-api-docs/blob/00102c1567e9a5a36fe85a8105c8b20b0614b085/openapi.yaml",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The profile has uid, which never changes and may identify the user, username and email.",
              "about": ["userinfo"],
              "page": "https://techdocs.akamai.com/linode-api/reference/get-profile",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Nothing says that the address is verified.",
              "page": "https://techdocs.akamai.com/linode-api/reference/get-profile",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
