package traffic

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"github.com/tabletop-db/tabletop/internal/util/pause"
	"github.com/tabletop-db/tabletop/loadtest/profile"
)

// notifications is a population of users with notification centres, and the services that send them events.
type notifications struct {
	*users
	mu           sync.Mutex // protects early
	ids          [][]string // of the notifications, by user
	marked       []int      // by user: how many were marked as read, in turn
	devices      int
	early        map[string]bool // events from before the attack, by id
	acknowledged acknowledged    // events of the attack
	before       map[string]cosmosCost
}

func newNotifications(c Setup) *notifications {
	n := &notifications{users: newUsers(c), acknowledged: acknowledged{}, early: map[string]bool{}}
	n.ids, n.marked = make([][]string, len(n.tokens)), make([]int, len(n.tokens))
	return n
}

// Prepare signs in all users, turns off quiet hours, and fills the notification centres.
func (n *notifications) Prepare(ctx context.Context, done func(done, total int)) error {
	entries := n.config.Profile.Population["notifications"]
	step := progressStep(len(n.tokens)*(2+entries), done)
	if err := n.signIn(ctx, step); err != nil {
		return err
	}
	err := forEach(ctx, len(n.tokens), step, func(ctx context.Context, user int) error {
		for range entries {
			var made struct{ ID string }
			if err := n.api.do(ctx, n.event(user), n.api.adminHeader(), &made); err != nil {
				return err
			}
			n.recordEarlyEvent(made.ID)
			step()
		}
		return n.api.do(ctx, noQuietHours(), n.tokens[user], nil)
	})
	if err == nil && entries > 0 {
		err = n.processEvents(ctx)
	}
	if err != nil {
		return err
	}
	n.before, err = n.requestUnits(ctx)
	return err
}

// processEvents runs workers until every user has a notification, and reads the ids of the notifications. It waits for
// the workers of a running backend, which may have claimed some of the events.
func (n *notifications) processEvents(ctx context.Context) error {
	for deadline := time.Now().Add(workersTimeout); ; {
		if err := n.work(ctx); err != nil {
			return err
		}
		if err := forEach(ctx, len(n.tokens), func() {}, n.readIDs); err != nil {
			return err
		}
		user := slices.IndexFunc(n.ids, func(ids []string) bool { return len(ids) == 0 })
		switch {
		case user < 0:
			return nil
		case time.Now().After(deadline):
			return fmt.Errorf("user %s still has no notification after %v: check that the backend processes events",
				n.userOf(user), workersTimeout)
		}
		if err := pause.For(ctx, workersPause); err != nil {
			return err
		}
	}
}

// The time that the workers of a running backend have to process the events that they have claimed.
const (
	workersTimeout = 30 * time.Second
	workersPause   = 100 * time.Millisecond // between two looks
)

// work runs workers until they find no more events.
func (n *notifications) work(ctx context.Context) error {
	for {
		var round struct{ Found int }
		if err := n.api.do(ctx, call{http.MethodPost, "/notification/work", nil}, n.api.adminHeader(), &round); err != nil ||
			round.Found == 0 {
			return err
		}
	}
}

// readIDs reads the ids of a user's notifications, unless they are known.
func (n *notifications) readIDs(ctx context.Context, user int) error {
	if len(n.ids[user]) > 0 {
		return nil
	}
	var page struct{ Notifications []struct{ ID string } }
	err := n.api.do(ctx, call{http.MethodGet, "/notification/notifications?limit=100", nil}, n.tokens[user], &page)
	for _, one := range page.Notifications {
		n.ids[user] = append(n.ids[user], one.ID)
	}
	return err
}

// recordEarlyEvent records an event from before the attack.
func (n *notifications) recordEarlyEvent(id string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.early[id] = true
}

// userOf returns the subject of a user's token.
func (n *notifications) userOf(user int) string { return subjectOf(n.config.Seed, user) }

// event returns an event in a category without a limit, so that every event makes a notification.
func (n *notifications) event(user int) call {
	return call{http.MethodPost, "/notification/events", map[string]any{
		"userId": n.userOf(user), "eventType": "SAFETY_CONTENT_FLAGGED",
		"payload": map[string]string{"targetId": "post-1f8a", "targetType": "post", "snippet": text(60, user)},
	}}
}

// noQuietHours returns preferences without quiet hours.
func noQuietHours() call {
	return call{http.MethodPut, "/notification/preferences", map[string]any{"timezone": "Europe/Berlin",
		"quietHours": make([]bool, 24)}}
}

// Population returns the ids of the notifications, by user.
func (n *notifications) Population() any { return n.ids }

// Join signs in all users.
func (n *notifications) Join(ctx context.Context, population json.RawMessage) (err error) {
	if err := json.Unmarshal(population, &n.ids); err != nil {
		return err
	}
	if err := n.signIn(ctx, func() {}); err != nil {
		return err
	}
	n.before, err = n.requestUnits(ctx)
	return err
}

func (n *notifications) next(number int, p profile.Part) draft {
	user := n.pick(number, p, len(n.tokens))
	switch p.Request {
	case "enqueue":
		return n.asOperator(n.event(user))
	case "work":
		return n.asOperator(call{http.MethodPost, "/notification/work", nil})
	}
	return n.request(n.call(user, p.Request), user)
}

func (n *notifications) asOperator(c call) draft {
	return func(context.Context) (request, error) {
		r, err := c.encoded(n.config.BaseURL)
		for name, values := range n.api.adminHeader() {
			r.header[name] = values
		}
		return r, err
	}
}

// call returns a request of a kind about a user.
func (n *notifications) call(user int, request string) call {
	switch request {
	case "unread":
		return call{http.MethodGet, "/notification/notifications/unread", nil}
	case "read", "dismiss":
		n.marked[user]++
		ids := n.ids[user]
		return call{http.MethodPost, "/notification/notifications/" + ids[n.marked[user]%len(ids)] + "/" + request, nil}
	case "preferences":
		return call{http.MethodGet, "/notification/preferences", nil}
	case "set-preferences":
		return noQuietHours()
	case "register":
		n.devices++
		return call{http.MethodPost, "/notification/devices", map[string]string{
			"deviceId": fmt.Sprintf("device-%d", n.devices), "pushToken": fmt.Sprintf("%0152d", n.devices), "platform": "fcm",
			"label": "Pixel 9",
		}}
	}
	return call{http.MethodGet, fmt.Sprintf("/notification/notifications?limit=%d", pageSize), nil}
}

// pageSize is the number of notifications requested per page.
const pageSize = 20

// checkPage returns what is wrong with the page of a user who has enough notifications to fill it.
func (n *notifications) checkPage(body []byte) (wrong string) {
	var page struct{ Notifications []json.RawMessage }
	err := json.Unmarshal(body, &page)
	if has := n.config.Profile.Population["notifications"]; err == nil && has >= 2*pageSize &&
		len(page.Notifications) != pageSize {
		return fmt.Sprintf("a page has %d notifications, not %d", len(page.Notifications), pageSize)
	}
	return ""
}

// HandleResponse records acknowledged events and checks pages.
func (n *notifications) HandleResponse(kind string, r *vegeta.Result, _ time.Duration) (int64, string) {
	switch {
	case kind == "list" && r.Code == http.StatusOK:
		return 0, n.checkPage(r.Body)
	case kind != "enqueue" || r.Code != http.StatusCreated:
		return 0, ""
	}
	var made struct{ ID string }
	if err := json.Unmarshal(r.Body, &made); err != nil || made.ID == "" {
		return 0, "the response has no event id"
	}
	n.acknowledged.add(made.ID)
	return 0, ""
}
