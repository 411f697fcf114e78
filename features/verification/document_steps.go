package verification

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/httpapi"
)

func (w *world) documentSteps(sc *godog.ScenarioContext) {
	sc.Step(`^"([^"]*)" announces the document "([^"]*)" of "([^"]*)"$`, w.announces)
	sc.Step(`^"([^"]*)" uploads the document "([^"]*)" of "([^"]*)"$`, w.uploads)
	sc.Step(`^"([^"]*)" announces (\d+) documents of "([^"]*)" at once$`, w.announcesAtOnce)
	sc.Step(`^the file of "([^"]*)" is sent$`, func(ctx context.Context, name string) error {
		return w.sendFile(ctx, name, nil)
	})
	sc.Step(`^the file of "([^"]*)" is sent with (.+)$`, w.sendWrongly)
	sc.Step(`^"([^"]*)" requests a new upload address for "([^"]*)"$`, w.requestsNewAddress)
	sc.Step(`^"([^"]*)" confirms the upload of "([^"]*)"$`, w.confirms)
	sc.Step(`^"([^"]*)" lists the documents of "([^"]*)"$`, func(ctx context.Context, name, called string) error {
		path, err := w.path(called)
		if err != nil {
			return err
		}
		return w.act(ctx, name, http.MethodGet, path+"/documents", nil)
	})
	sc.Step(`^"([^"]*)" announces the document "([^"]*)" of "([^"]*)" with its SHA-256$`, w.announcesHashed)
	sc.Step(`^"([^"]*)" has announced (\d+) documents of "([^"]*)"$`, w.announcesMany)
	sc.Step(`^the file of "([^"]*)" becomes (another of its size|longer|another type) in the folder$`, w.replaceFile)
	sc.Step(`^before the next change is stored, "([^"]*)" announces the document "([^"]*)" of "([^"]*)"$`,
		func(name, side, called string) {
			w.beforeNextChange(func(ctx context.Context) error {
				if err := w.announces(ctx, name, side, called); err != nil {
					return err
				}
				return w.Last.Succeeded()
			})
		})
	sc.Step(`^before the next change is stored, "([^"]*)" is marked as (\w+)$`, func(side, status string) {
		w.beforeNextChange(func(ctx context.Context) error {
			if err := w.marksDocument(ctx, side, status); err != nil {
				return err
			}
			return w.Last.Succeeded()
		})
	})
	sc.Step(`^processing marks "([^"]*)" as (\w+)$`, w.marksDocument)
	sc.Step(`^processing gives "([^"]*)" the results (\{.*\})$`, func(ctx context.Context, side, results string) error {
		return w.sendResult(ctx, side, map[string]any{"status": "processed", "processingResults": json.RawMessage(results)})
	})
	sc.Step(`^the service keeps files in a folder$`, w.keepFiles)
	sc.Step(`^the folder holds (no|\d+) files?$`, w.folderHolds)
}

// content returns a file that begins like a picture.
func content(name string) []byte { return []byte("\xff\xd8\xff\xe0 " + name) }

func (w *world) announces(ctx context.Context, name, side, called string) error {
	return w.announcesAs(ctx, name, side, called, nil)
}

// announcesHashed announces a document with the hash of its file.
func (w *world) announcesHashed(ctx context.Context, name, side, called string) error {
	sum := sha256.Sum256(content(side))
	return w.announcesAs(ctx, name, side, called, map[string]any{"sha256": hex.EncodeToString(sum[:])})
}

// announcesAs announces a document with additional fields.
func (w *world) announcesAs(ctx context.Context, name, side, called string, more map[string]any) error {
	path, err := w.path(called)
	if err != nil {
		return err
	}
	d := &document{caseName: called, kind: "image/jpeg", content: content(side)}
	body := map[string]any{"documentType": side, "fileSize": len(d.content), "mimeType": d.kind}
	maps.Copy(body, more)
	if err := w.act(ctx, name, http.MethodPost, path+"/documents", body); err != nil || w.Last.Status/100 != 2 {
		return err
	}
	made, err := httpapi.Decode[struct {
		Document struct{ DocumentID, S3Key string }
		Upload   struct{ URL string }
	}](w.Last)
	d.id, d.url = made.Document.DocumentID, made.Upload.URL
	w.documents[side] = d
	w.Set(stepName(side), d.id)
	w.Set("file of "+stepName(side), made.Document.S3Key)
	return err
}

// stepName returns a name in the form that steps use in {braces}.
func stepName(name string) string { return strings.ReplaceAll(name, "_", "-") }

func (w *world) announcesMany(ctx context.Context, name string, n int, called string) error {
	for range n {
		if err := w.announces(ctx, name, "selfie", called); err != nil {
			return err
		}
		if err := w.Last.Succeeded(); err != nil {
			return err
		}
	}
	return nil
}

// replaceFile acts as a caller who can write to the folder.
func (w *world) replaceFile(side, how string) error {
	d, err := w.document(side)
	if err != nil {
		return err
	}
	to := map[string][]byte{
		"another of its size": append(bytes.Clone(d.content[:len(d.content)-1]), '!'),
		"longer":              append(bytes.Clone(d.content), '!'),
		"another type":        bytes.Repeat([]byte("x"), len(d.content)),
	}[how]
	key, err := w.Fill("{file of " + stepName(side) + "}")
	if err != nil {
		return err
	}
	path := filepath.Join(w.files, filepath.FromSlash(key))
	if err := os.Remove(path); err != nil { // fails if it is missing; it may be read-only
		return err
	}
	return os.WriteFile(path, to, 0o600)
}

func (w *world) announcesAtOnce(ctx context.Context, name string, n int, called string) error {
	path, err := w.path(called)
	if err != nil {
		return err
	}
	as, err := w.as(ctx, name)
	if err != nil {
		return err
	}
	w.SendConcurrently(n, func(int) httpapi.Response {
		return w.Send(ctx, as, http.MethodPost, path+"/documents", map[string]any{"documentType": "selfie", "fileSize": 10,
			"mimeType": "image/png"})
	})
	return nil
}

// uploads announces a document, sends its file and reports that it is there.
func (w *world) uploads(ctx context.Context, name, side, called string) error {
	if err := w.announces(ctx, name, side, called); err != nil {
		return err
	}
	if err := w.Last.Succeeded(); err != nil {
		return err
	}
	if err := w.sendFile(ctx, side, nil); err != nil {
		return err
	}
	if err := w.Last.Succeeded(); err != nil {
		return err
	}
	return w.confirms(ctx, name, side)
}

// requestsNewAddress requests a new upload address. If there is one, the file is sent to it from now on.
func (w *world) requestsNewAddress(ctx context.Context, name, side string) error {
	d, err := w.document(side)
	if err != nil {
		return err
	}
	path, err := w.path(d.caseName)
	if err != nil {
		return err
	}
	if err := w.act(ctx, name, http.MethodPost, path+"/documents/"+d.id+"/upload", nil); err != nil ||
		w.Last.Status/100 != 2 {
		return err
	}
	renewed, err := httpapi.Decode[struct{ Upload struct{ URL string } }](w.Last)
	d.url = renewed.Upload.URL
	return err
}

func (w *world) document(side string) (*document, error) {
	d, ok := w.documents[side]
	if !ok {
		return nil, fmt.Errorf("there is no document %q in this scenario", side)
	}
	return d, nil
}

// sendFile sends the file to its address, modified by change.
func (w *world) sendFile(ctx context.Context, side string, change func(*document)) error {
	d, err := w.document(side)
	if err != nil {
		return err
	}
	sent := *d
	if change != nil {
		change(&sent)
	}
	w.SendStep(ctx, httpapi.Header("Content-Type", sent.kind), http.MethodPut, strings.TrimPrefix(sent.url,
		"/verification"),
		sent.content)
	return nil
}

func (w *world) sendWrongly(ctx context.Context, side, how string) error {
	query := func(name, value string) func(*document) {
		return func(d *document) {
			path, text, _ := strings.Cut(d.url, "?")
			q, _ := url.ParseQuery(text) // the service created it
			q.Set(name, value)
			d.url = path + "?" + q.Encode()
		}
	}
	path := func(to string) func(*document) {
		return func(d *document) { d.url = "/verification/uploads/" + to + "?" + strings.SplitN(d.url, "?", 2)[1] }
	}
	change, known := map[string]func(*document){
		"another content of its size": func(d *document) { d.content = bytes.Repeat([]byte("x"), len(d.content)) },
		"a byte more":                 func(d *document) { d.content = append(bytes.Clone(d.content), 'x') },
		"a byte less":                 func(d *document) { d.content = d.content[:len(d.content)-1] },
		"another picture of its size": func(d *document) {
			d.content = append(bytes.Clone(d.content[:len(d.content)-1]), '!')
		},
		"another SHA-256":            query("sha256", strings.Repeat("0", 64)),
		"another type":               func(d *document) { d.kind = "image/png" },
		"a changed size":             query("size", "10000000"),
		"a later expiry":             query("expires", "4102444800"),
		"a changed type":             query("type", "text/html"),
		"another signature":          query("signature", strings.Repeat("0", 64)),
		"a way out of the folder":    path("..%2f..%2f..%2fetc%2fpasswd"),
		"a dotted way out":           path("2026-01-01/../../x"),
		"another document's address": path("2026-01-01/" + nobodysCase + "/doc_00000000-0000-4000-8000-000000000000"),
	}[how]
	if !known {
		return fmt.Errorf("unknown way to send it: %s", how)
	}
	return w.sendFile(ctx, side, change)
}

func (w *world) confirms(ctx context.Context, name, side string) error {
	d, err := w.document(side)
	if err != nil {
		return err
	}
	path, err := w.path(d.caseName)
	if err != nil {
		return err
	}
	return w.act(ctx, name, http.MethodPost, path+"/documents/"+d.id+"/uploaded", nil)
}

func (w *world) marksDocument(ctx context.Context, side, status string) error {
	body := map[string]any{"status": status}
	if status == "processed" {
		body["processingResults"] = map[string]any{"faceMatch": 0.98}
	}
	return w.sendResult(ctx, side, body)
}

// sendResult sends the result of processing a document.
func (w *world) sendResult(ctx context.Context, side string, body map[string]any) error {
	d, err := w.document(side)
	if err != nil {
		return err
	}
	path, err := w.path(d.caseName)
	if err != nil {
		return err
	}
	return w.review(ctx, "rita", http.MethodPost, path+"/documents/"+d.id+"/status", body)
}

// matches returns a step that matches a text, with its names replaced, against a pattern.
func (w *world) matches(pattern string) func(string) error {
	return func(text string) error {
		got, err := w.Fill(text)
		if err == nil && !regexp.MustCompile(pattern).MatchString(got) {
			err = errors.New("it is " + got)
		}
		return err
	}
}
