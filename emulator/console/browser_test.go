//go:build browser

package console_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/console"
)

// patience is how long a page may take to show what is expected, on a machine that is busy.
const patience = time.Minute

// browser is a tab of Chromium on the console of one emulator.
type browser struct {
	t        testing.TB
	ctx      context.Context
	url      string             // the emulator's
	emulator *emulator.Emulator // nil: it runs in another process
}

// open starts an emulator, and opens a page of the console, such as /dynamodb/tables.
func open(t *testing.T, path string, options ...emulator.Option) *browser {
	t.Helper()
	e := emulator.Run(t, append(options, console.Option())...)
	b := openURL(t, e.DynamoDBURL(), path)
	b.emulator = e
	return b
}

// openURL opens a page of the console of the emulator at a URL in Chromium.
func openURL(t *testing.T, url, path string) *browser {
	t.Helper()
	b := &browser{t: t, ctx: tab(t), url: url}
	b.do()
	b.watch()
	helpers, err := os.ReadFile("testdata/browser.js")
	if err != nil {
		t.Fatal(err)
	}
	_, err = chromedp.Call(b.ctx, page.AddScriptToEvaluateOnNewDocument,
		page.AddScriptToEvaluateOnNewDocumentParams{Source: string(helpers)})
	b.must(err)
	b.look(1280, "light")
	b.visit(path)
	return b
}

// watch accepts the page's questions, and makes an error of its scripts fail the test.
func (b *browser) watch() {
	go each(chromedp.Events(b.ctx, page.JavascriptDialogOpening), func(page.EventJavascriptDialogOpening) {
		_, _ = chromedp.Call(b.ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true})
	})
	go each(chromedp.Events(b.ctx, runtime.ExceptionThrown), func(event runtime.EventExceptionThrown) {
		b.t.Errorf("the page's script failed: %v", event.ExceptionDetails)
	})
}

// each calls do with each event until the browser ends.
func each[E any](events iter.Seq2[E, error], do func(E)) {
	for event, err := range events {
		if err != nil {
			return
		}
		do(event)
	}
}

// must fails the test if there is an error.
func (b *browser) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// do runs actions, and fails the test if one fails.
func (b *browser) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	b.must(chromedp.Do(b.ctx, actions...))
}

// look sets the width of the window in pixels and the theme, light or dark.
func (b *browser) look(width int64, theme string) {
	b.t.Helper()
	b.do(chromedp.EmulateViewport(width, 900))
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme},
			{Name: "prefers-reduced-motion", Value: "reduce"}}})
	b.must(err)
}

// visit opens a page of the console.
func (b *browser) visit(path string) {
	b.t.Helper()
	b.do(chromedp.Navigate(b.url + "/_tabletop/console" + path))
}

// until calls a function of testdata/browser.js until it returns something other than null, and returns that.
func until[T any](b *browser, name string, args ...string) T {
	b.t.Helper()
	encoded, err := json.Marshal(append([]string{}, args...)) // none is an empty array
	b.must(err)
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	wait := chromedp.Evaluate[T](fmt.Sprintf("tabletop.until(() => tabletop.%s(...%s))", name, encoded), awaitPromise)
	result, err := chromedp.Run(ctx, wait)
	for replaced := new(cdproto.Error); errors.As(err, &replaced); { // another page has been loaded meanwhile
		result, err = chromedp.Run(ctx, wait)
	}
	if err != nil {
		b.t.Fatalf("%s %q: %v; %q has the focus; the page is:\n%.4000s", name, args, err,
			b.evaluate("document.activeElement.outerHTML.slice(0, 200)"), b.evaluate("document.body.innerText"))
	}
	return result
}

func awaitPromise(p *runtime.EvaluateParams) {
	yes := true
	p.AwaitPromise = &yes
}

// click presses the button, link, tab or menu item with a name, as a mouse does.
func (b *browser) click(name string) {
	b.t.Helper()
	at := until[[2]float64](b, "place", name)
	b.do(chromedp.MouseClickXY(at[0], at[1]))
}

// fill replaces the text of the field with a label, or chooses the option of a list.
func (b *browser) fill(label, text string) {
	b.t.Helper()
	kind := until[string](b, "focus", label, text)
	if kind == "editor" {
		b.do(chromedp.KeyEvent("a", chromedp.KeyModifiers(kb.ModifierCtrl)))
	}
	if kind != "list" {
		_, err := chromedp.Call(b.ctx, input.InsertText, input.InsertTextParams{Text: text})
		b.must(err)
	}
}

// sees waits until the page shows texts, ignoring white space.
func (b *browser) sees(texts ...string) {
	b.t.Helper()
	for _, text := range texts {
		until[bool](b, "sees", text)
	}
}

// misses waits until the page does not show a text.
func (b *browser) misses(text string) {
	b.t.Helper()
	until[bool](b, "misses", text)
}

// evaluate returns the result of an expression.
func (b *browser) evaluate(expression string) string {
	b.t.Helper()
	result, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](expression))
	b.must(err)
	return result
}

// check runs axe-core on the page, and checks that the page is not wider than the window.
func (b *browser) check(name string) {
	b.t.Helper()
	axe, err := os.ReadFile("../internal/webconsole/ui/node_modules/axe-core/axe.min.js")
	if err != nil {
		b.t.Fatalf("%v: run npm ci in emulator/internal/webconsole/ui", err)
	}
	b.do(chromedp.Evaluate[chromedp.Void](string(axe) + "; 0"))
	findings, err := chromedp.Run(b.ctx, chromedp.Evaluate[[]string]("tabletop.findings()", awaitPromise))
	b.must(err)
	if len(findings) > 0 {
		b.t.Errorf("%s:\n%s", name, strings.Join(findings, "\n"))
	}
}
