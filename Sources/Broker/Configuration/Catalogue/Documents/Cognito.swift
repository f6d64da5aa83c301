extension ProviderCatalogue {
    static let cognito = #"""
        {
          "id": "oidc.cognito",
          "name": "Amazon Cognito",
          "use": "oidc",
          "options": {
            "issuer": "https://cognito-idp.{region}.amazonaws.com/{pool}",
            "scopes": ["openid", "email", "profile"],
            "userinfo": false,
            "claims": {
              "email": "/email",
              "emailVerified": "/email_verified",
              "displayName": "/name",
              "givenName": "/given_name",
              "familyName": "/family_name",
              "screenName": "/cognito:username",
              "pictureUrl": "/picture"
            }
          },
          "variables": [
            {
              "name": "region",
              "description": "The region of the user pool.",
              "pattern": "^[a-z]{2}(-[a-z]+)+-[0-9]$",
              "example": "us-east-1"
            },
            {
              "name": "pool",
              "description": "The id of the user pool.",
              "pattern": "^[a-z0-9-]+_[A-Za-z0-9]+$",
              "example": "us-east-1_Example1"
            }
          ],
          "button": { "text": "Continue with Amazon Cognito", "background": "#DD344C", "foreground": "#000000" },
          "links": {
            "documentation": "https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools.html",
            "console": "https://console.aws.amazon.com/cognito/"
          },
          "registration": [
            "Create an app client with a client secret in the user pool.",
            "Allow the authorization code grant, the scopes openid, email and profile, and the callback URL.",
            "Give the pool a domain."
          ],
          "facts": [
            {
              "fact": "The issuer is https://cognito-idp.{region}.amazonaws.com/{userPoolId}; ID tokens are signed with RS256.",
              "page": "https://github.com/awsdocs/amazon-cognito-developer-guide/blob/0b4d5467ecf06a602c89f6c91b5eabe3d89e9d73/doc_source/amazon-cognito-user-pools-using-the-id-token.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "sub is a UUID of the user and not the user name.",
              "about": ["userinfo"],
              "page": "https://github.com/awsdocs/amazon-cognito-developer-guide/blob/0b4d5467ecf06a602c89f6c91b5eabe3d89e9d73/doc_source/amazon-cognito-user-pools-using-the-id-token.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "email_verified is a claim of the ID token, as is cognito:username.",
              "page": "https://github.com/awsdocs/amazon-cognito-developer-guide/blob/0b4d5467ecf06a602c89f6c91b5eabe3d89e9d73/doc_source/amazon-cognito-user-pools-using-the-id-token.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token endpoint is POST /oauth2/token of the pool's domain, with a form and client id and secret by HTTP Basic; code_verifier is checked when the code was asked for with PKCE.",
              "about": ["endpoints", "authentication"],
              "page": "https://github.com/awsdocs/amazon-cognito-developer-guide/blob/0b4d5467ecf06a602c89f6c91b5eabe3d89e9d73/doc_source/token-endpoint.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "GET /oauth2/userInfo of the pool's domain takes a bearer token; the sample answer has no email_verified.",
              "about": ["userinfo"],
              "page": "https://github.com/awsdocs/amazon-cognito-developer-guide/blob/0b4d5467ecf06a602c89f6c91b5eabe3d89e9d73/doc_source/userinfo-endpoint.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The authorization endpoint is GET /oauth2/authorize of the pool's domain; PKCE with S256 alone is supported.",
              "about": ["endpoints"],
              "page": "https://github.com/awsdocs/amazon-cognito-developer-guide/blob/083e60cac38dd9cfdbec3b627decd0b7e8a8234f/doc_source/authorization-endpoint.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Scopes are separated by spaces; openid brings the ID token, email and profile decide on its claims.",
              "about": ["scopes"],
              "page": "https://github.com/awsdocs/amazon-cognito-developer-guide/blob/083e60cac38dd9cfdbec3b627decd0b7e8a8234f/doc_source/authorization-endpoint.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The discovery document stands at the issuer.",
              "page": "https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools.html",
              "read": "2026-11-26",
              "verified": "memory"
            }
          ]
        }
        """#
}
