extension PageLanguage {
    static let japaneseTexts = #"""
        {
          "language": {
            "name": "日本語",
            "menu": "言語"
          },
          "frame": {
            "terms": "利用規約",
            "privacy": "プライバシーポリシー",
            "support": "サポート",
            "contents": "セクション",
            "skip": "本文へ移動"
          },
          "dates": {
            "day": "{year}年{month}{day}日",
            "moment": "{date} {time}",
            "months": {
              "january": "1月",
              "february": "2月",
              "march": "3月",
              "april": "4月",
              "may": "5月",
              "june": "6月",
              "july": "7月",
              "august": "8月",
              "september": "9月",
              "october": "10月",
              "november": "11月",
              "december": "12月"
            }
          },
          "account": {
            "title": "アカウント",
            "profile": "プロフィール",
            "nameless": "名前なし",
            "verified": "確認済み",
            "unverified": "未確認",
            "connected": "ログイン方法",
            "noConnections": "接続されているプロバイダーはまだありません。このアカウントに戻れるように、プロバイダーを接続してください。",
            "disconnect": "接続を解除",
            "offers": "別のログイン方法を接続",
            "connect": "接続",
            "sessions": "ログイン中のデバイス",
            "browser": "ブラウザー",
            "current": "このデバイス",
            "lastUsed": "最終使用",
            "furtherDevices": {
              "other": "ほか{count}件を表示"
            },
            "signedIn": "ログイン",
            "signedInWith": "{provider}でログイン",
            "endSession": "ログアウト",
            "signOutEverywhere": "すべてのデバイスからログアウト",
            "merge": "別のアカウントと統合",
            "mergeText": "アカウントをもう一つお持ちですか。そのアカウントにログインすると、二つを一つに統合できます。統合される内容を確認し、残すアカウントを選べます。",
            "mergeButton": "別のアカウントと統合…",
            "mergedSince": "統合日",
            "mergeUndo": "分離",
            "deletion": "アカウントの削除",
            "deletionText": "アカウント、接続、ログイン状態を削除します。元に戻すことはできません。",
            "delete": "アカウントを削除…",
            "linked": "{provider}をアカウントに接続しました。",
            "unlinked": "{provider}の接続を解除しました。",
            "sessionEnded": "そのデバイスからログアウトしました。",
            "merged": "二つのアカウントを統合しました。",
            "ways": "どの方法でもこのアカウントが開きます。いつでも入れるように、二つを保ってください。",
            "sharesProfile": "プロフィールを共有しています",
            "sharesEmail": "メールアドレスを共有しています",
            "sharesBoth": "プロフィールとメールアドレスを共有しています",
            "sharesMore": "そのほかの許可: {permissions}",
            "entries": {
              "other": "{count}件"
            },
            "review": "確認する",
            "profileSaved": "プロフィールを保存しました。",
            "data": "あなたのデータ",
            "dataText": "{site}が保存しているあなたの情報すべてを、JSON ファイルで受け取れます。",
            "download": "データをダウンロード",
            "exportedRecently": "データはダウンロード済みです。1分後にもう一度お試しください。",
            "deletionOf": "{account}のアカウントを削除します。アプリが独自に保管するデータは残ることがあります。",
            "deletionAt": "{account}のアカウントを削除し、{site}のアクセスを終えるよう{providers}に依頼します。アプリが独自に保管するデータは残ることがあります。"
          },
          "chooser": {
            "title": "ログイン",
            "titleForApp": "{app}にログイン",
            "account": "{site}アカウントを使います",
            "usedLast": "このデバイスで最後に使った方法",
            "or": "または",
            "more": "ほかのログイン方法",
            "terms": "続けると、{site}の利用規約に同意したことになります。",
            "privacy": "{site}でのデータの取り扱い",
            "continueWith": "{provider}で続ける",
            "continueWithApple": "Appleで続ける",
            "continueAs": "{person}として続ける",
            "accountExists": "このメールアドレスのアカウントはすでにあります。前と同じ方法でログインすると、{provider}が接続されます。",
            "accountFound": "{provider}アカウントのメールアドレスを使うアカウントがすでにあります。",
            "accountWays": "まず、これまでの方法（{ways}）でログインしてください。そのあと新しい方法が接続されます。",
            "signInAgain": "続けるには、もう一度ログインしてください。ご本人であることの確認です。",
            "otherAccount": "次に、もう一つのアカウントにログインしてください。今のアカウントはログインしたままです。",
            "cancelled": "{provider}でキャンセルしました。何も変更されていません。もう一度試すか、別の方法でログインできます。",
            "unavailable": "{provider}が応答しません。別の方法を選ぶか、数分後にもう一度お試しください。",
            "nothing": "ログインはまだ利用できません。",
            "backToApp": "{app}に戻る",
            "back": "戻る",
            "nameless": "アカウント"
          },
          "closing": {
            "proven": "{provider}で本人確認が完了しました",
            "tried": "{provider}から応答がありました",
            "triedText": "これはログインのテストです。リンクを渡した管理者には、{provider}でのあなたのプロフィールが表示されます。ここには何も保存されません。",
            "closeTerminal": "このウィンドウを閉じて、ターミナルに戻ってください。",
            "signedOutTitle": "ログアウトしました",
            "signedOutText": "ほかの人も使うコンピューターでは、ブラウザーのウィンドウも閉じてください。",
            "signInAgain": "もう一度ログイン"
          },
          "confirm": {
            "cancel": "キャンセル",
            "linkTitle": "{provider}を接続しますか？",
            "linkText": "接続すると、{provider}でもこのアカウントにログインできます。",
            "linkThere": "{provider}のアカウント",
            "linkHere": "今のアカウント",
            "linkWarning": "たった今ご自身で始めた場合にだけ続けてください。ほかの人から送られたリンクの場合は、キャンセルしてください。",
            "link": "接続",
            "unlinkTitle": "{provider}の接続を解除しますか？",
            "unlinkText": "解除すると、{provider}ではログインできなくなります。",
            "unlinkGrant": "{site}は{provider}へのアクセスを手放します。アクセストークンを削除し、可能な場合は{provider}に無効化を依頼します。そのほかに許可した内容は、{provider}の設定で確認できます。",
            "unlinkLast": "これは唯一のログイン方法です。解除すると、このアカウントに戻れなくなります。",
            "unlink": "接続を解除",
            "everywhereTitle": "すべてのデバイスからログアウトしますか？",
            "everywhereText": "このブラウザーを含む、すべてのブラウザーとアプリからログアウトします。",
            "everywhere": "すべてのデバイスからログアウト",
            "deleteConsent": "元に戻せないことを理解しました。",
            "delete": "アカウントを削除",
            "mergeTitle": "二つのアカウントを統合しますか？",
            "mergeText": "統合すると、下のすべての方法でログインできます。残すアカウントの名前、アドレス、アプリが使う情報はそのままです。もう一方は削除され、それを使っていたほとんどのデバイスからログアウトします。30日間は分離できます。",
            "mergeHere": "今のアカウント",
            "mergeThere": "もう一つのアカウント",
            "mergeSessions": {
              "other": "ログイン{count}件"
            },
            "mergeWaits": "{site}の運営者の承認が必要です",
            "keepOwn": "今のアカウントを残す",
            "keepOther": "もう一つのアカウントを残す",
            "undoMergeTitle": "{account}をもう一度分離しますか？",
            "undoMergeText": "以前のログイン方法を持つ、独立したアカウントに戻ります。統合後に変更した内容は今のアカウントに残ります。どちらのアカウントもすべてのデバイスからログアウトします。",
            "undoMerge": "アカウントを分離",
            "signOutTitle": "ログアウトしますか？",
            "signOutTitleForApp": "{app}からログアウトしますか？",
            "signOutText": "このブラウザーと、このブラウザーでログインしたアプリからログアウトします。",
            "signOut": "ログアウト"
          },
          "consent": {
            "title": "{app}に{site}アカウントの利用を許可しますか？",
            "signedIn": "ログイン中のアカウント",
            "signedInWith": "{provider}でログイン中のアカウント",
            "nameless": "名前のないアカウント",
            "otherAccount": "別のアカウントを使う",
            "shared": "{app}が受け取る情報",
            "identifier": "アカウントの識別子",
            "identifierUse": "次に利用するとき、同じ人だと分かるためのものです。",
            "profile": "名前と写真",
            "email": "メールアドレス",
            "claims": "役割",
            "claimsUse": "管理者が設定したそのほかの情報も含みます。",
            "offline": "ログアウトするまでのアクセス",
            "offlineEnd": "アカウントページで終えられます。",
            "control": "アカウントの管理",
            "controlUse": "メールアドレス、接続したプロバイダーのプロフィール、デバイスのログアウト、アカウントの削除を含みます。",
            "allow": "許可して{app}に進む",
            "host": "{host}に進みます。",
            "device": "このデバイスのアプリに進みます。",
            "terms": "{app}の利用規約",
            "privacy": "{app}のプライバシーポリシー"
          },
          "deletion": {
            "title": "{account}のアカウントを削除しますか？",
            "titleNameless": "アカウントを削除しますか？",
            "text": "接続とログイン中のデバイスも削除されます。アプリが独自に保管するデータは残ることがあります。元に戻すことはできません。",
            "done": "{account}のアカウントを削除しました",
            "doneNameless": "アカウントを削除しました",
            "refresh": "もう一度確認",
            "home": "{site}へ"
          },
          "device": {
            "title": "デバイスを接続",
            "explanation": "デバイスまたはターミナルに表示されたコードを入力してください。",
            "label": "コード",
            "hint": "英字8文字です。例: BCDF-GHJK。大文字と小文字、ハイフンの有無は区別しません。",
            "proceed": "続ける",
            "wrongCode": "このコードは見つかりません。確認してもう一度入力してください。",
            "expiredCode": "このコードは期限切れか、すでに使われています。デバイスで新しいコードを取得してください。",
            "confirmTitle": "デバイスでログインしますか？",
            "terminalTitle": "ターミナルで本人確認をしますか？",
            "confirmApp": "{app}があなたのアカウントでログインしようとしています。",
            "confirmTerminal": "コマンドラインがあなたの{provider}アカウントを確認しようとしています。",
            "compare": "デバイスに表示されたコードと同じか確認してください。",
            "warning": "手元のデバイスにまったく同じコードが表示されている場合にだけ続けてください。ほかの人から送られたコードは拒否してください。",
            "allow": "続ける",
            "deny": "拒否",
            "doneTitle": "デバイスでログインしました",
            "doneText": "このウィンドウを閉じて、デバイスで続けてください。",
            "deniedTitle": "ログインしませんでした",
            "deniedText": "リクエストを拒否しました。このウィンドウは閉じてかまいません。"
          },
          "diagnose": {
            "heading": "ログインの問題",
            "introduction": "開発者と運営者が目にする症状、その原因、解決方法です。ほとんどは broker doctor で見つかります。",
            "symptom": "症状",
            "cause": "原因",
            "remedy": "解決方法",
            "elsewhere": "プロバイダーの同様のページ"
          },
          "errors": {
            "attemptUnknownOrUsed": {
              "headline": "このログインは終了しました",
              "happened": "すでに完了したか、長く開いたままだったか、別のブラウザーで始められたログインです。アカウントは何も変更されていません。",
              "advice": "アプリでもう一度始めてください。"
            },
            "expired": {
              "headline": "このログインは期限切れです",
              "happened": "長く開いたままでした。アカウントは何も変更されていません。",
              "advice": "もう一度始めてください。"
            },
            "otherBrowser": {
              "headline": "始めたブラウザーで続けてください",
              "happened": "このログインは、別のブラウザーまたは別のデバイスで始められました。",
              "advice": "元のブラウザーに戻って完了してください。心当たりがない場合は、このページを閉じてください。何も変更されていません。"
            },
            "providerRefused": {
              "headline": "{provider}がログインを確認しませんでした",
              "happened": "{provider}は、本人確認をせずにここへ戻しました。",
              "advice": "もう一度始めてください。繰り返す場合は、別のログイン方法を選んでください。"
            },
            "cancelled": {
              "headline": "ログインをキャンセルしました",
              "happened": "{provider}でキャンセルしたか、求められた許可を与えませんでした。何も変更されていません。",
              "advice": "いつでもやり直せます。"
            },
            "providerUnavailable": {
              "headline": "{provider}が応答しません",
              "happened": "今、{site}から{provider}に接続できませんでした。何も変更されていません。",
              "advice": "別のログイン方法を選ぶか、数分後にもう一度お試しください。"
            },
            "providerMisconfigured": {
              "headline": "{provider}でのログインが正しく設定されていません",
              "happened": "{provider}が{site}の設定を受け付けません。何も変更されていません。",
              "advice": "別のログイン方法を選び、{site}の運営者にお知らせください。"
            },
            "profileUnusable": {
              "headline": "{provider}のプロフィールを確認できませんでした",
              "happened": "{provider}でのログインは完了しましたが、{provider}が{site}にプロフィールを提供しませんでした。何も変更されていません。",
              "advice": "別のログイン方法を選び、{site}の運営者にお知らせください。"
            },
            "clientUnknown": {
              "headline": "{site}はこのアプリを知りません",
              "happened": "アプリには何も渡されていません。",
              "advice": "アプリに戻るか、アプリの運営者にお知らせください。",
              "developers": "“broker clients add” でアプリを登録し、表示された client_id を使ってください。"
            },
            "redirectNotRegistered": {
              "headline": "{site}はこのアプリの戻り先を知りません",
              "happened": "アプリには何も渡されていません。",
              "advice": "アプリに戻るか、アプリの運営者にお知らせください。",
              "developers": "アドレスを一字一句そのまま登録してください。“broker clients show” で登録済みのアドレスを確認できます。"
            },
            "badRequest": {
              "headline": "このリクエストは不完全です",
              "happened": "ここへのリンクまたはアプリが、{site}の理解できない内容を送りました。何も変更されていません。",
              "advice": "戻ってもう一度始めてください。"
            },
            "accountDisabled": {
              "headline": "このアカウントは停止されています",
              "happened": "アカウントはありますが、現在ログインできません。",
              "advice": "{site}の運営者にお問い合わせください。"
            },
            "alreadyLinkedElsewhere": {
              "headline": "この{provider}アカウントは、すでに別の{site}アカウントで使われています",
              "happened": "何も変更されていません。",
              "advice": "どちらもご自身のアカウントなら、統合できます。"
            },
            "providerAlreadyLinked": {
              "headline": "{provider}アカウントはすでに接続されています",
              "happened": "接続できるアカウントは、プロバイダーごとに一つです。何も変更されていません。",
              "advice": "まず今の接続を解除してから、新しいアカウントを接続してください。"
            },
            "emailTaken": {
              "headline": "このメールアドレスはすでに使われています",
              "happened": "{provider}アカウントのメールアドレスは、別の{site}アカウントのものです。何も変更されていません。",
              "advice": "そのアカウントにログインして、{provider}を接続してください。"
            },
            "noAccountToMerge": {
              "headline": "対応する{site}アカウントがありません",
              "happened": "ログインした{provider}アカウントは、どの{site}アカウントにも接続されていません。何も変更されていません。",
              "advice": "アカウントページで接続するか、もう一つのアカウントへのログインに使った方法を選んでください。"
            },
            "sameAccount": {
              "headline": "同じアカウントです",
              "happened": "今使っているアカウントにログインしました。何も変更されていません。",
              "advice": "もう一度始めて、プロバイダーで別のアカウントを選ぶか、別のプロバイダーを選んでください。"
            },
            "twoOfOneProvider": {
              "headline": "どちらのアカウントにも{provider}アカウントがあります",
              "happened": "接続できるアカウントは、プロバイダーごとに一つです。何も変更されていません。",
              "advice": "まずどちらかで{provider}の接続を解除してから、統合してください。"
            },
            "mergeNeedsAdministrator": {
              "headline": "{site}の運営者の承認が必要です",
              "happened": "停止されたアカウントがあるか、もう一方が受け継げない権限があります。リクエストは承認待ちです。何も変更されていません。",
              "advice": "{site}の運営者にお問い合わせください。もう一方のアカウントを残すことを選べる場合もあります。"
            },
            "undoNeedsAdministrator": {
              "headline": "このアカウントを分離できるのは{site}の運営者だけです",
              "happened": "もう一つのアカウントを証明できるログイン方法が残っていません。何も変更されていません。",
              "advice": "{site}の運営者に分離を依頼してください。"
            },
            "otherLoginEnded": {
              "headline": "もう一つのアカウントのログインは終了しました",
              "happened": "時間がたちすぎたか、確認が十分でなかったか、そのアカウントが変更されました。このアカウントは何も変更されていません。",
              "advice": "アカウントページでもう一度始めてください。"
            },
            "lastWayIn": {
              "headline": "これは唯一のログイン方法です",
              "happened": "これがないと、このアカウントに戻れません。何も変更されていません。",
              "advice": "まず別のログイン方法を接続してください。"
            },
            "signUpOff": {
              "headline": "ここでは新しいアカウントを作成できません",
              "happened": "{site}アカウントはまだなく、作成できるのは{site}の運営者だけです。",
              "advice": "{site}の運営者にアカウントを依頼するか、前と同じ方法でログインしてください。"
            },
            "deletionOff": {
              "headline": "アカウントを削除できるのは{site}の運営者だけです",
              "happened": "{site}では、ユーザー自身でアカウントを削除できません。何も変更されていません。",
              "advice": "{site}の運営者にアカウントの削除を依頼してください。"
            },
            "notFound": {
              "headline": "ページが見つかりません",
              "happened": "アドレスが間違っているか、ページが移動しました。",
              "advice": "アドレスを確認するか、前のページに戻ってください。"
            },
            "unavailable": {
              "headline": "{site}が応答しません",
              "happened": "現在サービスが応答できません。アカウントは何も変更されていません。",
              "advice": "数分後にもう一度お試しください。"
            },
            "tooManyRequests": {
              "headline": "リクエストが多すぎます",
              "happened": "お使いのネットワークから、短時間に多くのリクエストがありました。",
              "advice": "1分待ってから、このページを読み込み直してください。"
            },
            "notAllowed": {
              "headline": "ご本人の操作か確認できませんでした",
              "happened": "{site}のページからのリクエストではないか、ページが長く開いたままでした。何も変更されていません。",
              "advice": "ページをもう一度開いて、操作をやり直してください。"
            }
          },
          "errorLinks": {
            "startAgain": "もう一度始める",
            "startAgainAt": "{name}でもう一度始める",
            "account": "アカウントページへ",
            "join": "アカウントを統合",
            "app": "{app}に進む",
            "home": "{name}へ",
            "details": "開発者向けの情報",
            "fault": "問題",
            "remedy": "解決方法",
            "reference": "リクエスト番号"
          },
          "handler": {
            "working": "お待ちください。",
            "lost": "ここではログインを続けられません。このウィンドウを閉じて、アプリでもう一度始めてください。",
            "alone": "このウィンドウを開いたアプリが応答しません。このウィンドウを閉じて、アプリでもう一度始めてください。",
            "noStorage": "ブラウザーがこのサイトのデータを保存しません。許可してから、アプリでもう一度始めてください。",
            "noScript": "アプリに戻るには、このページで JavaScript が必要です。"
          },
          "history": {
            "title": "ログイン履歴",
            "nothing": "アカウントで起きたことがここに表示されます。",
            "administrators": "管理者による変更",
            "all": "すべての履歴を表示",
            "older": "以前の履歴",
            "back": "アカウントに戻る",
            "byAdministrator": "管理者による操作",
            "created": "アカウントを作成",
            "createdWith": "{name}でアカウントを作成",
            "signedIn": "ログイン",
            "signedInWith": "{name}でログイン",
            "appSignedIn": "{name}にログイン",
            "deviceAllowed": "{name}のデバイスを許可",
            "refused": "ログインを拒否",
            "refusedWith": "{name}でのログインを拒否",
            "confirmationNeeded": "あなたのメールアドレスでのログインを停止",
            "confirmationNeededWith": "{name}とあなたのメールアドレスでのログインを停止",
            "connected": "{name}を接続",
            "disconnected": "{name}の接続を解除",
            "accessEnded": "{name}でのアクセスが終了",
            "profileChanged": "プロフィールを変更",
            "changed": "変更: {parts}",
            "parts": {
              "name": "名前",
              "picture": "写真",
              "email": "メールアドレス",
              "rights": "権限"
            },
            "merged": "別のアカウントと統合",
            "separated": "二つのアカウントを分離",
            "exported": "データをダウンロード",
            "signedOut": "ログアウト",
            "signedOutEverywhere": "すべてのデバイスからログアウト",
            "sessionEnded": "一つのデバイスからログアウト",
            "disabled": "アカウントを停止",
            "enabled": "アカウントを再開"
          },
          "profile": {
            "title": "プロフィールを編集",
            "name": "名前",
            "nameHint": "ログインするアプリに表示されることがあります。空にすると名前はなくなります。",
            "nameTooLong": "この名前は長すぎます。256文字以内で入力してください。",
            "picture": "写真",
            "noPicture": "写真なし",
            "pictureOf": "{provider}の写真",
            "otherPicture": "ウェブ上の別の写真",
            "address": "別の写真のアドレス",
            "addressInvalid": "これは写真のアドレスではありません。https:// で始まります。",
            "save": "プロフィールを保存",
            "cancel": "キャンセル"
          },
          "start": {
            "title": "何をしますか？",
            "account": "アカウント",
            "accountText": "ログイン方法を確認し、変更できます。",
            "device": "デバイスを接続",
            "deviceText": "デバイスまたはターミナルに表示されたコードを入力してください。",
            "diagnose": "ログインの問題",
            "diagnoseText": "開発者と運営者が目にする症状、その原因、解決方法です。",
            "api": "API リファレンス",
            "apiText": "開発者向け: すべての操作と、その引数と応答です。"
          },
          "withdrawal": {
            "forecast": "{site}が、アクセスを終えるよう{provider}に依頼します。1日ほどかかることがあります。",
            "queued": "{provider}に{site}のアクセスを終えるよう依頼しています。1日ほどかかることがあります。受付番号 {receipt}",
            "done": "{provider}は{site}のアクセスを終えました。",
            "failed": "{provider}は{site}のアクセスを終えませんでした。そちらの設定で{site}を削除してください。受付番号 {receipt}",
            "nothingStored": "{site}には返却するアクセスがありません。{provider}の設定で{site}を削除できます。",
            "notSupported": "{site}のアクセスは、{provider}の設定でご自身でのみ終えられます。"
          },
          "diagnoses": {
            "applinks-claims-idp-host": {
              "symptom": "アプリが missingCode を報告するか、プロバイダーでのログインの途中でアプリが開きます。",
              "cause": "アプリの Associated Domains にプロバイダーのホストがあり、プロバイダー自身のリンクでアプリが開きます。",
              "remedy": "そのホストの applinks を削除してください。アプリには自分のホストだけを登録します。"
            },
            "scheme-underscore": {
              "symptom": "リダイレクト URI が拒否されるか、コールバックがアプリに届きません。",
              "cause": "URL スキームに下線があります。スキームに下線は使えません（RFC 3986 §3.1）。",
              "remedy": "com.example.app のように、ドメイン名を逆にしたものを使ってください。"
            },
            "callback-scheme-missing": {
              "symptom": "ログイン後もブラウザーが開いたままです。",
              "cause": "アプリの CFBundleURLTypes に、クライアントのリダイレクト URI のスキームがありません。",
              "remedy": "broker clients plist の出力をアプリの Info.plist に追加してください。"
            },
            "callback-host-missing": {
              "symptom": "コールバックでアプリではなくウェブページが開きます。",
              "cause": "クライアントのリダイレクト URI は https のアドレスですが、そのホストがアプリの Associated Domains にありません。",
              "remedy": "そのホストの applinks: を追加し、そこで apple-app-site-association を配信してください。"
            },
            "callback-host-is-idp-host": {
              "symptom": "コールバックがプロバイダーで終わります。",
              "cause": "リダイレクト URI のホストがプロバイダーのホストです。",
              "remedy": "アプリ独自のスキームまたはホストのリダイレクト URI を登録してください。"
            },
            "query-schemes-missing": {
              "symptom": "プロバイダーのアプリがあるのに開きません。",
              "cause": "アプリの LSApplicationQueriesSchemes に onepass または https がありません。",
              "remedy": "Info.plist の LSApplicationQueriesSchemes に両方を追加してください。"
            },
            "apple-entitlement-missing": {
              "symptom": "アプリで Apple でのログインがエラー 1000 で失敗します。",
              "cause": "アプリに com.apple.developer.applesignin の権限がありません。",
              "remedy": "アプリのターゲットに Sign in with Apple の機能を追加してください。"
            },
            "apple-not-offered": {
              "symptom": "App Review でアプリが却下されます（ガイドライン 4.8）。",
              "cause": "ほかのプロバイダーでログインできますが、Apple でのログインがありません。",
              "remedy": "Apple を有効にするか、不要な理由を broker.json の declarations.appleNotOffered に書いてください。"
            },
            "package-without-version": {
              "symptom": "何も変えていないのに、アプリのビルドが変わります。",
              "cause": "ログイン用のパッケージが、バージョンではなくブランチまたはコミットに固定されています。",
              "remedy": "from: \"1.2.0\" のように、バージョンに依存させてください。"
            },
            "relay-sender-unregistered": {
              "symptom": "privaterelay.appleid.com 宛てのメールが届きません。",
              "cause": "Apple は登録された送信者のメールだけを転送しますが、broker.json に送信者がありません。",
              "remedy": "Apple に送信者を登録し（Sign in with Apple for Email Communication）、declarations.relaySenders に書いてください。"
            },
            "no-provider": {
              "symptom": "どのユーザーもログインできません。",
              "cause": "有効なプロバイダーがありません。",
              "remedy": "plugins.json の項目を有効にするか、broker providers add で追加してください。"
            },
            "public-url-is-local": {
              "symptom": "ブローカーのコンピューターでしかログインできません。",
              "cause": "publicURL がこのコンピューターを指しています。",
              "remedy": "publicURL をユーザーが開く https のアドレスにし、そのリダイレクト URI を登録してください。"
            },
            "client-address-hidden": {
              "symptom": "どのクライアントにもアドレスごとの制限がなく、ログには一つのクライアントしか現れません。",
              "cause": "publicURL は https で、ブローカーは TLS なしでこのコンピューターで待ち受け、trustedProxies は空です。すべてのリクエストのアドレスがプロキシのものになります。",
              "remedy": "trustedProxies に 127.0.0.1 のようにプロキシを書くか、ブローカーに TLS を処理させてください。"
            },
            "client-address-unknown": {
              "symptom": "一部のクライアントに、アドレスごとの制限がありません。",
              "cause": "この2時間に、信頼されたプロキシが X-Forwarded-For で unknown を送りました。",
              "remedy": "クライアントのアドレスか、下線で始まる識別子（RFC 7239 §6.3）をプロキシに送らせてください。"
            },
            "file-readable": {
              "symptom": "ホストのほかのアカウントがブローカーの秘密を読めます。",
              "cause": "秘密を含むファイルをほかの人が読めます。",
              "remedy": "chmod go-r で権限を外してください。"
            },
            "step-up-unattainable": {
              "symptom": "もう一度ログインするよう求められ、どの方法でも拒否されます。",
              "cause": "policy.stepUp の規則に有効なプロバイダーがありません。または規則が接続を守っているため、ほかのプロバイダーやカスタムトークンのユーザーが、先に規則のプロバイダーを接続できません。",
              "remedy": "そのユーザーが持つプロバイダーを書いてください。custom はカスタムトークンを表し、OAuth クライアントにはありません。または規則の routes から accounts:signInWithIdp を外してください。"
            },
            "store-unavailable": {
              "symptom": "ブローカーが 503 を返します。",
              "cause": "ストアに接続できないか、このマスターキーでは開けないか、いっぱいです。",
              "remedy": "メッセージに従ってください。Docs/Operations.md にストアの種類ごとの説明があります。"
            },
            "disk-nearly-full": {
              "symptom": "まもなくログインできなくなります。",
              "cause": "ストアのディスクの空きが 5 パーセントまたは 256 MB を下回っています。",
              "remedy": "空きを作るか、broker store copy でストアを移してください。"
            },
            "clock-differs": {
              "symptom": "トークンが、期限切れまたは未来の発行として拒否されます。",
              "cause": "このホストの時計が、ほかのブローカーまたはプロバイダーの時計とずれています。",
              "remedy": "すべてのホストの時計を合わせてください（NTP）。"
            },
            "signing-key-missing": {
              "symptom": "トークンを発行できません。",
              "cause": "有効な署名鍵のないトークンの種類があります。",
              "remedy": "broker keys rotate で鍵を作ってください。"
            },
            "idp-app-not-entered": {
              "symptom": "プロバイダーのアプリがあるのに、ログインがブラウザーで開きます。",
              "cause": "アプリが認可 URL を先にウェブセッションで開いています。",
              "remedy": "先に universalLinksOnly で開いてください。開けない場合は一時的なウェブセッションを使います。"
            },
            "background-refresh-fails": {
              "symptom": "デバイスのロック中に更新が失敗します。",
              "cause": "リフレッシュトークンのキーチェーン項目が、ロック解除中しか読めないか、生体認証を必要とします。",
              "remedy": "アクセス制御なしで、kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly で保存してください。"
            },
            "token-on-another-device": {
              "symptom": "バックアップの復元後、別のデバイスにトークンが現れます。",
              "cause": "キーチェーン項目のアクセス属性が ThisDeviceOnly で終わっていません。",
              "remedy": "トークンは ThisDeviceOnly の属性だけで保存してください。"
            },
            "protected-item-lost": {
              "symptom": "生体認証で守られた項目が読めなくなりました。",
              "cause": "登録された指紋または顔が変わり、biometryCurrentSet の項目が無効になりました。",
              "remedy": "もう一度ログインするよう求めてください。こうした項目は重要な操作にだけ使ってください。"
            },
            "device-secret-refused": {
              "symptom": "devices:bootstrap が INVALID_DEVICE_SECRET を返します。",
              "cause": "デバイスの秘密が失われたか、プロバイダーがデバイスを知りません。",
              "remedy": "新しい deviceId でデバイスを登録してください。匿名ユーザーはもう一度ログインします。"
            },
            "user-name-is-no-login": {
              "symptom": "ウィジェットにほかの人のデータが表示されます。",
              "cause": "ユーザー名による公開の検索は何も証明しませんが、アプリがログインとして扱っています。",
              "remedy": "名前は設定として扱ってください。ログインだけがユーザーを作ります。"
            }
          }
        }
        """#
}
