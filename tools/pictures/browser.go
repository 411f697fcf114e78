package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image/png"
	"os"
	"regexp"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

const (
	patience      = time.Minute // how long a page may take to show what is expected
	width, height = 1040, 640   // of the window, in CSS pixels
	scale         = 2           // device pixels of a CSS pixel
	helpers       = "emulator/console/testdata/browser.js"
)

// browser is a tab of Chromium. After the first error, its methods do nothing.
type browser struct {
	ctx   context.Context
	close func()
	err   error
}

// openBrowser starts Chromium with a folder for its profile.
func openBrowser(ctx context.Context, profile string) *browser {
	flags := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.Flag("no-sandbox", true),
		chromedp.Flag("disable-gpu", true), chromedp.Flag("disable-quic", true), chromedp.UserDataDir(profile),
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("hide-scrollbars", true), chromedp.Flag("lang", "en-US"))
	ctx, stop := chromedp.NewExecAllocator(ctx, flags...)
	ctx, closeTab := chromedp.NewContext(ctx)
	b := &browser{ctx: ctx, close: func() { closeTab(); stop() }}
	script, err := os.ReadFile(helpers)
	if err != nil {
		b.err = err
		return b
	}
	b.do(chromedp.EmulateViewport(width, height, chromedp.EmulateScale(scale)))
	b.call(func() error {
		_, err := chromedp.Call(b.ctx, page.AddScriptToEvaluateOnNewDocument,
			page.AddScriptToEvaluateOnNewDocumentParams{Source: string(script)})
		return err
	})
	return b
}

func (b *browser) call(f func() error) {
	if b.err == nil {
		b.err = f()
	}
}

func (b *browser) do(actions ...chromedp.Action[chromedp.Void]) {
	b.call(func() error { return chromedp.Do(b.ctx, actions...) })
}

// theme makes pages light or dark.
func (b *browser) theme(name string) {
	b.call(func() error {
		_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name},
				{Name: "prefers-reduced-motion", Value: "reduce"}}})
		return err
	})
}

func (b *browser) visit(url string) { b.do(chromedp.Navigate(url)) }

// wait calls a function of the helpers until it returns something other than null, and returns that.
func wait[T any](b *browser, name string, args ...string) (result T) {
	b.call(func() error {
		encoded, err := json.Marshal(args)
		if err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(b.ctx, patience)
		defer cancel()
		result, err = chromedp.Run(ctx, chromedp.Evaluate[T](
			fmt.Sprintf("tabletop.until(() => tabletop.%s(...%s))", name, encoded), awaitPromise))
		if err != nil {
			return fmt.Errorf("%s %q: %w", name, args, err)
		}
		return nil
	})
	return result
}

func awaitPromise(p *runtime.EvaluateParams) {
	yes := true
	p.AwaitPromise = &yes
}

func (b *browser) click(name string) {
	at := wait[[2]float64](b, "place", name)
	b.do(chromedp.MouseClickXY(at[0], at[1]))
}

func (b *browser) sees(texts ...string) {
	for _, text := range texts {
		wait[bool](b, "sees", text)
	}
}

// visibleText is what a person reads in the window, one line for each part of it.
const visibleText = `(() => {
	const lines = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
	for (let node; (node = walker.nextNode());) {
		const text = node.data.replace(/\s+/g, ' ').trim()
		const range = document.createRange()
		range.selectNode(node)
		const box = range.getBoundingClientRect()
		const shown = node.parentElement.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true })
		if (text && shown && box.height > 0 && box.width > 1 && box.top < innerHeight && box.bottom > 0) lines.push(text)
	}
	return lines.join('\n')
})()`

// picture takes the page as it is, in both themes. The matches of masked are # in its text.
func (b *browser) picture(name string, masked *regexp.Regexp) shot {
	s := shot{name: name, file: ".png", body: map[string][]byte{}}
	for _, theme := range []string{"light", "dark"} {
		b.theme(theme)
		b.call(func() error {
			image, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
			if err != nil {
				return err
			}
			s.body[theme], err = compress(image)
			return err
		})
	}
	b.call(func() error {
		text, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](visibleText))
		s.text = masked.ReplaceAllString(text, "#")
		return err
	})
	return s
}

// compress writes a screenshot with few colours.
func compress(screenshot []byte) ([]byte, error) {
	full, err := png.Decode(bytes.NewReader(screenshot))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	err = encoder.Encode(&b, reduce(full))
	return b.Bytes(), err
}
