//go:build browser

package console_test

import (
	"context"
	"os"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

// chromiums are the processes of Chromium that no test uses. To start one takes longer than most tests, so tests use
// them one after the other, each with cookies, storage and tabs of its own.
var chromiums struct {
	mu   sync.Mutex
	idle []context.Context
	all  []context.Context
}

// tab returns a tab of Chromium, for this test alone.
func tab(t *testing.T) context.Context {
	t.Helper()
	chromium, err := takeChromium()
	if err != nil {
		t.Fatal(err)
	}
	ctx, closeTab := chromedp.NewContext(chromium, chromedp.WithNewBrowserContext())
	t.Cleanup(func() {
		closeTab()
		chromiums.mu.Lock()
		defer chromiums.mu.Unlock()
		chromiums.idle = append(chromiums.idle, chromium)
	})
	return ctx
}

// takeChromium returns a process of Chromium that runs and that no test uses.
func takeChromium() (context.Context, error) {
	chromiums.mu.Lock()
	defer chromiums.mu.Unlock()
	for n := len(chromiums.idle); n > 0; n = len(chromiums.idle) {
		last := chromiums.idle[n-1]
		if chromiums.idle = chromiums.idle[:n-1]; last.Err() == nil {
			return last, nil
		}
	}
	folder, err := ofTests()
	if err != nil {
		return nil, err
	}
	profile, err := os.MkdirTemp(folder, "chromium-")
	if err != nil {
		return nil, err
	}
	flags := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.Flag("no-sandbox", true),
		chromedp.Flag("disable-gpu", true), chromedp.Flag("disable-quic", true), chromedp.UserDataDir(profile),
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true))
	ctx, _ := chromedp.NewExecAllocator(context.Background(), flags...)
	ctx, _ = chromedp.NewContext(ctx)
	chromiums.all = append(chromiums.all, ctx)
	return ctx, chromedp.Do(ctx)
}

// stopChromiums ends all processes of Chromium.
func stopChromiums() {
	for _, chromium := range chromiums.all {
		_ = chromedp.Cancel(chromium) // one that has crashed has ended
	}
}

// ofTests returns a folder that is removed after all tests.
var ofTests = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "tabletop-console-")
	folders = append(folders, folder)
	return folder, err
})

// folders are removed after all tests.
var folders []string

// TestMain ends and removes what tests share.
func TestMain(m *testing.M) {
	status := m.Run()
	stopChromiums()
	for _, folder := range folders {
		_ = os.RemoveAll(folder) // what is left is in the folder for temporary files
	}
	os.Exit(status)
}
