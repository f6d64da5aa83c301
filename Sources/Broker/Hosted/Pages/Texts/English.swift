extension PageLanguage {
    static let englishTexts = #"""
        {
          "language": {
            "name": "English",
            "menu": "Language"
          },
          "frame": {
            "terms": "Terms",
            "privacy": "Privacy",
            "support": "Support",
            "contents": "Sections",
            "skip": "Skip to content"
          },
          "dates": {
            "day": "{day} {month} {year}",
            "moment": "{date}, {time}",
            "months": {
              "january": "January",
              "february": "February",
              "march": "March",
              "april": "April",
              "may": "May",
              "june": "June",
              "july": "July",
              "august": "August",
              "september": "September",
              "october": "October",
              "november": "November",
              "december": "December"
            }
          },
          "account": {
            "title": "Your account",
            "profile": "Profile",
            "nameless": "No name",
            "verified": "verified",
            "unverified": "not verified",
            "connected": "Ways to sign in",
            "noConnections": "Nothing is connected yet. Connect a provider so that you can come back to this account.",
            "disconnect": "Disconnect",
            "offers": "Connect another way",
            "connect": "Connect",
            "sessions": "Where you are signed in",
            "browser": "A browser",
            "current": "You are here",
            "lastUsed": "Last used",
            "furtherDevices": {
              "one": "Show {count} more",
              "other": "Show {count} more"
            },
            "signedIn": "Signed in",
            "signedInWith": "Signed in with {provider}",
            "endSession": "Sign out",
            "signOutEverywhere": "Sign out everywhere",
            "merge": "Join another account",
            "mergeText": "You have a second account here? Sign in to it, and the two become one. You see what joins, and choose which one remains.",
            "mergeButton": "Join another account…",
            "mergedSince": "Joined",
            "mergeUndo": "Separate",
            "deletion": "Delete account",
            "deletionText": "Your account, its connections and its sessions are removed. This cannot be undone.",
            "delete": "Delete account…",
            "linked": "{provider} is now connected to your account.",
            "unlinked": "{provider} is no longer connected to your account.",
            "sessionEnded": "The session has been signed out.",
            "merged": "The two accounts are one now.",
            "ways": "Each of these opens this account. Keep two, so that you can always get in.",
            "sharesProfile": "Shares your profile",
            "sharesEmail": "Shares your email address",
            "sharesBoth": "Shares your profile and email address",
            "sharesMore": "Also permits {permissions}",
            "entries": {
              "one": "{count} entry",
              "other": "{count} entries"
            },
            "review": "Review",
            "profileSaved": "Your profile is saved.",
            "data": "Your data",
            "dataText": "Everything {site} stores about you, as a JSON file.",
            "download": "Download your data",
            "exportedRecently": "You have downloaded your data already. Try again in a minute.",
            "deletionOf": "Deletes the account of {account}. Apps may keep data of their own.",
            "deletionAt": "Deletes the account of {account} and asks {providers} to end {site}'s access. Apps may keep data of their own."
          },
          "chooser": {
            "title": "Sign in",
            "titleForApp": "Sign in to {app}",
            "account": "with your {site} account",
            "usedLast": "Used last on this device",
            "or": "or",
            "more": "More ways to sign in",
            "terms": "By continuing you accept the terms of {site}.",
            "privacy": "How {site} handles your data",
            "continueWith": "Continue with {provider}",
            "continueWithApple": "Continue with Apple",
            "continueAs": "Continue as {person}",
            "accountExists": "There is already an account with this email address. Sign in the way you did before, and {provider} will be connected to it.",
            "accountFound": "There is already an account with the email address of your {provider} account.",
            "accountWays": "It signs in with {ways}. Sign in that way first, then the new one is connected to it.",
            "signInAgain": "Sign in again to continue. This proves that it is you.",
            "otherAccount": "Now sign in to the other account. You stay signed in to this one.",
            "cancelled": "You cancelled at {provider}. Nothing has changed. You can try again or sign in another way.",
            "unavailable": "{provider} does not answer. Choose another way, or try again in a few minutes.",
            "nothing": "Sign-in is not available yet.",
            "backToApp": "Back to {app}",
            "back": "Back",
            "nameless": "your account"
          },
          "closing": {
            "proven": "{provider} has confirmed who you are",
            "tried": "{provider} has answered",
            "triedText": "This sign-in is a test. The administrator who gave you the link sees your profile at {provider}; nothing of it is stored here.",
            "closeTerminal": "You may close this window and return to your terminal.",
            "signedOutTitle": "You are signed out",
            "signedOutText": "On a computer that others use too, close the windows of the browser as well.",
            "signInAgain": "Sign in again"
          },
          "confirm": {
            "cancel": "Cancel",
            "linkTitle": "Connect {provider}?",
            "linkText": "{provider} then opens this account too.",
            "linkThere": "Account at {provider}",
            "linkHere": "Your account here",
            "linkWarning": "Continue only if you started this yourself just now. If you were sent here, cancel.",
            "link": "Connect",
            "unlinkTitle": "Disconnect {provider}?",
            "unlinkText": "You can then no longer sign in with {provider}.",
            "unlinkGrant": "{site} gives up its access to {provider}: it deletes the access tokens, and asks {provider} to end them where that is possible. What else you allowed there is listed in your settings at {provider}.",
            "unlinkLast": "This is your only way to sign in. Without it you cannot come back to this account.",
            "unlink": "Disconnect",
            "everywhereTitle": "Sign out everywhere?",
            "everywhereText": "Every browser and every app is signed out of your account, this browser too.",
            "everywhere": "Sign out everywhere",
            "deleteConsent": "I understand that this cannot be undone.",
            "delete": "Delete account",
            "mergeTitle": "Join these two accounts?",
            "mergeText": "Afterwards you can sign in with everything below. The account that you keep has its name, its address and what apps know it by. The other one is removed, and most places where you used it are signed out. You can separate the two for 30 days.",
            "mergeHere": "This account",
            "mergeThere": "The other account",
            "mergeSessions": {
              "one": "{count} session",
              "other": "{count} sessions"
            },
            "mergeWaits": "The operator of {site} has to approve it",
            "keepOwn": "Keep this account",
            "keepOther": "Keep the other account",
            "undoMergeTitle": "Separate {account} again?",
            "undoMergeText": "It becomes an account of its own again, with the ways to sign in that it had. What you changed since then stays in this account. You are signed out of both everywhere.",
            "undoMerge": "Separate the accounts",
            "signOutTitle": "Sign out?",
            "signOutTitleForApp": "Sign out of {app}?",
            "signOutText": "You will be signed out of this browser, and of the apps you signed in to with it.",
            "signOut": "Sign out"
          },
          "consent": {
            "title": "Let {app} use your {site} account?",
            "signedIn": "Signed in as",
            "signedInWith": "Signed in with {provider} as",
            "nameless": "An account without a name",
            "otherAccount": "Use another account",
            "shared": "{app} receives",
            "identifier": "An identifier of your account",
            "identifierUse": "It knows you by it when you come back.",
            "profile": "Your name and picture",
            "email": "Your email address",
            "claims": "Your roles",
            "claimsUse": "And what else administrators have set for you.",
            "offline": "Access until you sign out",
            "offlineEnd": "You can end it on your account page.",
            "control": "Control of your account",
            "controlUse": "Your email address, the profiles of connected providers, sign-out of devices, deletion.",
            "allow": "Allow and go to {app}",
            "host": "You go on to {host}.",
            "device": "You go on to an app on this device.",
            "terms": "Terms of {app}",
            "privacy": "Privacy policy of {app}"
          },
          "deletion": {
            "title": "Delete the account of {account}?",
            "titleNameless": "Delete your account?",
            "text": "Its connections and its devices are removed with it. Apps may keep data of their own. This cannot be undone.",
            "done": "The account of {account} is deleted",
            "doneNameless": "Your account is deleted",
            "refresh": "Check again",
            "home": "Go to {site}"
          },
          "device": {
            "title": "Connect a device",
            "explanation": "Enter the code that your device or terminal shows.",
            "label": "Code",
            "hint": "Eight letters, for example BCDF-GHJK. Upper or lower case and the dash do not matter.",
            "proceed": "Continue",
            "wrongCode": "This code is not known. Check it and enter it again.",
            "expiredCode": "This code has expired or was already used. Get a new one on your device.",
            "confirmTitle": "Sign in on your device?",
            "terminalTitle": "Prove who you are to a terminal?",
            "confirmApp": "{app} asks to sign in with your account.",
            "confirmTerminal": "A command line asks you to prove your {provider} account.",
            "compare": "Compare the code with the one on your device:",
            "warning": "Continue only if the device is in front of you and shows exactly this code. If the code was sent to you, deny.",
            "allow": "Continue",
            "deny": "Deny",
            "doneTitle": "Your device is signed in",
            "doneText": "You can close this window and continue on your device.",
            "deniedTitle": "Nothing was signed in",
            "deniedText": "You denied the request. You can close this window."
          },
          "diagnose": {
            "heading": "Trouble with a sign-in",
            "introduction": "What developers and operators see, why, and what helps. broker doctor finds most of it.",
            "symptom": "Symptom",
            "cause": "Cause",
            "remedy": "Remedy",
            "elsewhere": "Pages like this one at the providers"
          },
          "errors": {
            "attemptUnknownOrUsed": {
              "headline": "This sign-in has ended",
              "happened": "It was already finished, it was open for too long, or it was started in another browser. Nothing has changed in your account.",
              "advice": "Start again in the app."
            },
            "expired": {
              "headline": "This sign-in has expired",
              "happened": "It was open for too long. Nothing has changed in your account.",
              "advice": "Start again."
            },
            "otherBrowser": {
              "headline": "Continue in the browser you started in",
              "happened": "This sign-in was started in another browser or on another device.",
              "advice": "Go back there to finish it. If you did not start it, close this page: nothing has changed."
            },
            "providerRefused": {
              "headline": "{provider} did not confirm the sign-in",
              "happened": "{provider} sent you back without confirming who you are.",
              "advice": "Start again. If it happens once more, choose another way to sign in."
            },
            "cancelled": {
              "headline": "Sign-in cancelled",
              "happened": "You cancelled at {provider}, or did not give the permission it asked for. Nothing has changed.",
              "advice": "You can start again at any time."
            },
            "providerUnavailable": {
              "headline": "{provider} does not answer",
              "happened": "{site} could not reach {provider} just now. Nothing has changed.",
              "advice": "Choose another way to sign in, or try again in a few minutes."
            },
            "providerMisconfigured": {
              "headline": "Sign-in with {provider} is not set up correctly",
              "happened": "{provider} does not accept the settings of {site}. Nothing has changed.",
              "advice": "Choose another way to sign in, and tell the operator of {site}."
            },
            "profileUnusable": {
              "headline": "{provider} did not tell who you are",
              "happened": "You signed in at {provider}, but it did not show {site} your profile. Nothing has changed.",
              "advice": "Choose another way to sign in, and tell the operator of {site}."
            },
            "clientUnknown": {
              "headline": "{site} does not know this app",
              "happened": "Nothing has been shared with it.",
              "advice": "Go back to the app, or tell those who run it.",
              "developers": "Register the app with “broker clients add”, and use the client_id that it prints."
            },
            "redirectNotRegistered": {
              "headline": "This app's return address is not registered",
              "happened": "Nothing has been shared with it.",
              "advice": "Go back to the app, or tell those who run it.",
              "developers": "Register the exact address, byte for byte. “broker clients show” lists the ones that count."
            },
            "badRequest": {
              "headline": "This request is incomplete",
              "happened": "The link or the app that brought you here sent something that cannot be understood.",
              "advice": "Go back and start again."
            },
            "accountDisabled": {
              "headline": "This account is disabled",
              "happened": "It exists, but it cannot be signed in to at the moment.",
              "advice": "Ask the operator of {site} for help."
            },
            "alreadyLinkedElsewhere": {
              "headline": "This {provider} account already opens another {site} account",
              "happened": "Nothing has changed.",
              "advice": "If both are yours, you can join them."
            },
            "providerAlreadyLinked": {
              "headline": "Your account already has a {provider} account",
              "happened": "Only one account of each provider can be connected. Nothing has changed.",
              "advice": "Disconnect the present one first, then connect the new one."
            },
            "emailTaken": {
              "headline": "This email address is already in use",
              "happened": "The address of the {provider} account belongs to another {site} account. Nothing has changed.",
              "advice": "Sign in to that account and connect {provider} from there."
            },
            "noAccountToMerge": {
              "headline": "There is no {site} account for it",
              "happened": "The {provider} account that you signed in to is connected to no {site} account. Nothing has changed.",
              "advice": "Connect it on your account page instead, or sign in the way you did to the other account."
            },
            "sameAccount": {
              "headline": "This is the same account",
              "happened": "You signed in to the account you are in. Nothing has changed.",
              "advice": "Start again, and choose another account at the provider, or another provider."
            },
            "twoOfOneProvider": {
              "headline": "Both accounts have a {provider} account",
              "happened": "Only one account of each provider can be connected. Nothing has changed.",
              "advice": "Disconnect {provider} in one of the two accounts first, then join them."
            },
            "mergeNeedsAdministrator": {
              "headline": "The operator of {site} has to approve this",
              "happened": "One of the accounts is disabled, or has rights that the other one would not get. Your request waits. Nothing has changed.",
              "advice": "Ask the operator of {site}. You can also keep the other account, if that was offered."
            },
            "undoNeedsAdministrator": {
              "headline": "Only the operator of {site} can separate these accounts",
              "happened": "No way to sign in is left that could prove the other account. Nothing has changed.",
              "advice": "Ask the operator of {site} to separate them."
            },
            "otherLoginEnded": {
              "headline": "The sign-in to the other account has ended",
              "happened": "It was too long ago or not sufficient, or the account has changed. Nothing has changed in this account.",
              "advice": "Start again on your account page."
            },
            "lastWayIn": {
              "headline": "This is your only way to sign in",
              "happened": "Without it you could not come back to this account. Nothing has changed.",
              "advice": "Connect another way to sign in first."
            },
            "signUpOff": {
              "headline": "New accounts are not created here",
              "happened": "You have no {site} account yet, and only the operator of {site} can create one.",
              "advice": "Ask the operator of {site} for an account, or sign in the way you did before."
            },
            "deletionOff": {
              "headline": "Only the operator of {site} deletes accounts",
              "happened": "{site} does not let users delete their accounts themselves. Nothing has changed.",
              "advice": "Ask the operator of {site} to delete your account."
            },
            "notFound": {
              "headline": "There is nothing here",
              "happened": "The address is wrong, or the page has moved.",
              "advice": "Check the address, or go back."
            },
            "unavailable": {
              "headline": "{site} does not answer",
              "happened": "The service cannot answer at the moment. Nothing has changed in your account.",
              "advice": "Try again in a few minutes."
            },
            "tooManyRequests": {
              "headline": "Too many requests",
              "happened": "Too many requests came from your network in a short time.",
              "advice": "Wait a minute, then load this page again."
            },
            "notAllowed": {
              "headline": "{site} could not be sure that this was you",
              "happened": "The request did not come from a page of {site}, or the page was open for too long. Nothing has changed.",
              "advice": "Open the page again and repeat what you did."
            }
          },
          "errorLinks": {
            "startAgain": "Start again",
            "startAgainAt": "Start again at {name}",
            "account": "Go to your account",
            "join": "Join the accounts",
            "app": "Continue to {app}",
            "home": "Go to {name}",
            "details": "Details for developers",
            "fault": "What is wrong",
            "remedy": "What to do",
            "reference": "Request"
          },
          "handler": {
            "working": "One moment.",
            "lost": "This sign-in cannot go on here. Close this window and start again in the app.",
            "alone": "The app that opened this window does not answer. Close this window and start again in the app.",
            "noStorage": "Your browser keeps no data for this site. Allow it and start again in the app.",
            "noScript": "This page needs JavaScript to take you back to the app."
          },
          "history": {
            "title": "Sign-in history",
            "nothing": "What happens to your account will stand here.",
            "administrators": "Changed by administrators",
            "all": "Show the whole history",
            "older": "Older",
            "back": "Back to your account",
            "byAdministrator": "by an administrator",
            "created": "Account created",
            "createdWith": "Account created with {name}",
            "signedIn": "Signed in",
            "signedInWith": "Signed in with {name}",
            "appSignedIn": "Signed in to {name}",
            "deviceAllowed": "Allowed a device for {name}",
            "refused": "Sign-in refused",
            "refusedWith": "Sign-in with {name} refused",
            "confirmationNeeded": "A sign-in with your email address was stopped",
            "confirmationNeededWith": "A sign-in with {name} and your email address was stopped",
            "connected": "Connected {name}",
            "disconnected": "Disconnected {name}",
            "accessEnded": "Access at {name} ended",
            "profileChanged": "Profile changed",
            "changed": "Changed: {parts}",
            "parts": {
              "name": "name",
              "picture": "picture",
              "email": "email address",
              "rights": "rights"
            },
            "merged": "Joined another account",
            "separated": "Separated two accounts",
            "exported": "Downloaded your data",
            "signedOut": "Signed out",
            "signedOutEverywhere": "Signed out everywhere",
            "sessionEnded": "A device was signed out",
            "disabled": "Account disabled",
            "enabled": "Account enabled"
          },
          "profile": {
            "title": "Edit profile",
            "name": "Name",
            "nameHint": "Apps that you sign in to can see it. Leave it empty to have none.",
            "nameTooLong": "This name is too long. Use at most 256 characters.",
            "picture": "Picture",
            "noPicture": "No picture",
            "pictureOf": "The picture from {provider}",
            "otherPicture": "Another picture from the web",
            "address": "Address of the other picture",
            "addressInvalid": "This is not the address of a picture. It begins with https://.",
            "save": "Save profile",
            "cancel": "Cancel"
          },
          "start": {
            "title": "What would you like to do?",
            "account": "Your account",
            "accountText": "See and change how you sign in.",
            "device": "Connect a device",
            "deviceText": "Enter the code that a device or a terminal shows.",
            "diagnose": "Trouble with a sign-in",
            "diagnoseText": "What developers and operators see, why, and what helps.",
            "api": "API",
            "apiText": "For developers: every operation, with its parameters and answers."
          },
          "withdrawal": {
            "forecast": "{site} asks {provider} to end its access. This can take a day.",
            "queued": "{provider} is being asked to end {site}'s access. This can take a day. Reference {receipt}",
            "done": "{provider} has ended {site}'s access.",
            "failed": "{provider} did not end {site}'s access. Remove {site} in your settings there. Reference {receipt}",
            "nothingStored": "{site} has no access to give back. You can remove {site} in your settings at {provider}.",
            "notSupported": "Only you can end {site}'s access: in your settings at {provider}."
          },
          "diagnoses": {
            "applinks-claims-idp-host": {
              "symptom": "The app reports missingCode, or opens in the middle of a sign-in at the provider.",
              "cause": "The app's Associated Domains claim a host of the provider, so the provider's own links open the app.",
              "remedy": "Remove the applinks entry of that host. An app claims its own hosts only."
            },
            "scheme-underscore": {
              "symptom": "The redirect URI is refused, or the callback never reaches the app.",
              "cause": "The URL scheme has an underscore, which schemes must not have (RFC 3986 §3.1).",
              "remedy": "Use the reverse of a domain name, such as com.example.app."
            },
            "callback-scheme-missing": {
              "symptom": "The browser stays open after the sign-in.",
              "cause": "The app's CFBundleURLTypes lack the scheme of the client's redirect URI.",
              "remedy": "Add what broker clients plist prints to the app's Info.plist."
            },
            "callback-host-missing": {
              "symptom": "The callback opens a web page and not the app.",
              "cause": "The client's redirect URI is an https address whose host the app's Associated Domains lack.",
              "remedy": "Add applinks: with that host, and serve the apple-app-site-association file there."
            },
            "callback-host-is-idp-host": {
              "symptom": "The callback ends at the provider.",
              "cause": "The host of a redirect URI is the host of a provider.",
              "remedy": "Register a redirect URI of the app's own: a custom scheme, or a host of its own."
            },
            "query-schemes-missing": {
              "symptom": "The provider's app is installed and not entered.",
              "cause": "The app's LSApplicationQueriesSchemes lack onepass or https.",
              "remedy": "Add both to LSApplicationQueriesSchemes in Info.plist."
            },
            "apple-entitlement-missing": {
              "symptom": "Sign in with Apple fails in the app with error 1000.",
              "cause": "The app lacks the entitlement com.apple.developer.applesignin.",
              "remedy": "Add the capability Sign in with Apple to the app's target."
            },
            "apple-not-offered": {
              "symptom": "App Review refuses the app (guideline 4.8).",
              "cause": "Users sign in with other providers, and Sign in with Apple is not among them.",
              "remedy": "Enable Apple, or declare in broker.json why the app is exempt: declarations.appleNotOffered."
            },
            "package-without-version": {
              "symptom": "A build of the app changes although nothing in it did.",
              "cause": "A package that signs users in is pinned to a branch or a commit, not to a version.",
              "remedy": "Depend on a version: from: \"1.2.0\"."
            },
            "relay-sender-unregistered": {
              "symptom": "Mail to addresses of privaterelay.appleid.com is not delivered.",
              "cause": "Apple relays mail of registered senders only, and none is declared in broker.json.",
              "remedy": "Register the senders at Apple (Sign in with Apple for Email Communication), then declare them: declarations.relaySenders."
            },
            "no-provider": {
              "symptom": "No user can sign in.",
              "cause": "No provider is enabled.",
              "remedy": "Enable an entry of plugins.json, or add one with broker providers add."
            },
            "public-url-is-local": {
              "symptom": "Sign-ins work on the broker's own machine only.",
              "cause": "publicURL names this machine.",
              "remedy": "Set publicURL to the https address that users reach, and register its redirect URIs."
            },
            "client-address-hidden": {
              "symptom": "No client has a rate limit by address, and the log shows one client.",
              "cause": "publicURL is https, the broker listens on this machine without TLS, and trustedProxies is empty: every request has the proxy's address.",
              "remedy": "Name the proxy in trustedProxies, such as 127.0.0.1, or have the broker terminate TLS."
            },
            "client-address-unknown": {
              "symptom": "Some clients have no rate limit by address.",
              "cause": "In the last two hours a trusted proxy forwarded the word unknown in X-Forwarded-For.",
              "remedy": "Have the proxy forward the address of its client, or an identifier that begins with an underscore (RFC 7239 §6.3)."
            },
            "file-readable": {
              "symptom": "Other accounts of the host read the broker's secrets.",
              "cause": "A file with secrets is readable by others.",
              "remedy": "Take the permission away with chmod go-r."
            },
            "step-up-unattainable": {
              "symptom": "Users are asked to sign in again, and are refused however they sign in.",
              "cause": "A rule of policy.stepUp names no provider that is enabled. Or it guards links, and users of other providers or of custom tokens would have to link one of its providers first.",
              "remedy": "Name a provider that these users have; custom stands for custom tokens, which OAuth clients do not have. Or take accounts:signInWithIdp out of the rule's routes."
            },
            "store-unavailable": {
              "symptom": "The broker answers 503.",
              "cause": "The store is out of reach, does not open with this master key, or is full.",
              "remedy": "Follow the message. Docs/Operations.md has a section for each kind of store."
            },
            "disk-nearly-full": {
              "symptom": "Sign-ins will fail soon.",
              "cause": "The disk of the store has less than 5 percent or 256 MB left.",
              "remedy": "Free space, or move the store: broker store copy."
            },
            "clock-differs": {
              "symptom": "Tokens are refused as expired, or as issued in the future.",
              "cause": "The clock of this host differs from the clock of another broker or of a provider.",
              "remedy": "Synchronize the clock (NTP) on every host."
            },
            "signing-key-missing": {
              "symptom": "No token can be issued.",
              "cause": "A family of tokens has no active signing key.",
              "remedy": "Make one with broker keys rotate."
            },
            "idp-app-not-entered": {
              "symptom": "The sign-in opens in the browser although the provider's app is installed.",
              "cause": "The app opens the authorization URL in a web session first.",
              "remedy": "Open the URL with universalLinksOnly first. Fall back to an ephemeral web session."
            },
            "background-refresh-fails": {
              "symptom": "A refresh fails while the device is locked.",
              "cause": "The keychain item of the refresh token is readable only while the device is unlocked, or needs biometry.",
              "remedy": "Store it with kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly and without access control."
            },
            "token-on-another-device": {
              "symptom": "A token appears on another device after a backup was restored.",
              "cause": "The keychain item's accessibility does not end with ThisDeviceOnly.",
              "remedy": "Store tokens with a ThisDeviceOnly accessibility only."
            },
            "protected-item-lost": {
              "symptom": "An item that biometry protects can no longer be read.",
              "cause": "The enrolled fingerprints or faces have changed, which invalidates biometryCurrentSet items.",
              "remedy": "Ask the user to sign in again. Use such items for sensitive operations only."
            },
            "device-secret-refused": {
              "symptom": "devices:bootstrap answers INVALID_DEVICE_SECRET.",
              "cause": "The device's secret was lost, or the provider no longer knows the device.",
              "remedy": "Introduce the device under a new deviceId. Anonymous users sign in again."
            },
            "user-name-is-no-login": {
              "symptom": "A widget shows someone else's data.",
              "cause": "A public look-up by user name proves nothing, and the app treats it as a login.",
              "remedy": "Treat the name as a setting. Only a sign-in makes a user."
            }
          }
        }
        """#
}
