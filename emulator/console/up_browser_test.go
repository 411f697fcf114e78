//go:build browser

package console_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestSimulationsAndPushMessages follows the devices of tabletop up, and messages to a phone of its push gateway.
func TestSimulationsAndPushMessages(t *testing.T) {
	t.Parallel()
	b := openTabletop(t, "/simulations", "up", "--devices", "5", "--speed", "3600", "--systems", "telemetry,notification")
	b.sees("Fleet", "3,600× real time", "Readings stored", "since the start")
	b.checkLooks("simulations")
	b.click("Push messages")
	b.sees("No phones yet", "No messages yet")
	b.click("iOS phone")
	b.sees("of the push gateway at", "ios")
	phone := until[[]string](b, "names", "td a")[0]
	b.click(phone)
	b.sees("Expo token", "APNs token")
	b.push(`{"to":"` + b.text(`code`) + `","title":"Hello","body":"<b>A kettle boils</b>","data":{"n":1}}`)
	b.push(`{"to":"` + b.text(`code`) + `","body":"` + strings.Repeat("x", 5000) + `"}`)
	b.sees("Hello", "MessageTooBig", "1 delivered, 1 refused")
	b.checkLooks("the messages of a phone")
	b.click("Hello")
	b.sees("<b>A kettle boils</b>", `"n": 1`)
	b.click("Close")
	b.click("Push messages")
	b.sees("Phones", "Refused")
	b.checkLooks("push messages")
}

// text returns the text of the first element of the page that matches a selector.
func (b *browser) text(selector string) string {
	return b.evaluate(`document.querySelector("main ` + selector + `").textContent`)
}

// push sends a message to the push gateway of the page, with Expo's API.
func (b *browser) push(message string) {
	b.t.Helper()
	const ask = `fetch("/_tabletop/console/api/pushes").then((r) => r.json()).then((r) => r.url)`
	url, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](ask, awaitPromise))
	b.must(err)
	res, err := http.Post(url+"/--/api/v2/push/send", "application/json", strings.NewReader(message))
	b.must(err)
	b.must(res.Body.Close())
}
