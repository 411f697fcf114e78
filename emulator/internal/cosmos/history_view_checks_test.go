package cosmos

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// writtenDocument returns a document without system properties, and its key in writtenItems.
func writtenDocument(text json.RawMessage) (key, content string) {
	var all map[string]any
	if json.Unmarshal(text, &all) != nil || all == nil {
		return "", ""
	}
	for name := range all {
		if strings.HasPrefix(name, "_") {
			delete(all, name)
		}
	}
	sorted, _ := json.Marshal(all)
	return fmt.Sprint(all["pk"], all["id"]), string(sorted)
}

// itemsAt returns the items at a moment, of a partition if pk is not empty.
func (h *writtenContainer) itemsAt(t *testing.T, at, pk string) writtenItems {
	t.Helper()
	request := map[string]any{"At": at}
	if pk != "" {
		request["PartitionKey"] = []string{pk}
	}
	all := writtenItems{}
	h.pages(t, "Items", request, func(raw json.RawMessage) {
		var page struct {
			At    string
			Items []json.RawMessage
			Count int
		}
		if err := json.Unmarshal(raw, &page); err != nil || page.At != at || page.Count != len(page.Items) {
			t.Fatalf("%s: %v", raw, err)
		}
		for _, it := range page.Items {
			key, content := writtenDocument(it)
			if _, twice := all[key]; twice || !strings.Contains(string(it), `"_etag":`) {
				t.Fatalf("at %s is %s", at, it)
			}
			all[key] = content
		}
	})
	return all
}

func (h *writtenContainer) checkMoments(t *testing.T) {
	for range 12 {
		a, b := h.random.IntN(len(h.moments)), h.random.IntN(len(h.moments))
		h.checkMoment(t, h.moments[a])
		h.checkDifference(t, h.moments[min(a, b)], h.moments[max(a, b)])
	}
}

// checkMoment compares the container, and a partition, with the model.
func (h *writtenContainer) checkMoment(t *testing.T, m writtenMoment) {
	t.Helper()
	if diff := cmp.Diff(m.items, h.itemsAt(t, m.at, "")); diff != "" {
		t.Fatalf("the container at %s:\n%s", m.at, diff)
	}
	if diff := cmp.Diff(m.items.of("b"), h.itemsAt(t, m.at, "b")); diff != "" {
		t.Fatalf("a partition at %s:\n%s", m.at, diff)
	}
}

// of returns the items of a partition.
func (w writtenItems) of(pk string) writtenItems {
	some := writtenItems{}
	for key, it := range w {
		if strings.HasPrefix(key, pk) {
			some[key] = it
		}
	}
	return some
}

// writtenChange is a change of an item in responses.
type writtenChange struct {
	At, Kind, User, Operation string
	Key, Before, After        json.RawMessage
}

// applyTo applies the change to items, which must be as the change found them.
func (c *writtenChange) applyTo(t *testing.T, items writtenItems) {
	t.Helper()
	beforeKey, before := writtenDocument(c.Before)
	key, after := writtenDocument(c.After)
	if key == "" {
		key = beforeKey
	}
	if items[key] != before {
		t.Fatalf("before the change of %s was %s, not %s", key, before, items[key])
	}
	if items[key] = after; after == "" {
		delete(items, key)
	}
}

// checkDifference applies the difference of two moments to the first.
func (h *writtenContainer) checkDifference(t *testing.T, from, to writtenMoment) {
	items := from.items.of("")
	h.pages(t, "Difference", map[string]any{"From": from.at, "To": to.at}, func(raw json.RawMessage) {
		var page struct{ Changes []writtenChange }
		if err := json.Unmarshal(raw, &page); err != nil {
			t.Fatal(err)
		}
		for _, c := range page.Changes {
			_, before := writtenDocument(c.Before)
			if _, after := writtenDocument(c.After); before == after {
				t.Fatalf("%s is the same at both moments", c.Key)
			}
			c.applyTo(t, items)
		}
	})
	if diff := cmp.Diff(to.items, items); diff != "" {
		t.Fatalf("from %s to %s:\n%s", from.at, to.at, diff)
	}
}

// checkVersions applies the versions of each item to an empty container: each must find what the previous one left, and
// be what the container had at its time.
func (h *writtenContainer) checkVersions(t *testing.T) {
	for _, pk := range []string{"a", "b", "c", "d"} {
		for _, id := range []string{"0", "1", "2", "3"} {
			var all []writtenChange
			key := json.RawMessage(fmt.Sprintf(`{"id":%q,"partitionKey":[%q]}`, id, pk))
			h.pages(t, "Versions", map[string]any{"Key": key}, func(raw json.RawMessage) {
				var page struct{ Versions []writtenChange }
				if err := json.Unmarshal(raw, &page); err != nil {
					t.Fatal(err)
				}
				all = append(all, page.Versions...)
			})
			items := writtenItems{}
			for _, v := range slices.Backward(all) {
				v.applyTo(t, items)
				if now := h.itemsAt(t, v.At, pk)[pk+id]; now != items[pk+id] {
					t.Fatalf("%s at %s is %q, not %q", key, v.At, now, items[pk+id])
				}
				if v.User != "primary key" || v.Kind == "delete" != (v.Operation == "DeleteDocument") {
					t.Fatalf("%+v", v)
				}
			}
			if items[pk+id] != h.items[pk+id] {
				t.Fatalf("the versions of %s lead to %q, not %q", key, items[pk+id], h.items[pk+id])
			}
		}
	}
}

// checkRestored restores a moment to a new container, and reads it.
func (h *writtenContainer) checkRestored(t *testing.T) {
	m := h.moments[h.random.IntN(len(h.moments))]
	var restored struct{ Items int }
	h.read(t, "Restore", map[string]any{"At": m.at, "NewContainer": "again"}, &restored)
	var feed struct{ Documents []json.RawMessage }
	if err := json.Unmarshal(h.ask(t, "GET", "/dbs/db/colls/again/docs", "", "", "X-Ms-Max-Item-Count", "1000"),
		&feed); err != nil {
		t.Fatal(err)
	}
	items := writtenItems{}
	for _, it := range feed.Documents {
		key, content := writtenDocument(it)
		items[key] = content
	}
	if diff := cmp.Diff(m.items, items); diff != "" || restored.Items != len(items) {
		t.Fatalf("restored from %s:\n%s", m.at, diff)
	}
}
