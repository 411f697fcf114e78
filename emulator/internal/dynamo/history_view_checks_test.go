package dynamo

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func (h *writtenTable) checkMoments(t *testing.T) {
	for range 12 {
		a, b := h.random.IntN(len(h.moments)), h.random.IntN(len(h.moments))
		h.checkMoment(t, h.moments[a])
		h.checkDifference(t, h.moments[min(a, b)], h.moments[max(a, b)])
	}
}

// checkMoment compares the table, its index, and a partition of each with the model.
func (h *writtenTable) checkMoment(t *testing.T, m writtenMoment) {
	t.Helper()
	if diff := cmp.Diff(m.items.where(""), h.itemsAt(t, m.at, "", "")); diff != "" {
		t.Fatalf("the table at %s:\n%s", m.at, diff)
	}
	if diff := cmp.Diff(m.items.where(`"pk":{"S":"b"}`), h.itemsAt(t, m.at, "", "b")); diff != "" {
		t.Fatalf("a partition at %s:\n%s", m.at, diff)
	}
	if diff := cmp.Diff(m.items.where(`"color"`), h.itemsAt(t, m.at, "by-color", "")); diff != "" {
		t.Fatalf("the index at %s:\n%s", m.at, diff)
	}
	if diff := cmp.Diff(m.items.where(`"color":{"S":"1"}`), h.itemsAt(t, m.at, "by-color", "1")); diff != "" {
		t.Fatalf("a partition of the index at %s:\n%s", m.at, diff)
	}
}

// writtenChange is a change of an item in responses.
type writtenChange struct {
	At, Kind, User, Operation string
	Key, Before, After        json.RawMessage
}

// applyTo applies the change to items, which must be as the change found them.
func (c *writtenChange) applyTo(t *testing.T, items writtenItems) {
	t.Helper()
	key := keyOfWritten(c.Key)
	if before, found := items[key]; found != (string(c.Before) != "null") || found && before != canonical(c.Before) {
		t.Fatalf("before the change of %s was %s, not %q", c.Key, c.Before, before)
	}
	if delete(items, key); string(c.After) != "null" {
		items[key] = canonical(c.After)
	}
	if canonical(c.Before) == canonical(c.After) {
		t.Fatalf("%s is the same at both moments", c.Key)
	}
}

// checkDifference applies the difference of two moments to the first.
func (h *writtenTable) checkDifference(t *testing.T, from, to writtenMoment) {
	items := from.items.where("")
	h.pages(t, "Difference", map[string]any{"From": from.at, "To": to.at}, func(raw json.RawMessage) {
		var page struct{ Changes []writtenChange }
		if err := json.Unmarshal(raw, &page); err != nil {
			t.Fatal(err)
		}
		for _, c := range page.Changes {
			c.applyTo(t, items)
		}
	})
	if diff := cmp.Diff(to.items.where(""), items); diff != "" {
		t.Fatalf("from %s to %s:\n%s", from.at, to.at, diff)
	}
}

// versionsOf returns the changes of an item, the newest first.
func (h *writtenTable) versionsOf(t *testing.T, key string) (all []writtenChange) {
	h.pages(t, "Versions", map[string]any{"Key": json.RawMessage("{" + key + "}")}, func(raw json.RawMessage) {
		var page struct{ Versions []writtenChange }
		if err := json.Unmarshal(raw, &page); err != nil {
			t.Fatal(err)
		}
		all = append(all, page.Versions...)
	})
	return all
}

// checkVersions applies the versions of each item to the first moment: each must find what the previous one left, and
// be what the model had at its time.
func (h *writtenTable) checkVersions(t *testing.T) {
	for _, pk := range []string{"a", "b", "c", "d"} {
		for sk := range 4 {
			key := writtenKey(pk, sk)
			items := h.moments[0].items.where("")
			versions := h.versionsOf(t, key)
			for _, v := range slices.Backward(versions) {
				v.Key = json.RawMessage("{" + key + "}")
				v.applyTo(t, items)
				h.checkVersion(t, &v)
			}
			if now := h.items.where("")[key]; items[key] != now {
				t.Fatalf("the versions of %s lead to %q, not %q", key, items[key], now)
			}
		}
	}
}

// checkVersion compares a version with the item at its time, and checks who made it.
func (h *writtenTable) checkVersion(t *testing.T, v *writtenChange) {
	items := h.itemsAt(t, v.At, "", "")
	if it, found := items[keyOfWritten(v.Key)]; found != (string(v.After) != "null") || found && it != canonical(v.After) {
		t.Fatalf("%s at %s is %q, not %s", v.Key, v.At, it, v.After)
	}
	kinds := map[string]string{"PutItem": "put", "UpdateItem": "update", "DeleteItem": "delete"}
	if v.User != "AKIDEXAMPLE" || v.Kind != kinds[v.Operation] && v.Operation != "TransactWriteItems" {
		t.Fatalf("%+v", v)
	}
}

// checkCounts compares the sum of all buckets with the number of versions.
func (h *writtenTable) checkCounts(t *testing.T) {
	var span struct {
		Earliest, Latest, Counted string
		Buckets                   []struct {
			From, To      string
			Puts, Deletes int
		}
	}
	h.read(t, "Span", map[string]any{}, &span)
	puts, deletes, at := 0, 0, span.Earliest
	for _, b := range span.Buckets {
		if b.From != at {
			t.Fatalf("a bucket begins at %s, not %s", b.From, at)
		}
		puts, deletes, at = puts+b.Puts, deletes+b.Deletes, b.To
	}
	if len(span.Buckets) > 0 && at != span.Latest || len(span.Buckets) > 200 {
		t.Fatalf("%d buckets up to %s, not %s", len(span.Buckets), at, span.Latest)
	}
	if span.Counted != span.Latest { // the bounds are small
		return
	}
	for _, pk := range []string{"a", "b", "c", "d"} {
		for sk := range 4 {
			for _, v := range h.versionsOf(t, writtenKey(pk, sk)) {
				if v.Kind == "delete" {
					deletes--
				} else {
					puts--
				}
			}
		}
	}
	if puts != 0 || deletes != 0 {
		t.Errorf("the buckets have %d puts and %d deletes more than the items", puts, deletes)
	}
}
