package notification

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/httpapi"
)

func (w *world) readingSteps(sc *godog.ScenarioContext) {
	sc.Step(`^"([^"]*)" lists (?:his|her) notifications(?: of (SOCIAL|SAFETY|SECURITY|NEWS|MARKETING))?(?:, (\d+) a page)?$`,
		w.listsNotifications)
	sc.Step(`^"([^"]*)" has (\d+) notifications?$`, w.has)
	sc.Step(`^they are "([^"]*)"$`, w.notificationsAre)
	sc.Step(`^the pages have ([\d, ]+) notifications$`, w.pagesHave)
	sc.Step(`^"([^"]*)" has (\d+) unread$`, w.unread)
	sc.Step(`^"([^"]*)" (reads|dismisses) the notification$`, w.marks)
	sc.Step(`^"([^"]*)" marks everything as read$`, func(ctx context.Context, user string) error {
		return w.SendAs(ctx, user, http.MethodPost, "/notifications/read", nil)
	})
}

// listsNotifications reads all pages of a user's list in order.
func (w *world) listsNotifications(ctx context.Context, user, category, limit string) error {
	as, err := w.Credential(user)
	if err != nil {
		return err
	}
	query := url.Values{}
	for name, value := range map[string]string{"category": category, "limit": limit} {
		if value != "" {
			query.Set(name, value)
		}
	}
	w.sizes, w.listed = nil, nil
	seen := map[string]bool{} // by id
	for range 100 {
		w.Last = w.Send(ctx, as, http.MethodGet, "/notifications?"+query.Encode(), nil)
		page, err := httpapi.Decode[struct {
			Notifications []struct{ ID, Title, Body string }
			Cursor        string
		}](w.Last)
		if err != nil {
			return err
		}
		for _, n := range page.Notifications {
			if seen[n.ID] {
				return fmt.Errorf("the notification %s is listed twice", n.ID)
			}
			seen[n.ID] = true
			w.listed = append(w.listed, n.Body)
			w.Set("notification", n.ID)
		}
		if len(page.Notifications) > 0 {
			w.sizes = append(w.sizes, len(page.Notifications))
		}
		if page.Cursor == "" {
			return nil
		}
		query.Set("cursor", page.Cursor)
	}
	return fmt.Errorf("the list does not end after 100 pages")
}

func (w *world) has(ctx context.Context, user string, n int) error {
	if err := w.listsNotifications(ctx, user, "", ""); err != nil {
		return err
	}
	if len(w.listed) != n {
		return fmt.Errorf("%d: %q", len(w.listed), w.listed)
	}
	return nil
}

func (w *world) notificationsAre(want string) error {
	if got := strings.Join(w.listed, "; "); got != want {
		return fmt.Errorf("they are %q", got)
	}
	return nil
}

func (w *world) pagesHave(want string) error {
	var sizes []string
	for _, n := range w.sizes {
		sizes = append(sizes, strconv.Itoa(n))
	}
	if got := strings.Join(sizes, ", "); got != want {
		return fmt.Errorf("they have %s", got)
	}
	return nil
}

func (w *world) unread(ctx context.Context, user string, n int) error {
	if err := w.MustSendAs(ctx, user, http.MethodGet, "/notifications/unread", nil); err != nil {
		return err
	}
	got, err := httpapi.Decode[struct{ Unread int }](w.Last)
	if err == nil && got.Unread != n {
		err = fmt.Errorf("%d are unread", got.Unread)
	}
	return err
}

// marks marks the notification that was listed last.
func (w *world) marks(ctx context.Context, user, how string) error {
	id, err := w.Fill("{notification}")
	if err != nil {
		return err
	}
	return w.SendAs(ctx, user, http.MethodPost, "/notifications/"+id+map[string]string{"reads": "/read",
		"dismisses": "/dismiss"}[how], nil)
}
