extension ProviderCatalogue {
    static let instagram = #"""
        {
          "id": "oauth2.instagram",
          "name": "Instagram",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://www.instagram.com/oauth/authorize",
            "tokenUrl": "https://api.instagram.com/oauth/access_token",
            "userinfoUrl": "https://graph.instagram.com/me?fields=user_id,username,name,profile_picture_url",
            "tokenEndpointAuthMethod": "client_secret_post",
            "pkce": false,
            "scopes": ["instagram_business_basic"],
            "scopeSeparator": ",",
            "userinfoToken": { "in": "query", "name": "access_token" },
            "claims": {
              "subject": "/user_id",
              "displayName": ["/name", "/username"],
              "screenName": "/username",
              "pictureUrl": "/profile_picture_url"
            }
          },
          "button": { "text": "Continue with Instagram", "background": "#000000", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/business-login",
            "console": "https://developers.facebook.com/apps/",
            "brand": "https://about.meta.com/brand/resources/instagram/instagram-brand/"
          },
          "registration": [
            "Create an app of the type Business, and add the product Instagram to it.",
            "Under Instagram, API setup with Instagram login, set up the business login with the redirect URI.",
            "Copy the Instagram app id and the Instagram app secret, which are not those of the app itself.",
            "Only professional accounts can sign in."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://www.instagram.com/oauth/authorize with client_id, redirect_uri, response_type and scope.",
              "about": ["endpoints"],
              "page": "https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/business-login",
              "read": "2026-11-27",
              "verified": "documentation"
            },
            {
              "fact": "The scope instagram_business_basic is needed; scopes are separated by commas.",
              "about": ["scopes"],
              "page": "https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/business-login",
              "read": "2026-11-27",
              "verified": "documentation"
            },
            {
              "fact": "The login is for professional accounts; its code is exchanged for a token of one hour and the user's id.",
              "page": "https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/business-login",
              "read": "2026-11-27",
              "verified": "documentation"
            },
            {
              "fact": "GET https://graph.instagram.com/me with fields and access_token in the query answers the user who granted the token.",
              "about": ["endpoints", "userinfo"],
              "page": "https://developers.facebook.com/docs/instagram-platform/reference/me",
              "read": "2026-11-27",
              "verified": "documentation"
            },
            {
              "fact": "user_id and username are fields of the profile, of the professional account.",
              "about": ["userinfo"],
              "page": "https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/get-started",
              "read": "2026-11-27",
              "verified": "documentation"
            },
            {
              "fact": "The token endpoint is POST https://api.instagram.com/oauth/access_token with a form that has client_id, client_secret, grant_type, redirect_uri and code.",
              "about": ["endpoints", "authentication"],
              "page": "https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/business-login",
              "read": "2026-11-27",
              "verified": "memory"
            },
            {
              "fact": "name and profile_picture_url are fields of the profile; there is no address, no refresh token and no PKCE.",
              "page": "https://developers.facebook.com/docs/instagram-platform/reference/me",
              "read": "2026-11-27",
              "verified": "memory"
            }
          ]
        }
        """#
}
