package telemetry

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

// answer is what the service said, or err when nothing was heard.
type answer struct {
	status int
	body   []byte
	err    error
}

// credential is what a sender shows.
type credential func(http.Header)

func nobody(http.Header) {}

func administrator(h http.Header) { h.Set("Authorization", "Bearer "+adminToken) }

func keyed(raw string) credential {
	return func(h http.Header) { h.Set("X-API-Key", raw) }
}

// send asks the service. It changes nothing in the world, so that many can send at once.
func (w *world) send(ctx context.Context, as credential, method, path string, body any) answer {
	text, err := json.Marshal(body)
	if err != nil {
		return answer{err: err}
	}
	if body == nil {
		text = nil
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://service/telemetry"+path, bytes.NewReader(text))
	if err != nil {
		return answer{err: err}
	}
	as(req.Header)
	if text != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := w.client.Do(req)
	if err != nil {
		return answer{err: err}
	}
	defer res.Body.Close()
	got, err := io.ReadAll(res.Body)
	return answer{res.StatusCode, got, err}
}

// act is what a sentence does: sentences after it speak of its answer and of what the store was asked for by it.
func (w *world) act(ctx context.Context, as credential, method, path string, body any) {
	w.Wire.Reset()
	w.last = w.send(ctx, as, method, path, body)
}

// must is act that has to succeed.
func (w *world) must(ctx context.Context, as credential, method, path string, body any) error {
	w.act(ctx, as, method, path, body)
	return w.last.ok()
}

func (a answer) ok() error {
	if a.err != nil || a.status/100 != 2 {
		return fmt.Errorf("the service answered %s", a)
	}
	return nil
}

func (a answer) String() string {
	if a.err != nil {
		return "nothing: " + a.err.Error()
	}
	return fmt.Sprintf("%d %s", a.status, a.body)
}

// read decodes a good answer.
func read[T any](a answer) (T, error) {
	var v T
	if err := a.ok(); err != nil {
		return v, err
	}
	return v, json.Unmarshal(a.body, &v)
}

// page is a page of any listing.
type page struct {
	Devices  []deviceRecord  `json:"devices"`
	Readings []readingRecord `json:"readings"`
	APIKeys  []keyRecord     `json:"api_keys"`
	Next     string          `json:"next_cursor"`
}

func (p page) size() int { return len(p.Devices) + len(p.Readings) + len(p.APIKeys) }

// listAll turns the pages of a listing from the first to the last. A last page may be empty: the store cannot always
// know that it has just given its last entry.
func (w *world) listAll(ctx context.Context, as credential, path string, query url.Values) error {
	w.Wire.Reset()
	w.pages = nil
	const tooMany = 1000
	for range tooMany {
		w.last = w.send(ctx, as, http.MethodGet, path+"?"+query.Encode(), nil)
		p, err := read[page](w.last)
		if err != nil {
			return err
		}
		if p.size() > 0 {
			w.pages = append(w.pages, p)
		}
		if p.Next == "" {
			return nil
		}
		query.Set("cursor", p.Next)
	}
	return fmt.Errorf("the list does not end after %d pages", tooMany)
}
