extension ProviderCatalogue {
    static let stripe = #"""
        {
          "id": "oauth2.stripe",
          "name": "Stripe",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://connect.stripe.com/oauth/authorize",
            "tokenUrl": "https://connect.stripe.com/oauth/token",
            "tokenEndpointAuthMethod": "client_secret_post",
            "pkce": false,
            "scopes": ["read_only"],
            "claims": { "subject": {"in": "token", "pointer": "/stripe_user_id"} }
          },
          "button": { "text": "Continue with Stripe", "background": "#635BFF", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://docs.stripe.com/connect/oauth-reference?locale=en-GB",
            "console": "https://dashboard.stripe.com/settings/connect/onboarding-options/oauth"
          },
          "registration": [
            "Enable OAuth in the settings of Connect.",
            "Add the redirect URI.",
            "The client id is that of Connect (ca_…), the client secret is a secret API key.",
            "All people who may connect one Stripe account are one user here."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://connect.stripe.com/oauth/authorize with client_id, response_type=code, scope, redirect_uri and state.",
              "about": ["endpoints"],
              "page": "https://docs.stripe.com/connect/oauth-reference?locale=en-GB",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token endpoint is POST https://connect.stripe.com/oauth/token with a form.",
              "about": ["endpoints"],
              "page": "https://docs.stripe.com/connect/oauth-reference?locale=en-GB",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "client_secret is the secret API key of the platform, in the form.",
              "about": ["authentication"],
              "page": "https://docs.stripe.com/connect/oauth-reference?locale=en-GB",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "The scope is read_write or read_only.",
              "about": ["scopes"],
              "page": "https://docs.stripe.com/connect/oauth-reference?locale=en-GB",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "The token answer has stripe_user_id, the id of the account that was connected: an account of a business, which several people may use.",
              "about": ["userinfo"],
              "page": "https://docs.stripe.com/connect/oauth-reference?locale=en-GB",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "Stripe does not recommend OAuth for new platforms; there is no address.",
              "page": "https://docs.stripe.com/connect/oauth-standard-accounts.md",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
