package verification

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/httpapi"
)

func (w *world) caseSteps(sc *godog.ScenarioContext) {
	sc.Step(`^the client "([^"]*)"$`, func(ctx context.Context, name string) error {
		_, err := w.client(ctx, name)
		return err
	})
	sc.Step(`^"([^"]*)" opens the case "([^"]*)"$`, w.opens)
	sc.Step(`^"([^"]*)" has opened the case "([^"]*)"$`, w.hasOpened)
	sc.Step(`^"([^"]*)" has opened the case "([^"]*)" about an? (\w+)$`,
		func(ctx context.Context, name, called, kind string) error {
			if err := w.act(ctx, name, http.MethodPost, "/cases", newCase(kind)); err != nil {
				return err
			}
			return w.remembers(called)
		})
	sc.Step(`^"([^"]*)" has opened (\d+) cases a minute apart$`, w.hasOpenedMany)
	sc.Step(`^"([^"]*)" opens a case with the idempotency key "([^"]*)"(?: about an? (\w+))?$`, w.opensWithKey)
	sc.Step(`^"([^"]*)" opens a case with the idempotency key "([^"]*)" (\d+) times at once$`, w.opensAtOnce)
	sc.Step(`^"([^"]*)" looks at "([^"]*)"$`, w.looks)
	sc.Step(`^"([^"]*)" looks at a case that does not exist$`, func(ctx context.Context, name string) error {
		return w.act(ctx, name, http.MethodGet, "/cases/"+nobodysCase, nil)
	})
	sc.Step(`^"([^"]*)" lists (?:its|his|her) cases(?: that are "([^"]*)")?$`,
		func(ctx context.Context, name, status string) error {
			return w.lists(ctx, name, status, 50)
		})
	sc.Step(`^"([^"]*)" lists its cases in pages of (\d+)$`, func(ctx context.Context, name string, n int) error {
		return w.lists(ctx, name, "", n)
	})
	sc.Step(`^the list is (none|".*")$`, w.listIs)
	sc.Step(`^the list has (\d+) cases? in (\d+) pages?$`, w.listHas)
	sc.Step(`^"([^"]*)" is ver_ and a UUID of version 4$`,
		w.matches(`^ver_[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`))
	sc.Step(`^"([^"]*)" is doc_ and a UUID of version 4$`,
		w.matches(`^doc_[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`))
	sc.Step(`^it is the case "([^"]*)"$`, w.isCase)
	sc.Step(`^the case of that response is saved as "([^"]*)"$`, w.remembers)
	sc.Step(`^it is the remembered case$`, w.isRememberedCase)
	sc.Step(`^"([^"]*)" continues that list$`, w.continuesList)
	sc.Step(`^all responses are about one case$`, w.allAboutOne)
}

const nobodysCase = "ver_00000000-0000-4000-8000-000000000000"

// customer returns the metadata that a client sends about its customer. The contact data is fictitious.
func customer() map[string]any {
	return map[string]any{
		"email": "thabo.molefe@example.com", "phone": "+26771234567", "externalId": "cust_123",
		"redirectUrl": "https://client.com/callback",
	}
}

func newCase(documentType string) map[string]any {
	return map[string]any{"documentType": documentType, "customerMetadata": customer()}
}

func (w *world) opens(ctx context.Context, name, called string) error {
	if err := w.act(ctx, name, http.MethodPost, "/cases", newCase("omang")); err != nil || w.Last.Status/100 != 2 {
		return err
	}
	return w.remembers(called)
}

// remembers lets steps refer to the case in the last response by name.
func (w *world) remembers(called string) error {
	id, _, err := w.Field("verificationId")
	w.cases[called] = id
	w.Set(called, id)
	w.Set("a year before its end", strconv.FormatInt(w.Clock.Now().AddDate(-1, 0, 30).Unix(), 10))
	w.Set("opening of "+called, w.Clock.Now().UTC().Format("2006-01-02T15:04:05Z"))
	return err
}

func (w *world) hasOpened(ctx context.Context, name, called string) error {
	if err := w.opens(ctx, name, called); err != nil {
		return err
	}
	return w.Last.Succeeded()
}

// hasOpenedMany opens cases a minute apart, all on one day: a trail is kept by day.
func (w *world) hasOpenedMany(ctx context.Context, name string, n int) error {
	now := w.Clock.Now().UTC()
	if midnight := now.Truncate(24 * time.Hour).Add(24 * time.Hour); midnight.Sub(now) <= time.Duration(n)*time.Minute {
		w.Clock.Advance(midnight.Sub(now))
	}
	for i := range n {
		if i > 0 {
			w.Clock.Advance(time.Minute)
		}
		if err := w.hasOpened(ctx, name, strconv.Itoa(i+1)); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) withKey(ctx context.Context, name, key string) (httpapi.Credential, error) {
	as, err := w.as(ctx, name)
	if err != nil {
		return nil, err
	}
	return httpapi.Combine(as, httpapi.Header("Idempotency-Key", key)), nil
}

func (w *world) opensWithKey(ctx context.Context, name, key, documentType string) error {
	as, err := w.withKey(ctx, name, key)
	if err != nil {
		return err
	}
	if documentType == "" {
		documentType = "omang"
	}
	w.creates(ctx, 1, creation{as, "/cases", newCase(documentType)})
	return nil
}

func (w *world) opensAtOnce(ctx context.Context, name, key string, n int) error {
	as, err := w.withKey(ctx, name, key)
	if err != nil {
		return err
	}
	w.creates(ctx, n, creation{as, "/cases", newCase("omang")})
	return nil
}

func (w *world) looks(ctx context.Context, name, called string) error {
	path, err := w.path(called)
	if err != nil {
		return err
	}
	return w.act(ctx, name, http.MethodGet, path, nil)
}

// page is a page of cases.
type page struct {
	Cases []struct {
		VerificationID string
		Status         string
	}
	NextCursor string
}

// lists reads all pages. Later steps check the store's requests of all of them.
func (w *world) lists(ctx context.Context, name, status string, limit int) error {
	if err := w.AwaitIndexEntries(ctx, table, "GSI1"); err != nil {
		return err
	}
	as, err := w.as(ctx, name)
	if err != nil {
		return err
	}
	query := url.Values{"limit": {strconv.Itoa(limit)}}
	if status != "" {
		query.Set("status", status)
	}
	return w.readPage(ctx, as, "/cases", query)
}

func (w *world) readPage(ctx context.Context, as httpapi.Credential, path string, query url.Values) error {
	w.Wire.Reset()
	w.Responses = nil
	for range 100 {
		w.Last = w.Send(ctx, as, http.MethodGet, path+"?"+query.Encode(), nil)
		p, err := httpapi.Decode[page](w.Last)
		if err != nil {
			return nil // the next step checks the response
		}
		w.Responses = append(w.Responses, w.Last)
		if p.NextCursor == "" {
			return nil
		}
		query.Set("cursor", p.NextCursor)
	}
	return errors.New("the list does not end after 100 pages")
}

// listed returns the names that steps gave to the cases on all pages.
func (w *world) listed() (names []string, err error) {
	for _, a := range w.Responses {
		p, err := httpapi.Decode[page](a)
		if err != nil {
			return nil, err
		}
		for _, c := range p.Cases {
			name := c.VerificationID
			for called, id := range w.cases {
				if id == c.VerificationID {
					name = called
				}
			}
			names = append(names, name)
		}
	}
	return names, nil
}

func (w *world) listIs(want string) error {
	if err := w.Last.Succeeded(); err != nil {
		return err
	}
	names, err := w.listed()
	if want == "none" {
		want = `""`
	}
	if got := `"` + strings.Join(names, ", ") + `"`; err == nil && got != want {
		err = fmt.Errorf("it is %s", got)
	}
	return err
}

func (w *world) listHas(cases, pages int) error {
	names, err := w.listed()
	seen := map[string]bool{}
	for _, name := range names {
		seen[name] = true
	}
	filled := 0
	for _, a := range w.Responses {
		if !strings.Contains(string(a.Body), `"cases":[]`) { // the last page may be empty
			filled++
		}
	}
	if err == nil && (len(names) != cases || len(seen) != cases || filled != pages) {
		err = fmt.Errorf("it has %d cases, %d different ones, in %d pages", len(names), len(seen), filled)
	}
	return err
}

func (w *world) isCase(called string) error {
	id, _, err := w.Field("verificationId")
	if err == nil && id != w.cases[called] {
		err = fmt.Errorf("it is %s", id)
	}
	return err
}

func (w *world) allAboutOne() error {
	ids := map[string]bool{}
	for _, a := range w.Responses {
		c, err := httpapi.Decode[struct{ VerificationID string }](a)
		if err != nil {
			return err
		}
		ids[c.VerificationID] = true
	}
	if len(ids) != 1 || ids[""] {
		return fmt.Errorf("they are about %d cases", len(ids))
	}
	return nil
}

func (w *world) isRememberedCase() error {
	was, err := httpapi.Decode[struct{ VerificationID string }](w.Remembered)
	if err != nil {
		return err
	}
	id, _, err := w.Field("verificationId")
	if err == nil && id != was.VerificationID {
		err = fmt.Errorf("it is %s, not %s", id, was.VerificationID)
	}
	return err
}

// continuesList requests the second page of another client's list.
func (w *world) continuesList(ctx context.Context, name string) error {
	first, err := httpapi.Decode[page](w.Responses[0])
	if err != nil {
		return err
	}
	return w.act(ctx, name, http.MethodGet, "/cases?"+url.Values{"cursor": {first.NextCursor}}.Encode(), nil)
}
