extension PageLanguage {
    static let koreanTexts = #"""
        {
          "language": {
            "name": "한국어",
            "menu": "언어"
          },
          "frame": {
            "terms": "이용약관",
            "privacy": "개인정보 처리방침",
            "support": "고객 지원",
            "contents": "섹션",
            "skip": "본문으로 건너뛰기"
          },
          "dates": {
            "day": "{year}년 {month} {day}일",
            "moment": "{date} {time}",
            "months": {
              "january": "1월",
              "february": "2월",
              "march": "3월",
              "april": "4월",
              "may": "5월",
              "june": "6월",
              "july": "7월",
              "august": "8월",
              "september": "9월",
              "october": "10월",
              "november": "11월",
              "december": "12월"
            }
          },
          "account": {
            "title": "내 계정",
            "profile": "프로필",
            "nameless": "이름 없음",
            "verified": "확인됨",
            "unverified": "확인되지 않음",
            "connected": "로그인 방법",
            "noConnections": "아직 연결된 제공자가 없어요. 이 계정으로 다시 로그인할 수 있도록 제공자를 연결하세요.",
            "disconnect": "연결 해제",
            "offers": "다른 로그인 방법 연결",
            "connect": "연결",
            "sessions": "로그인된 기기",
            "browser": "브라우저",
            "current": "이 기기",
            "lastUsed": "마지막 사용",
            "furtherDevices": {
              "other": "{count}개 더 보기"
            },
            "signedIn": "로그인",
            "signedInWith": "{provider} 계정으로 로그인",
            "endSession": "로그아웃",
            "signOutEverywhere": "모든 기기에서 로그아웃",
            "merge": "다른 계정 합치기",
            "mergeText": "계정이 하나 더 있나요? 그 계정으로 로그인하면 두 계정을 하나로 합쳐요. 합쳐질 내용을 확인하고 남길 계정을 선택할 수 있어요.",
            "mergeButton": "다른 계정 합치기…",
            "mergedSince": "합친 날",
            "mergeUndo": "분리",
            "deletion": "계정 삭제",
            "deletionText": "계정과 연결 정보, 로그인 상태를 모두 삭제해요. 되돌릴 수 없어요.",
            "delete": "계정 삭제…",
            "linked": "{provider} 계정을 연결했어요.",
            "unlinked": "{provider} 계정의 연결을 해제했어요.",
            "sessionEnded": "해당 기기에서 로그아웃했어요.",
            "merged": "두 계정을 하나로 합쳤어요.",
            "ways": "아래 방법 모두 이 계정을 열어요. 언제나 들어올 수 있도록 두 가지를 유지하세요.",
            "sharesProfile": "프로필을 공유해요",
            "sharesEmail": "이메일 주소를 공유해요",
            "sharesBoth": "프로필과 이메일 주소를 공유해요",
            "sharesMore": "추가 권한: {permissions}",
            "entries": {
              "other": "{count}개 항목"
            },
            "review": "살펴보기",
            "profileSaved": "프로필을 저장했어요.",
            "data": "내 데이터",
            "dataText": "{site}에 저장된 내 모든 데이터를 JSON 파일로 받으세요.",
            "download": "내 데이터 다운로드",
            "exportedRecently": "이미 데이터를 받으셨어요. 1분 뒤에 다시 시도하세요.",
            "deletionOf": "{account} 계정을 삭제해요. 앱에는 앱 자체의 데이터가 남을 수 있어요.",
            "deletionAt": "{account} 계정을 삭제하고, {providers}에 {site}의 접근 권한을 끝내 달라고 요청해요. 앱에는 앱 자체의 데이터가 남을 수 있어요."
          },
          "chooser": {
            "title": "로그인",
            "titleForApp": "{app}에 로그인",
            "account": "{site} 계정을 사용해요",
            "usedLast": "이 기기에서 마지막으로 사용한 방법",
            "or": "또는",
            "more": "다른 로그인 방법 더 보기",
            "terms": "계속하면 {site} 이용약관에 동의하게 돼요.",
            "privacy": "{site} 개인정보 처리 방식",
            "continueWith": "{provider} 계정으로 계속하기",
            "continueWithApple": "Apple로 계속하기",
            "continueAs": "{person} 님으로 계속하기",
            "accountExists": "이 이메일 주소를 사용하는 계정이 이미 있어요. 전에 사용한 방법으로 로그인하면 {provider} 계정이 연결돼요.",
            "accountFound": "{provider} 계정의 이메일 주소를 사용하는 계정이 이미 있어요.",
            "accountWays": "먼저 전에 사용한 방법({ways})으로 로그인하세요. 그러면 새 방법이 연결돼요.",
            "signInAgain": "계속하려면 다시 로그인하세요. 본인인지 확인하는 절차예요.",
            "otherAccount": "이제 다른 계정으로 로그인하세요. 지금 계정의 로그인은 그대로 유지돼요.",
            "cancelled": "{provider} 로그인을 취소했어요. 바뀐 것은 없어요. 다시 시도하거나 다른 방법으로 로그인할 수 있어요.",
            "unavailable": "{provider} 서비스가 응답하지 않아요. 다른 방법을 선택하거나 몇 분 뒤에 다시 시도하세요.",
            "nothing": "아직 로그인할 수 없어요.",
            "backToApp": "{app} 앱으로 돌아가기",
            "back": "돌아가기",
            "nameless": "내 계정"
          },
          "closing": {
            "proven": "{provider} 계정을 확인했어요",
            "tried": "{provider}에서 응답을 받았어요",
            "triedText": "이 로그인은 테스트예요. 링크를 전달한 관리자가 {provider} 프로필을 볼 수 있어요. 여기에는 아무것도 저장되지 않아요.",
            "closeTerminal": "이 창을 닫고 터미널로 돌아가도 돼요.",
            "signedOutTitle": "로그아웃했어요",
            "signedOutText": "여러 사람이 함께 쓰는 컴퓨터라면 브라우저 창도 닫으세요.",
            "signInAgain": "다시 로그인"
          },
          "confirm": {
            "cancel": "취소",
            "linkTitle": "{provider} 계정을 연결할까요?",
            "linkText": "연결하면 {provider} 계정으로도 이 계정에 로그인할 수 있어요.",
            "linkThere": "{provider} 계정",
            "linkHere": "지금 로그인한 계정",
            "linkWarning": "방금 직접 시작한 경우에만 계속하세요. 다른 사람이 보낸 링크로 들어왔다면 취소하세요.",
            "link": "연결",
            "unlinkTitle": "{provider} 연결을 해제할까요?",
            "unlinkText": "해제하면 {provider} 계정으로 로그인할 수 없어요.",
            "unlinkGrant": "{site} 서비스는 저장된 {provider} 접근 토큰을 삭제하고, 가능하면 제공자에게 토큰을 폐기하도록 요청해요. 그 밖에 허용한 권한은 {provider} 설정에서 확인할 수 있어요.",
            "unlinkLast": "하나뿐인 로그인 방법이에요. 해제하면 이 계정에 다시 로그인할 수 없어요.",
            "unlink": "연결 해제",
            "everywhereTitle": "모든 기기에서 로그아웃할까요?",
            "everywhereText": "이 브라우저를 포함한 모든 브라우저와 앱에서 로그아웃해요.",
            "everywhere": "모든 기기에서 로그아웃",
            "deleteConsent": "되돌릴 수 없다는 것을 이해했어요.",
            "delete": "계정 삭제",
            "mergeTitle": "두 계정을 합칠까요?",
            "mergeText": "합치면 아래의 모든 방법으로 로그인할 수 있어요. 남기는 계정의 이름과 주소, 앱에서 쓰는 정보가 유지돼요. 다른 계정은 없어지고 그 계정을 쓰던 대부분의 기기에서 로그아웃돼요. 30일 동안은 다시 분리할 수 있어요.",
            "mergeHere": "지금 계정",
            "mergeThere": "다른 계정",
            "mergeSessions": {
              "other": "로그인 {count}개"
            },
            "mergeWaits": "{site} 운영자의 승인이 필요해요",
            "keepOwn": "지금 계정 남기기",
            "keepOther": "다른 계정 남기기",
            "undoMergeTitle": "{account} 계정을 다시 분리할까요?",
            "undoMergeText": "전에 쓰던 로그인 방법을 가진 별개의 계정으로 돌아가요. 그 뒤에 바꾼 내용은 지금 계정에 남아요. 두 계정 모두 모든 기기에서 로그아웃돼요.",
            "undoMerge": "계정 분리",
            "signOutTitle": "로그아웃할까요?",
            "signOutTitleForApp": "{app}에서 로그아웃할까요?",
            "signOutText": "이 브라우저와, 이 브라우저로 로그인한 앱에서 로그아웃해요.",
            "signOut": "로그아웃"
          },
          "consent": {
            "title": "{app} 앱에서 {site} 계정을 사용할까요?",
            "signedIn": "로그인한 계정",
            "signedInWith": "{provider} 계정으로 로그인했어요",
            "nameless": "이름이 없는 계정",
            "otherAccount": "다른 계정 사용",
            "shared": "{app} 앱에 전달되는 정보",
            "identifier": "계정 식별자",
            "identifierUse": "다시 방문했을 때 같은 사용자인지 확인하는 데 사용해요.",
            "profile": "이름과 사진",
            "email": "이메일 주소",
            "claims": "역할",
            "claimsUse": "관리자가 설정한 다른 정보도 포함돼요.",
            "offline": "로그아웃할 때까지의 접근 권한",
            "offlineEnd": "계정 페이지에서 끝낼 수 있어요.",
            "control": "계정 관리 권한",
            "controlUse": "이메일 주소, 연결된 제공자의 프로필, 기기 로그아웃, 계정 삭제가 포함돼요.",
            "allow": "허용하고 {app} 앱으로 이동",
            "host": "{host} 주소로 이동해요.",
            "device": "이 기기의 앱으로 이동해요.",
            "terms": "{app} 이용약관",
            "privacy": "{app} 개인정보 처리방침"
          },
          "deletion": {
            "title": "{account} 계정을 삭제하시겠어요?",
            "titleNameless": "계정을 삭제하시겠어요?",
            "text": "연결과 기기도 함께 삭제돼요. 앱에는 앱 자체의 데이터가 남을 수 있어요. 되돌릴 수 없어요.",
            "done": "{account} 계정을 삭제했어요",
            "doneNameless": "계정을 삭제했어요",
            "refresh": "다시 확인",
            "home": "{site} 홈페이지로 이동"
          },
          "device": {
            "title": "기기 연결",
            "explanation": "기기나 터미널에 표시된 코드를 입력하세요.",
            "label": "코드",
            "hint": "영문자 8자예요. 예: BCDF-GHJK. 대소문자와 하이픈은 구분하지 않아요.",
            "proceed": "계속하기",
            "wrongCode": "알 수 없는 코드예요. 확인하고 다시 입력하세요.",
            "expiredCode": "만료되었거나 이미 사용한 코드예요. 기기에서 새 코드를 받으세요.",
            "confirmTitle": "기기에서 로그인할까요?",
            "terminalTitle": "터미널에서 본인임을 확인할까요?",
            "confirmApp": "{app} 앱이 내 계정으로 로그인하려고 해요.",
            "confirmTerminal": "명령줄 프로그램이 내 {provider} 계정을 확인하려고 해요.",
            "compare": "기기에 표시된 코드와 같은지 확인하세요.",
            "warning": "기기가 바로 앞에 있고 이 코드가 똑같이 표시된 경우에만 계속하세요. 다른 사람이 보낸 코드라면 거부하세요.",
            "allow": "계속하기",
            "deny": "거부",
            "doneTitle": "기기에서 로그인했어요",
            "doneText": "이 창을 닫고 기기에서 계속하세요.",
            "deniedTitle": "로그인하지 않았어요",
            "deniedText": "요청을 거부했어요. 이 창을 닫아도 돼요."
          },
          "diagnose": {
            "heading": "로그인 문제 해결",
            "introduction": "개발자와 운영자가 겪는 증상과 원인, 해결 방법이에요. 대부분은 broker doctor 명령이 찾아내요.",
            "symptom": "증상",
            "cause": "원인",
            "remedy": "해결 방법",
            "elsewhere": "제공자의 문제 해결 페이지"
          },
          "errors": {
            "attemptUnknownOrUsed": {
              "headline": "이 로그인은 끝났어요",
              "happened": "이미 완료했거나, 너무 오래 열려 있었거나, 다른 브라우저에서 시작한 로그인이에요. 계정에서 바뀐 것은 없어요.",
              "advice": "앱에서 다시 시작하세요."
            },
            "expired": {
              "headline": "로그인 시간이 지났어요",
              "happened": "페이지가 너무 오래 열려 있었어요. 계정에서 바뀐 것은 없어요.",
              "advice": "처음부터 다시 시작하세요."
            },
            "otherBrowser": {
              "headline": "처음 시작한 브라우저에서 계속하세요",
              "happened": "이 로그인은 다른 브라우저나 다른 기기에서 시작되었어요.",
              "advice": "그 브라우저로 돌아가 완료하세요. 직접 시작하지 않았다면 이 페이지를 닫으세요. 바뀐 것은 없어요."
            },
            "providerRefused": {
              "headline": "{provider} 로그인을 확인하지 못했어요",
              "happened": "{provider} 측에서 본인인지 확인하지 않고 돌려보냈어요.",
              "advice": "다시 시작하세요. 같은 일이 반복되면 다른 로그인 방법을 선택하세요."
            },
            "cancelled": {
              "headline": "로그인을 취소했어요",
              "happened": "{provider} 로그인을 취소했거나 요청한 권한을 허용하지 않았어요. 바뀐 것은 없어요.",
              "advice": "언제든지 다시 시작할 수 있어요."
            },
            "providerUnavailable": {
              "headline": "{provider} 서비스가 응답하지 않아요",
              "happened": "지금 {site}에서 {provider}에 연결할 수 없었어요. 바뀐 것은 없어요.",
              "advice": "다른 로그인 방법을 선택하거나 몇 분 뒤에 다시 시도하세요."
            },
            "providerMisconfigured": {
              "headline": "{provider} 로그인이 올바르게 설정되어 있지 않아요",
              "happened": "{provider} 측에서 {site}의 설정을 받아들이지 않아요. 바뀐 것은 없어요.",
              "advice": "다른 로그인 방법을 선택하고 {site} 운영자에게 알려 주세요."
            },
            "profileUnusable": {
              "headline": "{provider} 프로필을 확인하지 못했어요",
              "happened": "{provider}에 로그인했지만 {provider} 측에서 {site}에 프로필을 보여 주지 않았어요. 바뀐 것은 없어요.",
              "advice": "다른 로그인 방법을 선택하고 {site} 운영자에게 알려 주세요."
            },
            "clientUnknown": {
              "headline": "{site}에 등록되지 않은 앱이에요",
              "happened": "이 앱에 전달된 정보는 없어요.",
              "advice": "앱으로 돌아가거나 앱을 운영하는 곳에 알려 주세요.",
              "developers": "“broker clients add”로 앱을 등록하고, 출력된 client_id를 사용하세요."
            },
            "redirectNotRegistered": {
              "headline": "이 앱의 돌아갈 주소가 등록되어 있지 않아요",
              "happened": "이 앱에 전달된 정보는 없어요.",
              "advice": "앱으로 돌아가거나 앱을 운영하는 곳에 알려 주세요.",
              "developers": "주소를 한 글자도 다르지 않게 등록하세요. 등록된 주소는 “broker clients show”에서 볼 수 있어요."
            },
            "badRequest": {
              "headline": "요청이 완전하지 않아요",
              "happened": "이 페이지를 연 링크나 앱이 알 수 없는 값을 보냈어요.",
              "advice": "돌아가서 다시 시작하세요."
            },
            "accountDisabled": {
              "headline": "사용이 중지된 계정이에요",
              "happened": "계정은 있지만 지금은 로그인할 수 없어요.",
              "advice": "{site} 운영자에게 문의하세요."
            },
            "alreadyLinkedElsewhere": {
              "headline": "이 {provider} 계정은 이미 다른 {site} 계정에 연결되어 있어요",
              "happened": "바뀐 것은 없어요.",
              "advice": "둘 다 내 계정이라면 합칠 수 있어요."
            },
            "providerAlreadyLinked": {
              "headline": "이미 연결된 {provider} 계정이 있어요",
              "happened": "제공자마다 하나의 계정만 연결할 수 있어요. 바뀐 것은 없어요.",
              "advice": "먼저 지금의 연결을 해제한 다음 새 계정을 연결하세요."
            },
            "emailTaken": {
              "headline": "이미 사용 중인 이메일 주소예요",
              "happened": "{provider} 계정의 이메일 주소를 다른 {site} 계정이 사용하고 있어요. 바뀐 것은 없어요.",
              "advice": "그 계정으로 로그인한 다음 {provider} 계정을 연결하세요."
            },
            "noAccountToMerge": {
              "headline": "해당하는 {site} 계정이 없어요",
              "happened": "로그인한 {provider} 계정은 어느 {site} 계정에도 연결되어 있지 않아요. 바뀐 것은 없어요.",
              "advice": "내 계정 페이지에서 연결하거나, 다른 계정에 로그인할 때 사용한 방법을 선택하세요."
            },
            "sameAccount": {
              "headline": "같은 계정이에요",
              "happened": "지금 사용 중인 계정으로 로그인했어요. 바뀐 것은 없어요.",
              "advice": "다시 시작해서 제공자에서 다른 계정을 선택하거나 다른 로그인 방법을 선택하세요."
            },
            "twoOfOneProvider": {
              "headline": "두 계정 모두 {provider} 계정이 연결되어 있어요",
              "happened": "제공자마다 하나의 계정만 연결할 수 있어요. 바뀐 것은 없어요.",
              "advice": "먼저 둘 중 한 계정에서 {provider} 연결을 해제한 다음 합치세요."
            },
            "mergeNeedsAdministrator": {
              "headline": "{site} 운영자의 승인이 필요해요",
              "happened": "사용이 중지된 계정이 있거나, 한 계정의 권한이 다른 계정으로 옮겨지지 않아요. 요청은 대기 중이고 바뀐 것은 없어요.",
              "advice": "{site} 운영자에게 문의하세요. 다른 계정을 남길 수 있다고 나왔다면 그 방법을 선택해도 돼요."
            },
            "undoNeedsAdministrator": {
              "headline": "{site} 운영자만 분리할 수 있는 계정이에요",
              "happened": "다른 계정의 주인임을 확인할 로그인 방법이 남아 있지 않아요. 바뀐 것은 없어요.",
              "advice": "{site} 운영자에게 분리를 요청하세요."
            },
            "otherLoginEnded": {
              "headline": "다른 계정의 로그인이 끝났어요",
              "happened": "시간이 너무 지났거나 인증이 충분하지 않거나 그 계정이 바뀌었어요. 이 계정에서 바뀐 것은 없어요.",
              "advice": "내 계정 페이지에서 다시 시작하세요."
            },
            "lastWayIn": {
              "headline": "하나뿐인 로그인 방법이에요",
              "happened": "이 방법이 없으면 이 계정에 다시 로그인할 수 없어요. 바뀐 것은 없어요.",
              "advice": "먼저 다른 로그인 방법을 연결하세요."
            },
            "signUpOff": {
              "headline": "새 계정을 만들 수 없어요",
              "happened": "아직 {site} 계정이 없고, 계정은 {site} 운영자만 만들 수 있어요.",
              "advice": "{site} 운영자에게 계정을 요청하거나 전에 사용한 방법으로 로그인하세요."
            },
            "deletionOff": {
              "headline": "계정은 {site} 운영자만 삭제할 수 있어요",
              "happened": "{site}에서는 사용자가 직접 계정을 삭제할 수 없어요. 바뀐 것은 없어요.",
              "advice": "{site} 운영자에게 계정 삭제를 요청하세요."
            },
            "notFound": {
              "headline": "페이지를 찾을 수 없어요",
              "happened": "주소가 잘못되었거나 페이지가 옮겨졌어요.",
              "advice": "주소를 확인하거나 이전 페이지로 돌아가세요."
            },
            "unavailable": {
              "headline": "{site} 서비스가 응답하지 않아요",
              "happened": "지금은 서비스가 응답할 수 없어요. 계정에서 바뀐 것은 없어요.",
              "advice": "몇 분 뒤에 다시 시도하세요."
            },
            "tooManyRequests": {
              "headline": "요청이 너무 많아요",
              "happened": "사용 중인 네트워크에서 짧은 시간에 너무 많은 요청이 왔어요.",
              "advice": "1분 뒤에 이 페이지를 다시 불러오세요."
            },
            "notAllowed": {
              "headline": "본인의 요청인지 확인할 수 없었어요",
              "happened": "{site} 페이지에서 온 요청이 아니거나, 페이지를 연 지 너무 오래되었어요. 바뀐 것은 없어요.",
              "advice": "페이지를 다시 열고 한 번 더 시도하세요."
            }
          },
          "errorLinks": {
            "startAgain": "다시 시작하기",
            "startAgainAt": "{name}에서 다시 시작하기",
            "account": "내 계정으로 이동",
            "join": "두 계정 합치기",
            "app": "{app} 앱으로 계속하기",
            "home": "{name}에 가기",
            "details": "개발자를 위한 정보",
            "fault": "문제",
            "remedy": "해결 방법",
            "reference": "요청 번호"
          },
          "handler": {
            "working": "잠시만 기다리세요.",
            "lost": "여기서는 로그인을 계속할 수 없어요. 이 창을 닫고 앱에서 다시 시작하세요.",
            "alone": "이 창을 연 앱이 응답하지 않아요. 이 창을 닫고 앱에서 다시 시작하세요.",
            "noStorage": "브라우저가 이 사이트의 데이터를 저장하지 않아요. 허용한 다음 앱에서 다시 시작하세요.",
            "noScript": "앱으로 돌아가려면 이 페이지에 JavaScript가 필요해요."
          },
          "history": {
            "title": "로그인 기록",
            "nothing": "계정에 일어난 일이 여기에 표시돼요.",
            "administrators": "관리자가 변경한 내용",
            "all": "전체 기록 보기",
            "older": "이전 기록",
            "back": "내 계정으로 돌아가기",
            "byAdministrator": "관리자",
            "created": "계정 생성",
            "createdWith": "{name} 계정으로 계정 생성",
            "signedIn": "로그인",
            "signedInWith": "{name} 계정으로 로그인",
            "appSignedIn": "{name}에 로그인",
            "deviceAllowed": "{name} 기기 허용",
            "refused": "로그인 거부됨",
            "refusedWith": "{name} 계정 로그인 거부됨",
            "confirmationNeeded": "내 이메일 주소를 사용한 로그인이 중단됨",
            "confirmationNeededWith": "내 이메일 주소와 {name} 계정을 사용한 로그인이 중단됨",
            "connected": "{name} 계정 연결",
            "disconnected": "{name} 계정 연결 해제",
            "accessEnded": "{name}에서 접근 권한 종료",
            "profileChanged": "프로필 변경",
            "changed": "변경: {parts}",
            "parts": {
              "name": "이름",
              "picture": "사진",
              "email": "이메일 주소",
              "rights": "권한"
            },
            "merged": "다른 계정 합침",
            "separated": "두 계정 분리",
            "exported": "내 데이터 다운로드",
            "signedOut": "로그아웃",
            "signedOutEverywhere": "모든 기기에서 로그아웃",
            "sessionEnded": "기기 하나가 로그아웃됨",
            "disabled": "계정 사용 중지",
            "enabled": "계정 사용 재개"
          },
          "profile": {
            "title": "프로필 수정",
            "name": "이름",
            "nameHint": "로그인하는 앱에서 이 이름을 볼 수 있어요. 비워 두면 이름이 없어요.",
            "nameTooLong": "이름이 너무 길어요. 256자 이하로 입력하세요.",
            "picture": "사진",
            "noPicture": "사진 없음",
            "pictureOf": "{provider}의 사진",
            "otherPicture": "웹에 있는 다른 사진",
            "address": "다른 사진의 주소",
            "addressInvalid": "사진 주소가 아니에요. 주소는 https://로 시작해요.",
            "save": "프로필 저장",
            "cancel": "취소"
          },
          "start": {
            "title": "무엇을 할까요?",
            "account": "내 계정",
            "accountText": "로그인 방법을 확인하고 바꿀 수 있어요.",
            "device": "기기 연결",
            "deviceText": "기기나 터미널에 표시된 코드를 입력하세요.",
            "diagnose": "로그인 문제 해결",
            "diagnoseText": "개발자와 운영자가 겪는 증상과 원인, 해결 방법이에요.",
            "api": "API 문서",
            "apiText": "개발자를 위한 모든 작업의 매개변수와 응답이에요."
          },
          "withdrawal": {
            "forecast": "{provider}에 {site}의 접근 권한을 끝내 달라고 요청해요. 하루 정도 걸릴 수 있어요.",
            "queued": "{provider}에 {site}의 접근 권한을 끝내 달라고 요청하고 있어요. 하루 정도 걸릴 수 있어요. 접수 번호 {receipt}",
            "done": "{provider}에서 {site}의 접근 권한이 끝났어요.",
            "failed": "{provider}에서 {site}의 접근 권한을 끝내지 못했어요. 그곳의 설정에서 {site}의 접근 권한을 끝내세요. 접수 번호 {receipt}",
            "nothingStored": "{site}에는 반환할 접근 권한이 없어요. {provider}의 설정에서 {site}의 접근 권한을 끝내세요.",
            "notSupported": "{site}의 접근 권한은 {provider}의 설정에서 직접 끝내세요."
          },
          "diagnoses": {
            "applinks-claims-idp-host": {
              "symptom": "앱이 missingCode 오류를 내거나, 제공자에서 로그인하는 도중에 앱이 열려요.",
              "cause": "앱의 Associated Domains에 제공자의 호스트가 있어서 제공자의 링크가 앱을 열어요.",
              "remedy": "해당 호스트의 applinks 항목을 삭제하세요. 앱에는 앱 자신의 호스트만 등록해요."
            },
            "scheme-underscore": {
              "symptom": "리디렉션 URI가 거부되거나 콜백이 앱에 도착하지 않아요.",
              "cause": "URL 스킴에 밑줄이 있어요. 스킴에는 밑줄을 쓸 수 없어요(RFC 3986 §3.1).",
              "remedy": "com.example.app처럼 도메인을 뒤집은 이름을 사용하세요."
            },
            "callback-scheme-missing": {
              "symptom": "로그인 후에도 브라우저가 닫히지 않아요.",
              "cause": "앱의 CFBundleURLTypes에 클라이언트의 리디렉션 URI 스킴이 없어요.",
              "remedy": "broker clients plist가 출력하는 내용을 앱의 Info.plist에 추가하세요."
            },
            "callback-host-missing": {
              "symptom": "콜백이 앱이 아니라 웹 페이지를 열어요.",
              "cause": "리디렉션 URI가 https 주소인데 앱의 Associated Domains에 그 호스트가 없어요.",
              "remedy": "applinks:와 그 호스트를 추가하고, 그 호스트에서 apple-app-site-association 파일을 제공하세요."
            },
            "callback-host-is-idp-host": {
              "symptom": "콜백이 제공자에서 끝나요.",
              "cause": "리디렉션 URI의 호스트가 제공자의 호스트예요.",
              "remedy": "앱 자신의 스킴이나 호스트를 사용하는 리디렉션 URI를 등록하세요."
            },
            "query-schemes-missing": {
              "symptom": "제공자의 앱이 설치되어 있는데도 열리지 않아요.",
              "cause": "앱의 LSApplicationQueriesSchemes에 onepass 또는 https가 없어요.",
              "remedy": "Info.plist의 LSApplicationQueriesSchemes에 둘 다 추가하세요."
            },
            "apple-entitlement-missing": {
              "symptom": "앱에서 Apple로 로그인이 오류 1000으로 실패해요.",
              "cause": "앱에 com.apple.developer.applesignin 권한이 없어요.",
              "remedy": "앱 타깃에 Sign in with Apple 기능을 추가하세요."
            },
            "apple-not-offered": {
              "symptom": "앱 심사에서 거절돼요(지침 4.8).",
              "cause": "다른 제공자로 로그인할 수 있지만 Apple로 로그인은 없어요.",
              "remedy": "Apple을 사용하도록 설정하거나, 예외 사유를 broker.json의 declarations.appleNotOffered에 적으세요."
            },
            "package-without-version": {
              "symptom": "앱을 바꾸지 않았는데 빌드 결과가 달라져요.",
              "cause": "로그인 패키지가 버전이 아니라 브랜치나 커밋에 고정되어 있어요.",
              "remedy": "from: \"1.2.0\"처럼 버전을 지정하세요."
            },
            "relay-sender-unregistered": {
              "symptom": "privaterelay.appleid.com 주소로 보낸 메일이 전달되지 않아요.",
              "cause": "Apple은 등록된 발신자의 메일만 전달하는데, broker.json에 등록된 발신자가 없어요.",
              "remedy": "Apple에 발신자를 등록한 다음 declarations.relaySenders에 적으세요."
            },
            "no-provider": {
              "symptom": "아무도 로그인할 수 없어요.",
              "cause": "사용하도록 설정된 제공자가 없어요.",
              "remedy": "plugins.json의 항목을 사용하도록 설정하거나 broker providers add로 추가하세요."
            },
            "public-url-is-local": {
              "symptom": "브로커가 있는 컴퓨터에서만 로그인할 수 있어요.",
              "cause": "publicURL이 이 컴퓨터를 가리켜요.",
              "remedy": "publicURL을 사용자가 접속하는 https 주소로 바꾸고 그 리디렉션 URI를 등록하세요."
            },
            "client-address-hidden": {
              "symptom": "어떤 클라이언트에도 주소별 요청 제한이 적용되지 않고, 로그에는 클라이언트가 하나만 보여요.",
              "cause": "publicURL은 https인데 브로커가 TLS 없이 이 컴퓨터에서만 수신하고 trustedProxies가 비어 있어, 모든 요청의 주소가 프록시의 주소예요.",
              "remedy": "trustedProxies에 프록시를 127.0.0.1처럼 적거나, 브로커가 직접 TLS를 처리하게 하세요."
            },
            "client-address-unknown": {
              "symptom": "일부 클라이언트에 주소별 요청 제한이 적용되지 않아요.",
              "cause": "지난 두 시간 동안 신뢰하는 프록시가 X-Forwarded-For에 unknown이라고 전달했어요.",
              "remedy": "프록시가 클라이언트의 주소나 밑줄로 시작하는 식별자(RFC 7239 §6.3)를 전달하게 하세요."
            },
            "file-readable": {
              "symptom": "호스트의 다른 계정이 브로커의 비밀을 읽을 수 있어요.",
              "cause": "비밀이 있는 파일을 다른 계정이 읽을 수 있어요.",
              "remedy": "chmod go-r로 권한을 없애세요."
            },
            "step-up-unattainable": {
              "symptom": "다시 로그인하라는 요청이 나오고, 어떤 방법으로 로그인해도 거부돼요.",
              "cause": "policy.stepUp의 규칙에 사용하도록 설정된 제공자가 없어요. 또는 규칙이 연결을 보호하므로 다른 제공자나 커스텀 토큰의 사용자가 규칙의 제공자를 먼저 연결할 수 없어요.",
              "remedy": "이 사용자들이 가진 제공자를 규칙에 추가하세요. custom은 커스텀 토큰을 뜻하며 OAuth 클라이언트에는 없어요. 또는 규칙의 routes에서 accounts:signInWithIdp를 빼세요."
            },
            "store-unavailable": {
              "symptom": "브로커가 503으로 응답해요.",
              "cause": "저장소에 연결할 수 없거나, 마스터 키가 다르거나, 가득 찼어요.",
              "remedy": "메시지를 따르세요. Docs/Operations.md에 저장소 종류별 설명이 있어요."
            },
            "disk-nearly-full": {
              "symptom": "곧 로그인이 실패해요.",
              "cause": "저장소가 있는 디스크에 5퍼센트 또는 256 MB도 남지 않았어요.",
              "remedy": "공간을 확보하거나 broker store copy로 저장소를 옮기세요."
            },
            "clock-differs": {
              "symptom": "토큰이 만료되었거나 미래에 발급되었다는 이유로 거부돼요.",
              "cause": "이 호스트의 시계가 다른 브로커나 제공자의 시계와 달라요.",
              "remedy": "모든 호스트의 시계를 맞추세요(NTP)."
            },
            "signing-key-missing": {
              "symptom": "토큰을 발급할 수 없어요.",
              "cause": "사용 중인 서명 키가 없는 토큰 종류가 있어요.",
              "remedy": "broker keys rotate로 키를 만드세요."
            },
            "idp-app-not-entered": {
              "symptom": "제공자의 앱이 설치되어 있는데도 브라우저에서 로그인이 열려요.",
              "cause": "앱이 인증 URL을 웹 세션에서 먼저 열어요.",
              "remedy": "먼저 universalLinksOnly로 열고, 열리지 않으면 임시 웹 세션을 사용하세요."
            },
            "background-refresh-fails": {
              "symptom": "기기가 잠겨 있으면 토큰 갱신이 실패해요.",
              "cause": "갱신 토큰의 키체인 항목이 잠금 해제 중에만 읽히거나 생체 인증을 요구해요.",
              "remedy": "접근 제어 없이 kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly로 저장하세요."
            },
            "token-on-another-device": {
              "symptom": "백업을 복원하면 다른 기기에 토큰이 나타나요.",
              "cause": "키체인 항목의 접근성이 ThisDeviceOnly로 끝나지 않아요.",
              "remedy": "토큰은 ThisDeviceOnly 접근성으로만 저장하세요."
            },
            "protected-item-lost": {
              "symptom": "생체 인증으로 보호한 항목을 더 이상 읽을 수 없어요.",
              "cause": "등록된 지문이나 얼굴이 바뀌어 biometryCurrentSet 항목이 무효가 되었어요.",
              "remedy": "사용자에게 다시 로그인하도록 요청하세요. 이런 항목은 중요한 작업에만 사용하세요."
            },
            "device-secret-refused": {
              "symptom": "devices:bootstrap이 INVALID_DEVICE_SECRET으로 응답해요.",
              "cause": "기기의 비밀을 잃었거나 제공자가 기기를 더 이상 몰라요.",
              "remedy": "새 deviceId로 기기를 등록하세요. 익명 사용자는 다시 로그인해요."
            },
            "user-name-is-no-login": {
              "symptom": "위젯에 다른 사람의 데이터가 보여요.",
              "cause": "사용자 이름으로 하는 공개 조회는 아무것도 증명하지 않는데 앱이 로그인으로 취급해요.",
              "remedy": "이름은 설정으로만 다루세요. 로그인해야 사용자가 돼요."
            }
          }
        }
        """#
}
