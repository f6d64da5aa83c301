extension ProviderCatalogue {
    static let linkedin = #"""
        {
          "id": "oidc.linkedin",
          "name": "LinkedIn",
          "use": "oidc",
          "options": {
            "issuer": "https://www.linkedin.com/oauth",
            "tokenEndpointAuthMethod": "client_secret_post",
            "scopes": ["openid", "profile", "email"],
            "claims": {
              "email": "/email",
              "emailVerified": "/email_verified",
              "displayName": "/name",
              "givenName": "/given_name",
              "familyName": "/family_name",
              "pictureUrl": "/picture"
            }
          },
          "trustEmail": true,
          "button": { "text": "Continue with LinkedIn", "background": "#0A66C2", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2",
            "console": "https://www.linkedin.com/developers/apps",
            "brand": "https://brand.linkedin.com/"
          },
          "registration": [
            "Create an app, verified by a company page.",
            "Under Products, add Sign In with LinkedIn using OpenID Connect.",
            "Under Auth, add the redirect URL and copy the client id and the primary secret."
          ],
          "facts": [
            {
              "fact": "The discovery document is https://www.linkedin.com/oauth/.well-known/openid-configuration; the authorization endpoint is https://www.linkedin.com/oauth/v2/authorization, the token endpoint https://www.linkedin.com/oauth/v2/accessToken.",
              "about": ["endpoints"],
              "page": "https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token request is a POST with a form that has grant_type, code, client_id, client_secret and redirect_uri.",
              "about": ["authentication"],
              "page": "https://learn.microsoft.com/en-us/linkedin/shared/authentication/authorization-code-flow",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The scopes are openid, profile for id, names and picture, and email for the address; they are separated by spaces.",
              "about": ["scopes"],
              "page": "https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "ID tokens are signed with RS256; the subject is pairwise: another one for each application.",
              "about": ["userinfo"],
              "page": "https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Userinfo is GET https://api.linkedin.com/v2/userinfo with a bearer token; it answers sub, name, given_name, family_name, picture and, optionally, email and email_verified.",
              "about": ["endpoints", "userinfo"],
              "page": "https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "email_verified says that the member's primary address has been verified.",
              "page": "https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The page says that this sign-in does not verify the identity of persons.",
              "page": "https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The page's discovery document has the issuer https://www.linkedin.com; the one served today has https://www.linkedin.com/oauth.",
              "page": "https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2",
              "read": "2026-11-26",
              "verified": "memory"
            }
          ]
        }
        """#
}
