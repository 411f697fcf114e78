package control

import (
	"fmt"
	"html"
	"net/http"
	"strings"
)

// refusedPage is what a person sees whose browser was refused a page: %s are the reason and what to do.
const refusedPage = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Tabletop</title><style>
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 34rem; margin: 4rem auto; padding: 0 1.5rem }
</style></head><body><main><h1>This page was not opened</h1><p>%s.</p>%s</main></body></html>
`

// openYourself leads to the console: a click on this page is no longer a link from elsewhere.
const openYourself = `<p>You have followed a link or a redirect from another site, which may not open the pages that control
the emulator. Open the console yourself: <a href="` + ConsolePath + `">web console</a></p>`

// refuse responds with the reason: as a page to a browser that opens one, and to programs as problem details.
func refuse(w http.ResponseWriter, r *http.Request, status int, reason string) {
	if r.Method != http.MethodGet || !strings.Contains(r.Header.Get("Accept"), "text/html") {
		WriteProblem(w, status, reason)
		return
	}
	remedy := ""
	if reason == otherOrigin {
		remedy = openYourself
	}
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'")
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, refusedPage, html.EscapeString(strings.ToUpper(reason[:1])+reason[1:]), remedy)
}
