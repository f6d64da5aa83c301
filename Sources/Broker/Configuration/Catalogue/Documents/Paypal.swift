extension ProviderCatalogue {
    static let paypal = #"""
        {
          "id": "oauth2.paypal",
          "name": "PayPal",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://www.paypal.com/signin/authorize?flowEntry=static",
            "tokenUrl": "https://api.paypal.com/v1/oauth2/token",
            "userinfoUrl": "https://api.paypal.com/v1/identity/openidconnect/userinfo/?schema=openid",
            "tokenEndpointAuthMethod": "client_secret_basic",
            "pkce": false,
            "scopes": ["openid", "profile", "email"],
            "claims": {
              "subject": "/user_id",
              "email": "/email",
              "displayName": "/name",
              "givenName": "/given_name",
              "familyName": "/family_name"
            }
          },
          "button": { "text": "Log in with PayPal", "background": "#003087", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://developer.paypal.com/docs/log-in-with-paypal/integrate",
            "console": "https://developer.paypal.com/dashboard/applications/live"
          },
          "registration": [
            "Create a REST app in the developer dashboard.",
            "Enable Log in with PayPal, and enter the return URL in its advanced settings.",
            "Choose full name and email address as the information to share."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint of the sandbox is https://www.sandbox.paypal.com/signin/authorize with flowEntry=static.",
              "about": ["endpoints"],
              "page": "https://developer.paypal.com/log-in/build-button.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The live authorization endpoint is at www.paypal.com.",
              "about": ["endpoints"],
              "page": "https://developer.paypal.com/docs/log-in-with-paypal/integrate",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "The token endpoint is POST https://api.paypal.com/v1/oauth2/token with a form.",
              "about": ["endpoints"],
              "page": "https://github.com/paypal/PayPal-iOS-SDK/blob/17cf12882e92d865dd64c71463d41351c2b86efd/docs/profile_sharing_server.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The client authenticates with HTTP Basic.",
              "about": ["authentication"],
              "page": "https://github.com/paypal/PayPal-iOS-SDK/blob/17cf12882e92d865dd64c71463d41351c2b86efd/docs/profile_sharing_server.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "openid is required, profile gives the name, email the address; scopes are separated by spaces.",
              "about": ["scopes"],
              "page": "https://developer.paypal.com/log-in/references.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "GET https://api.paypal.com/v1/identity/openidconnect/userinfo/ with schema=openid and a bearer token answers user_id, a URL of the user, name, given_name, family_name and email.",
              "about": ["userinfo"],
              "page": "https://github.com/paypal/PayPal-iOS-SDK/blob/17cf12882e92d865dd64c71463d41351c2b86efd/docs/profile_sharing_server.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Nothing says that the address is verified.",
              "page": "https://github.com/paypal/PayPal-iOS-SDK/blob/17cf12882e92d865dd64c71463d41351c2b86efd/docs/profile_sharing_server.md",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
