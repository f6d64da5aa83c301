/// The one script of the hosted pages: writes moments in the reader's time zone. Without it they stand there in UTC.
///
/// The pages are XML as well, so it does without `<` and `&`.
enum LocalTimeScript {
    static let text = """
        (function () {
          "use strict";
          var format = new Intl.DateTimeFormat(
            document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
          document.querySelectorAll("time[datetime*=T]").forEach(function (element) {
            var moment = new Date(element.dateTime);
            if (isNaN(moment)) return;
            element.title = element.textContent;
            element.textContent = format.format(moment);
          });
        })();
        """
}
