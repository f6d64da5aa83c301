extension ProviderCatalogue {
    static let kakao = #"""
        {
          "id": "oauth2.kakao",
          "name": "Kakao",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://kauth.kakao.com/oauth/authorize",
            "tokenUrl": "https://kauth.kakao.com/oauth/token",
            "userinfoUrl": "https://kapi.kakao.com/v2/user/me?secure_resource=true",
            "tokenEndpointAuthMethod": "client_secret_post",
            "scopes": ["profile_nickname", "profile_image", "account_email"],
            "scopeSeparator": ",",
            "claims": {
              "subject": "/id",
              "email": "/kakao_account/email",
              "emailVerified": ["/kakao_account/is_email_valid", "/kakao_account/is_email_verified"],
              "displayName": "/kakao_account/profile/nickname",
              "pictureUrl": "/kakao_account/profile/profile_image_url"
            }
          },
          "button": { "text": "Login with Kakao", "background": "#FEE500", "foreground": "#000000" },
          "links": {
            "documentation": "https://developers.kakao.com/docs/ko/kakaologin/rest-api",
            "console": "https://developers.kakao.com/console/app",
            "brand": "https://developers.kakao.com/docs/latest/en/kakaologin/design-guide"
          },
          "registration": [
            "Register an application at Kakao Developers, and enable Kakao Login.",
            "Enter the redirect URI.",
            "Create a client secret and enable it; the REST API key is the client id.",
            "Enable the consent items for nickname, picture and address."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://kauth.kakao.com/oauth/authorize.",
              "about": ["endpoints"],
              "page": "https://developers.kakao.com/docs/ko/kakaologin/rest-api",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token endpoint is POST https://kauth.kakao.com/oauth/token with a form.",
              "about": ["endpoints"],
              "page": "https://developers.kakao.com/docs/ko/kakaologin/rest-api",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "The client sends client_id, its REST API key, and client_secret in the form.",
              "about": ["authentication"],
              "page": "https://developers.kakao.com/docs/ko/kakaologin/rest-api",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "Scopes are consent items, separated by commas.",
              "about": ["scopes"],
              "page": "https://developers.kakao.com/docs/ko/kakaologin/rest-api",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "GET https://kapi.kakao.com/v2/user/me answers the integer id and kakao_account with email, is_email_valid, is_email_verified and profile.",
              "about": ["userinfo"],
              "page": "https://developers.kakao.com/docs/ko/kakaologin/rest-api",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "An address that is not valid any more may belong to another user, so both members have to be true.",
              "page": "https://developers.kakao.com/docs/ko/kakaologin/rest-api",
              "read": "2026-11-26",
              "verified": "memory"
            }
          ]
        }
        """#
}
