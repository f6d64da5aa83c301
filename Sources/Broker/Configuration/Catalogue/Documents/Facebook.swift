extension ProviderCatalogue {
    static let facebook = #"""
        {
          "id": "facebook.com",
          "name": "Facebook",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://www.facebook.com/v25.0/dialog/oauth",
            "tokenUrl": "https://graph.facebook.com/v25.0/oauth/access_token",
            "userinfoUrl": "https://graph.facebook.com/v25.0/me?fields=id,name,first_name,last_name,email,picture",
            "tokenEndpointAuthMethod": "client_secret_post",
            "scopes": ["public_profile", "email"],
            "scopeSeparator": ",",
            "pkce": false,
            "tokenRequest": { "method": "GET" },
            "claims": {
              "subject": "/id",
              "email": "/email",
              "displayName": "/name",
              "givenName": "/first_name",
              "familyName": "/last_name",
              "pictureUrl": "/picture/data/url"
            }
          },
          "button": { "text": "Continue with Facebook", "background": "#0866FF", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow",
            "console": "https://developers.facebook.com/apps/",
            "brand": "https://about.meta.com/brand/resources/facebook/logo/"
          },
          "registration": [
            "Create an app with the use case Authenticate and request data from users with Facebook Login.",
            "Add the permission email to the use case.",
            "Under Facebook Login, Settings, add the redirect URI to Valid OAuth Redirect URIs.",
            "Copy the app id and the app secret from the basic settings, and publish the app."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://www.facebook.com/v25.0/dialog/oauth with client_id, redirect_uri, state, response_type and scope.",
              "about": ["endpoints"],
              "page": "https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token endpoint is GET https://graph.facebook.com/v25.0/oauth/access_token.",
              "about": ["endpoints"],
              "page": "https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "client_id, client_secret, redirect_uri and code are query parameters of the token request.",
              "about": ["authentication"],
              "page": "https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The answer is JSON with access_token, token_type and expires_in; there is no refresh token.",
              "page": "https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Scopes are separated by commas or spaces; public_profile is always granted, the user may decline email.",
              "about": ["scopes"],
              "page": "https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The profile is /me of the Graph API with the names of the members in fields, such as id and name.",
              "about": ["endpoints", "userinfo"],
              "page": "https://github.com/facebookarchive/php-graph-sdk/blob/1db2588e06a4dd9a4ab14bad34172a3ed1110228/docs/examples/retrieve_user_profile.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "id is text of digits, another one for each app; first_name, last_name, email and picture are members of the user; nothing says that the address is verified.",
              "page": "https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "The access token is accepted as a bearer token in the Authorization header.",
              "page": "https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow",
              "read": "2026-11-26",
              "verified": "memory"
            }
          ]
        }
        """#
}
