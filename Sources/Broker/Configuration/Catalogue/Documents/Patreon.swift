extension ProviderCatalogue {
    static let patreon = #"""
        {
          "id": "oauth2.patreon",
          "name": "Patreon",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://www.patreon.com/oauth2/authorize",
            "tokenUrl": "https://www.patreon.com/api/oauth2/token",
            "userinfoUrl": "https://www.patreon.com/api/oauth2/v2/identity?fields%5Buser%5D=email,is_email_verified,first_name,last_name,full_name,image_url,vanity",
            "tokenEndpointAuthMethod": "client_secret_post",
            "scopes": ["identity", "identity[email]"],
            "pkce": false,
            "claims": {
              "subject": "/data/id",
              "email": "/data/attributes/email",
              "emailVerified": "/data/attributes/is_email_verified",
              "displayName": "/data/attributes/full_name",
              "givenName": "/data/attributes/first_name",
              "familyName": "/data/attributes/last_name",
              "screenName": "/data/attributes/vanity",
              "pictureUrl": "/data/attributes/image_url"
            }
          },
          "button": { "text": "Continue with Patreon", "background": "#000000", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://docs.patreon.com/#oauth",
            "console": "https://www.patreon.com/portal/registration/register-clients",
            "brand": "https://www.patreon.com/brand"
          },
          "registration": ["Create a client of API version 2 at Clients & API Keys.", "Enter the redirect URI."],
          "facts": [
            {
              "fact": "The authorization endpoint is https://www.patreon.com/oauth2/authorize with response_type, client_id, redirect_uri, scope and state.",
              "about": ["endpoints", "scopes"],
              "page": "https://github.com/Patreon/platform-documentation/blob/6d72084f1639700cef757f2222573a4488b0815a/source/includes/_oauth.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token request is a POST to the token endpoint https://www.patreon.com/api/oauth2/token with code, grant_type, client_id, client_secret and redirect_uri as parameters; the answer has access_token, refresh_token, expires_in, scope and token_type.",
              "about": ["endpoints", "authentication", "scopes"],
              "page": "https://github.com/Patreon/platform-documentation/blob/6d72084f1639700cef757f2222573a4488b0815a/source/includes/_oauth.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The scope identity opens the public profile, identity[email] the address.",
              "about": ["scopes"],
              "page": "https://github.com/Patreon/platform-documentation/blob/83278a12ed50cf5de2a0d39bcbffe64d67d2919a/source/includes/v2/_oauth_v2.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The profile is GET https://www.patreon.com/api/oauth2/v2/identity; every property has to be named in fields[user].",
              "page": "https://github.com/Patreon/platform-documentation/blob/003f0339580b2c2a1e7ca836d29c3657538e0ac2/source/includes/_endpoints_v2.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The user is data with type user; data.id is its id, data.attributes has email, first_name, last_name, full_name, image_url and vanity.",
              "about": ["userinfo"],
              "page": "https://github.com/Patreon/platform-documentation/blob/003f0339580b2c2a1e7ca836d29c3657538e0ac2/source/includes/_endpoints_v2.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The pages say nothing of PKCE.",
              "page": "https://github.com/Patreon/platform-documentation/blob/6d72084f1639700cef757f2222573a4488b0815a/source/includes/_oauth.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "is_email_verified is a property of the user.",
              "page": "https://docs.patreon.com/#oauth",
              "read": "2026-11-26",
              "verified": "memory"
            }
          ]
        }
        """#
}
