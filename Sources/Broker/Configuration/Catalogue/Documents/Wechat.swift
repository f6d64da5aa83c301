extension ProviderCatalogue {
    static let wechat = #"""
        {
          "id": "oauth2.wechat",
          "name": "WeChat",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://open.weixin.qq.com/connect/qrconnect",
            "tokenUrl": "https://api.weixin.qq.com/sns/oauth2/access_token",
            "userinfoUrl": "https://api.weixin.qq.com/sns/userinfo?openid={/openid}",
            "tokenEndpointAuthMethod": "client_secret_post",
            "pkce": false,
            "scopes": ["snsapi_login"],
            "authorizationRequest": { "clientIdName": "appid", "fragment": "wechat_redirect" },
            "tokenRequest": { "method": "GET", "clientIdName": "appid", "clientSecretName": "secret" },
            "userinfoToken": { "in": "query", "name": "access_token" },
            "claims": { "subject": "/openid", "displayName": "/nickname", "pictureUrl": "/headimgurl" }
          },
          "button": { "text": "Continue with WeChat", "background": "#07C160", "foreground": "#000000" },
          "links": {
            "documentation": "https://developers.weixin.qq.com/doc/oplatform/en/Website_App/WeChat_Login/Wechat_Login.html",
            "console": "https://open.weixin.qq.com/"
          },
          "registration": [
            "Register a website application at the WeChat Open Platform, and wait for its approval.",
            "Enter the domain of the callback.",
            "Copy the AppID and the AppSecret."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint for websites is https://open.weixin.qq.com/connect/qrconnect; the URL ends with #wechat_redirect.",
              "about": ["endpoints"],
              "page": "https://developers.weixin.qq.com/doc/oplatform/en/Website_App/WeChat_Login/Wechat_Login.html",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "The token endpoint is GET https://api.weixin.qq.com/sns/oauth2/access_token; an error comes with status 200 and errcode.",
              "about": ["endpoints"],
              "page": "https://developers.weixin.qq.com/doc/oplatform/en/Website_App/WeChat_Login/Wechat_Login.html",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "appid and secret take the place of client_id and client_secret, in the query.",
              "about": ["authentication"],
              "page": "https://developers.weixin.qq.com/doc/oplatform/en/Website_App/WeChat_Login/Wechat_Login.html",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "snsapi_login is the only scope of websites.",
              "about": ["scopes"],
              "page": "https://developers.weixin.qq.com/doc/oplatform/en/Website_App/WeChat_Login/Wechat_Login.html",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "GET https://api.weixin.qq.com/sns/userinfo with access_token and openid in the query answers openid, nickname, headimgurl and, for apps of one account, unionid; openid is another one for each app.",
              "about": ["userinfo"],
              "page": "https://developers.weixin.qq.com/doc/oplatform/en/Website_App/WeChat_Login/Wechat_Login.html",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "There is no address.",
              "page": "https://developers.weixin.qq.com/doc/oplatform/en/Website_App/WeChat_Login/Wechat_Login.html",
              "read": "2026-11-26",
              "verified": "memory"
            }
          ]
        }
        """#
}
