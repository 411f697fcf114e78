package script

import (
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// The error numbers and status codes that scripts see.
const (
	codeTooLarge    = 413
	codeNotModified = 304
	codeOK          = 200
	codeCreated     = 201
	codeNoContent   = 204
)

// job is a queued operation of a script.
type job struct {
	kind    string
	details doc.Value
	awaited bool // it has a callback; otherwise an error ends the script
}

// drain runs the queued operations one by one, including those queued in the meantime.
func (s *session) drain() error {
	for {
		next, err := s.callPrelude("next", "")
		if err != nil || !next.Defined() {
			return err
		}
		if err := s.Tick(); err != nil {
			return err
		}
		err = s.do(job{kind: next.Field("kind").Str(), details: next.Field("details"),
			awaited: next.Field("awaited").IsTrue()})
		if err != nil {
			return err
		}
	}
}

func (s *session) do(j job) error {
	s.work.EndTurn() // a query takes its own turns
	resource, options, err := s.perform(j)
	if tickErr := s.Tick(); tickErr != nil { // a query ends at the script's time limit
		return tickErr
	}
	var status *StatusError
	switch {
	case errors.As(err, &status) && !j.awaited:
		return s.threw("Error: "+clip(status.Message), "", status.Status)
	case errors.As(err, &status):
		return s.done(doc.Member{Name: "error", Value: doc.Object(
			doc.Member{Name: "number", Value: doc.Number(float64(status.Status))},
			doc.Member{Name: "message", Value: doc.String(status.Message)},
		)})
	case err != nil || !j.awaited:
		return err
	}
	return s.done(doc.Member{Name: "resource", Value: resource}, doc.Member{Name: "options", Value: options})
}

// done passes the result of an operation to the script.
func (s *session) done(members ...doc.Member) error {
	if _, err := s.callPrelude("done", doc.Object(members...).JSON()); err != nil {
		return err
	}
	return s.vm.Jobs()
}

// perform runs an operation and returns the resource, or list, and the options for the callback.
func (s *session) perform(j job) (resource, options doc.Value, err error) {
	d := j.details
	target := Target{RID: d.Field("target").Field("rid").Str(), ID: d.Field("target").Field("id").Str()}
	o := Options{Etag: d.Field("etag").Str(), IfNoneMatch: d.Field("ifNoneMatch").Str(),
		IndexAction: d.Field("indexAction").Str()}
	status := codeOK
	switch j.kind {
	case "create":
		status = codeCreated
		resource, err = s.collection.Create(s.written(d), o)
	case "upsert":
		resource, err = s.collection.Upsert(s.written(d), o)
	case "read":
		if resource, err = s.collection.Read(target, o); err == nil && !resource.Defined() {
			return resource, s.options(codeNotModified).With("notModified", doc.Bool(true)), nil
		}
	case "replace":
		resource, err = s.collection.Replace(target, d.Field("body"), o)
	case "delete":
		status = codeNoContent
		err = s.collection.Delete(target, o)
	default:
		return s.feed(j)
	}
	return resource, s.options(status), err
}

// written returns the item that an operation writes, with a generated id if the script asks for one.
func (s *session) written(details doc.Value) doc.Value {
	body := details.Field("body")
	if details.Field("newID").IsTrue() && body.Kind() == doc.Map {
		return body.With("id", doc.String(s.collection.NewID()))
	}
	return body
}

// options returns the options for a callback.
func (s *session) options(status int) doc.Value {
	most, used := s.collection.Quota()
	return doc.Object(
		doc.Member{Name: "statusCode", Value: doc.Number(float64(status))},
		doc.Member{Name: "maxCollectionSizeInMB", Value: doc.String(most)},
		doc.Member{Name: "currentCollectionSizeInMB", Value: doc.String(used)},
	)
}

// feed is perform for operations that return lists.
func (s *session) feed(j job) (list, options doc.Value, err error) {
	var rows []doc.Value
	var next string
	switch j.kind {
	case "list":
		rows, next, err = s.collection.List(s.feedOf(j.details))
	case "query":
		rows, next, err = s.collection.Query(j.details.Field("query"), s.feedOf(j.details))
	case "scan":
		rows, err = s.scan()
	}
	options = s.options(codeOK)
	if next != "" {
		options = options.With("continuation", doc.String(next))
	}
	return doc.Array(rows...), options, err
}

func (s *session) feedOf(details doc.Value) Feed {
	f := details.Field("feed")
	return Feed{PageSize: int(max(-1, min(maxNodes, f.Field("pageSize").Float()))),
		Continuation: f.Field("continuation").Str(),
		EnableScan:   f.Field("enableScan").IsTrue(),
		Time:         max(1, s.engine.config.Time-s.elapsed())}
}

const scanPage = 1000

// scan returns all items of the partition.
func (s *session) scan() ([]doc.Value, error) {
	var rows []doc.Value
	var text []byte // of a page
	bytes := 0
	f := Feed{PageSize: scanPage}
	for {
		if err := s.Tick(); err != nil {
			return nil, err
		}
		page, next, err := s.collection.List(f)
		if err != nil {
			return nil, err
		}
		rows, text = append(rows, page...), doc.Append(text[:0], doc.Array(page...))
		if bytes += len(text); bytes <= maxText && next == "" {
			return rows, nil
		}
		if bytes > maxText || len(rows) > maxScanned {
			return nil, &StatusError{Status: codeTooLarge,
				Message: "The partition is too large for a query in JavaScript; use queryDocuments."}
		}
		f.Continuation = next
	}
}
