extension ProviderCatalogue {
    static let vault = #"""
        {
          "id": "oidc.vault",
          "name": "HashiCorp Vault",
          "use": "oidc",
          "options": {
            "issuer": "https://{host}/v1/identity/oidc/provider/{provider}",
            "tokenEndpointAuthMethod": "client_secret_basic",
            "scopes": ["openid"]
          },
          "variables": [
            {
              "name": "host",
              "description": "Host name of the Vault server, with its port if it has one.",
              "pattern": "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?$",
              "example": "vault.mail.example:8200"
            },
            {
              "name": "provider",
              "description": "Name of the OIDC provider in Vault.",
              "pattern": "^[A-Za-z0-9_.-]+$",
              "example": "default"
            }
          ],
          "button": { "text": "Continue with HashiCorp Vault", "background": "#FFEC6E", "foreground": "#000000" },
          "links": {
            "documentation": "https://developer.hashicorp.com/vault/docs/secrets/identity/oidc-provider",
            "console": "https://developer.hashicorp.com/vault/docs/concepts/oidc-provider"
          },
          "registration": [
            "Write a client with vault write identity/oidc/client/NAME, with redirect_uris and assignments.",
            "Read client_id and client_secret with vault read identity/oidc/client/NAME.",
            "For name and address, write a scope, add it to scopes_supported of the provider, and add the scope and the pointers to the entry."
          ],
          "facts": [
            {
              "fact": "The issuer is https://HOST/v1/identity/oidc/provider/PROVIDER, where default is the provider that is there from the start; below it lie /token, /userinfo and /.well-known/keys.",
              "about": ["endpoints"],
              "page": "https://github.com/hashicorp/vault/blob/03795549fac130ad3430ef5914c9578f0e60a3f1/website/content/docs/secrets/identity/oidc-provider.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The authorization endpoint is https://HOST/ui/vault/identity/oidc/provider/PROVIDER/authorize.",
              "about": ["endpoints"],
              "page": "https://github.com/hashicorp/vault/blob/03795549fac130ad3430ef5914c9578f0e60a3f1/website/content/docs/secrets/identity/oidc-provider.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Confidential clients authenticate with client_secret_basic.",
              "about": ["authentication"],
              "page": "https://github.com/hashicorp/vault/blob/03795549fac130ad3430ef5914c9578f0e60a3f1/website/content/docs/secrets/identity/oidc-provider.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "openid is the only scope from the start; further scopes are templates that the administrator writes.",
              "about": ["scopes"],
              "page": "https://github.com/hashicorp/vault/blob/05b2d0218a37e650ab448854e5d773eb1b3c7899/website/content/docs/concepts/oidc-provider.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "sub is the unique id of the Vault entity.",
              "about": ["userinfo"],
              "page": "https://github.com/hashicorp/vault/blob/05b2d0218a37e650ab448854e5d773eb1b3c7899/website/content/docs/concepts/oidc-provider.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "State and nonce are required, and the key default signs with RS256.",
              "page": "https://github.com/hashicorp/vault/blob/05b2d0218a37e650ab448854e5d773eb1b3c7899/website/content/docs/concepts/oidc-provider.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
