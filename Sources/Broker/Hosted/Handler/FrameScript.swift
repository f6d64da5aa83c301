/// The script of the frame in an app's page: hands over the outcome of a sign-in, through the `gapi.iframes` SDKs speak,
/// or to an app that asks by a message.
enum FrameScript {
    static let text = """
        (function () {
          "use strict";
          var query = new URLSearchParams(location.search);
          var key = query.get("apiKey") + ":" + query.get("appName");
          var eventSlot = "firebase:redirectEvent:" + key;
          var originSlot = "broker:origin:" + key;
          var nothing = { type: "unknown", error: { code: "auth/no-auth-event", message: "No sign-in has come back." } };
          var waiting = [];
          var sdk = null;
          var isConnected = false;

          // Browsers may deny a frame its storage; then no redirect can have come back to it.
          function stored() {
            try {
              return JSON.parse(sessionStorage.getItem(eventSlot));
            } catch (denied) {
              return null;
            }
          }

          function forget() {
            try {
              sessionStorage.removeItem(eventSlot);
              sessionStorage.removeItem(originSlot);
            } catch (denied) {
              // Then nothing is there.
            }
          }

          // Hands over the outcome of a redirect, or null. A page of another origin than the one that asked learns nothing,
          // also where it may frame this one: the browser shows the witness below pages of the named origin alone.
          function withEarlier(then) {
            var earlier = stored();
            var asked = earlier && sessionStorage.getItem(originSlot);
            if (!asked) return then(null);
            var witness = document.createElement("iframe");
            var timer = setTimeout(end, 5000);
            function end() {
              var isShown = false;
              try {
                isShown = witness.contentDocument.documentElement.id === "witness";
              } catch (blocked) {
                isShown = false;
              }
              clearTimeout(timer);
              witness.onload = null;
              witness.remove();
              then(isShown ? earlier : null);
            }
            witness.hidden = true;
            witness.onload = end;
            witness.src = "witness?origin=" + encodeURIComponent(asked);
            document.body.append(witness);
          }

          function send(authEvent, done) {
            sdk.send("authEvent", { type: "authEvent", authEvent: authEvent }, function (answers) {
              var last = answers && answers[answers.length - 1];
              if (last && last.status === "ACK" && done) done();
            }, gapi.iframes.CROSS_ORIGIN_IFRAMES_FILTER);
          }

          function connect() {
            sdk = gapi.iframes.getContext().getParentIframe();
            sdk.register("webStorageSupport", function () {
              return { status: "ACK", webStorageSupport: true };
            }, gapi.iframes.CROSS_ORIGIN_IFRAMES_FILTER);
            withEarlier(function (earlier) {
              isConnected = true;
              send(earlier || nothing, earlier ? forget : null);
              waiting.splice(0).forEach(function (authEvent) { send(authEvent); });
            });
          }

          window.gapi_onload = function () { gapi.load("gapi.iframes", { callback: connect }); };

          window.addEventListener("message", function (message) {
            var content = message.data;
            if (!content || typeof content !== "object") return;
            if (content.eventType === "sendAuthEvent" && message.origin === location.origin) {
              fromPopup(content.data);
            } else if (content.eventType === "getAuthEvent" && message.source === window.parent) {
              toApp(message);
            }
          });

          // The handler page, in the window the app opened.
          function fromPopup(data) {
            if (!data || data.storageKey !== key || !data.authEvent) return;
            if (isConnected) send(data.authEvent); else waiting.push(data.authEvent);
          }

          // Only the page that the sign-in returns to receives the outcome.
          function toApp(message) {
            var authEvent = null;
            try {
              if (sessionStorage.getItem(originSlot) === message.origin) authEvent = stored();
            } catch (denied) {
              authEvent = null;
            }
            message.source.postMessage({
              eventType: "sendAuthEvent",
              data: { authEvent: authEvent || nothing, storageKey: key }
            }, message.origin);
            if (authEvent) forget();
          }
        })();
        """
}
