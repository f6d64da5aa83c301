extension ProviderCatalogue {
    static let shopify = #"""
        {
          "id": "oauth2.shopify",
          "name": "Shopify",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://{shop}.myshopify.com/admin/oauth/authorize",
            "tokenUrl": "https://{shop}.myshopify.com/admin/oauth/access_token",
            "tokenEndpointAuthMethod": "client_secret_post",
            "pkce": false,
            "scopes": ["read_products"],
            "scopeSeparator": ",",
            "authorizationParameters": { "grant_options[]": "per-user" },
            "claims": {
              "subject": { "in": "token", "pointer": "/associated_user/id" },
              "email": { "in": "token", "pointer": "/associated_user/email" },
              "givenName": { "in": "token", "pointer": "/associated_user/first_name" },
              "familyName": { "in": "token", "pointer": "/associated_user/last_name" }
            }
          },
          "variables": [
            {
              "name": "shop",
              "description": "Name of the shop, which stands before .myshopify.com.",
              "pattern": "^[a-z0-9][a-z0-9-]{0,59}$",
              "example": "acme"
            }
          ],
          "button": { "text": "Continue with Shopify", "background": "#95BF47", "foreground": "#000000" },
          "links": {
            "documentation": "https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens/authorization-code-grant",
            "console": "https://dev.shopify.com/dashboard"
          },
          "registration": [
            "Create an app in the Partner or Dev Dashboard.",
            "Enter the redirect URL.",
            "Install the app in the shop.",
            "The users are the staff of the shop, not its customers."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is /admin/oauth/authorize at the shop's host; grant_options[]=per-user asks for the token of a user.",
              "about": ["endpoints"],
              "page": "https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens/authorization-code-grant",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "The token endpoint is POST /admin/oauth/access_token at the shop's host.",
              "about": ["endpoints"],
              "page": "https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens/authorization-code-grant",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "The client sends client_id and client_secret in the form.",
              "about": ["authentication"],
              "page": "https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens/authorization-code-grant",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "Scopes are separated by commas; at least one is required.",
              "about": ["scopes"],
              "page": "https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens/authorization-code-grant",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "A token of a user must be asked for, and belongs to one user of one shop.",
              "page": "https://www.shopify.dev/apps/auth/access-modes",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token answer of a user has associated_user with id, first_name, last_name, email and email_verified.",
              "about": ["userinfo"],
              "page": "https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens/authorization-code-grant",
              "read": "2026-11-26",
              "verified": "memory"
            }
          ]
        }
        """#
}
