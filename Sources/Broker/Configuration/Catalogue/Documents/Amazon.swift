extension ProviderCatalogue {
    static let amazon = #"""
        {
          "id": "oauth2.amazon",
          "name": "Amazon",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://www.amazon.com/ap/oa",
            "tokenUrl": "https://api.amazon.com/auth/o2/token",
            "userinfoUrl": "https://api.amazon.com/user/profile",
            "tokenEndpointAuthMethod": "client_secret_post",
            "pkce": true,
            "scopes": ["profile"],
            "claims": { "subject": "/user_id", "email": "/email", "displayName": "/name" }
          },
          "button": { "text": "Login with Amazon", "background": "#FF9900", "foreground": "#000000" },
          "links": {
            "documentation": "https://developer.amazon.com/docs/login-with-amazon/authorization-code-grant.html",
            "console": "https://developer.amazon.com/loginwithamazon/console/site/lwa/overview.html"
          },
          "registration": [
            "Create a security profile for Login with Amazon in the developer console.",
            "Enter the redirect URL under Allowed Return URLs of the web settings.",
            "Copy the client ID and the client secret."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://www.amazon.com/ap/oa with client_id, scope, response_type=code, redirect_uri and state.",
              "about": ["endpoints"],
              "page": "https://developer.amazon.com/docs/login-with-amazon/authorization-code-grant.html",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token endpoint is POST https://api.amazon.com/auth/o2/token with a form; expires_in may be a string.",
              "about": ["endpoints"],
              "page": "https://developer.amazon.com/en-US/docs/alexa/account-linking/your-app-to-alexa-step5.html",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The client sends client_id and client_secret in the form; HTTP Basic works too.",
              "about": ["authentication"],
              "page": "https://developer.amazon.com/en-US/docs/alexa/account-linking/your-app-to-alexa-step5.html",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "PKCE with S256 is recommended for every kind of app.",
              "page": "https://developer.amazon.com/docs/login-with-amazon/authorization-code-grant.html",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The scope profile gives user_id, name and email; scopes are separated by spaces.",
              "about": ["scopes"],
              "page": "https://developer.amazon.com/docs/login-with-amazon/customer-profile.html",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The profile is at https://api.amazon.com/user/profile.",
              "about": ["endpoints", "userinfo"],
              "page": "https://developer.amazon.com/docs/amazon-drive/ad-restful-api-getting-started.html",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "user_id is assigned by Amazon and unique for the account; another company's apps see another one.",
              "about": ["userinfo"],
              "page": "https://developer.amazon.com/docs/login-with-amazon/customer-profile.html",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Nothing says that the address is verified.",
              "page": "https://developer.amazon.com/docs/login-with-amazon/customer-profile.html",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
