package kefir

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/cucumber/godog"
)

func (w *world) eventSteps(sc *godog.ScenarioContext) {
	sc.Step(`^"([^"]*)" notes "([^"]*)" on "([^"]*)"$`, w.notes)
	sc.Step(`^"([^"]*)" has noted "([^"]*)" on "([^"]*)", a second apart$`, w.hasNoted)
	sc.Step(`^"([^"]*)" has added (\d+) notes to "([^"]*)"$`, w.hasNotedMany)
	sc.Step(`^"([^"]*)" adds the photo "([^"]*)" to "([^"]*)"$`, func(ctx context.Context, user, url, batch string) error {
		return w.sendAbout(ctx, user, http.MethodPost, batch, "/events", map[string]any{"type": "photo", "photoUrl": url})
	})
	sc.Step(`^"([^"]*)" adds the event (\{.*\}) to "([^"]*)"$`, func(ctx context.Context, user, body, batch string) error {
		return w.sendAbout(ctx, user, http.MethodPost, batch, "/events", []byte(body))
	})
	sc.Step(`^"([^"]*)" lists the events of "([^"]*)"(, newest first)?(?: in pages of (\d+))?$`,
		func(ctx context.Context, user, batch, newest, limit string) error {
			return w.listEvents(ctx, user, batch, "", newest, limit)
		})
	sc.Step(`^"([^"]*)" lists the events of "([^"]*)" from "([^"]*)" on$`,
		func(ctx context.Context, user, batch, moment string) error {
			return w.listEvents(ctx, user, batch, moment, "", "")
		})
	sc.Step(`^"([^"]*)" lists the newest events of "([^"]*)"$`, func(ctx context.Context, user, batch string) error {
		return w.sendAbout(ctx, user, http.MethodGet, batch, "/events?order=desc", nil)
	})
	sc.Step(`^this moment is saved as "([^"]*)"$`, func(name string) { w.Set(name, formatTime(w.Clock.Now())) })
	sc.Step(`^the timeline has the batch "([^"]*)", (\d+) events and (\d+) reminders?$`, w.timelineHas)
}

// formatTime formats a time as the service formats the times of events.
func formatTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// notes adds a note. Steps refer to the event's id by the note's text, as {note "…"}.
func (w *world) notes(ctx context.Context, user, text, batch string) error {
	if err := w.sendAbout(ctx, user, http.MethodPost, batch, "/events", map[string]any{"type": "note",
		"note": text}); err != nil {
		return err
	}
	id, found, err := w.Field("eventId")
	if found {
		w.Set("id of "+text, id)
	}
	return err
}

func (w *world) hasNoted(ctx context.Context, user, texts, batch string) error {
	for text := range strings.SplitSeq(texts, ", ") {
		if err := w.notes(ctx, user, text, batch); err != nil {
			return err
		}
		w.Clock.Advance(time.Second)
	}
	return nil
}

func (w *world) hasNotedMany(ctx context.Context, user string, n int, batch string) error {
	for i := range n {
		if err := w.notes(ctx, user, fmt.Sprintf("note %d", i+1), batch); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) listEvents(ctx context.Context, user, batch, from, newest, limit string) error {
	path, err := w.batchPath(batch)
	if err != nil {
		return err
	}
	as, err := w.Credential(user)
	if err != nil {
		return err
	}
	path += "/events"
	if from != "" {
		at, err := w.Fill(from)
		if err != nil {
			return err
		}
		path += "?after=" + at
	}
	if newest != "" {
		path += "?order=desc"
	}
	return w.list(ctx, as, path, "events", limit, eventText)
}

// eventText returns a short text for an event: its note, its photo, or what changed.
func eventText(e map[string]any) string {
	switch e["type"] {
	case "note":
		return fmt.Sprint(e["note"])
	case "photo":
		return fmt.Sprint(e["photoUrl"])
	case "stage_transition":
		return fmt.Sprintf("stage %v to %v", e["fromStage"], e["toStage"])
	}
	return fmt.Sprintf("%v to %v", e["fromStatus"], e["toStatus"])
}

func (w *world) timelineHas(batch string, events, reminders int) error {
	for path, want := range map[string]string{
		"batch.name": batch, fmt.Sprintf("events.%d.eventId", events): "", fmt.Sprintf("reminders.%d.reminderId",
			reminders): "",
	} {
		got, found, err := w.Field(path)
		if err != nil || got != want || found != (want != "") {
			return fmt.Errorf("%s is %q in %s", path, got, w.Last)
		}
	}
	for _, path := range []string{fmt.Sprintf("events.%d.eventId", events-1), fmt.Sprintf("reminders.%d.reminderId",
		reminders-1)} {
		if _, found, err := w.Field(path); err != nil || !found {
			return fmt.Errorf("there is no %s in %s", path, w.Last)
		}
	}
	return nil
}
