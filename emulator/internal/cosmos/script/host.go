package script

import (
	"errors"
	"net/url"

	"github.com/dop251/goja"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// The numbers of errors that scripts see.
const (
	codeTooLarge    = 413
	codeNotModified = 304
	codeOK          = 200
	codeCreated     = 201
	codeNoContent   = 204
)

// host is what api.js stands on: one execution's collection, and the operations that the script queued.
type host struct {
	*session
	collection Collection
	queue      []job
	messages   *goja.Object
}

// job is an operation that waits for the script's turn to end.
type job struct {
	kind     string
	details  doc.Value
	callback goja.Callable // nil: an error ends the script
}

// messages is the request and the response of an execution, as api.js takes them. An undefined value is none.
type messages struct {
	request, response doc.Value // objects of named values, such as Body; undefined: there is none
	writable          bool      // the request's body
	logs              bool
}

func (s *session) host(c Collection, m messages) (*host, error) {
	h := &host{session: s, collection: c, messages: s.rt.NewObject()}
	in := s.importer()
	writable := []any{}
	if m.writable {
		writable = append(writable, "Body")
	}
	if m.response.Defined() {
		most, used := c.Quota()
		m.response = m.response.With("MaxResourceQuota", doc.String(most)).With("ResourceQuotaCurrentUsage", doc.String(used))
	}
	for name, v := range map[string]any{
		"selfLink": c.SelfLink(), "altLink": c.AltLink(), "guid": c.NewID, "maxMessage": MaxResponse, "logs": m.logs,
		"request": in.value(m.request), "response": in.value(m.response), "requestWritable": s.rt.NewArray(writable...),
		"submit": h.submit, "abort": h.abort, "log": h.console,
	} {
		if err := h.messages.Set(name, v); err != nil {
			return nil, err
		}
	}
	if in.err != nil {
		return nil, s.threw("RangeError: "+in.err.Error(), "", codeTooLarge)
	}
	v, err := s.rt.RunProgram(apiProgram)
	if err != nil {
		return nil, err
	}
	setup, _ := goja.AssertFunction(v)
	_, err = setup(goja.Undefined(), h.messages)
	return h, err
}

// submit queues an operation: submit(kind, details, callback). It is false where the script is to come to its end.
func (h *host) submit(call goja.FunctionCall) goja.Value {
	if h.dog.elapsed() > h.dog.budget*acceptTenths/10 || !h.collection.Accepts() {
		return h.rt.ToValue(false)
	}
	callback, _ := goja.AssertFunction(call.Argument(2))
	h.queue = append(h.queue, job{call.Argument(0).String(), h.document(call.Argument(1)), callback})
	return h.rt.ToValue(true)
}

// abort ends the script with an error: abort(err).
func (h *host) abort(call goja.FunctionCall) goja.Value {
	text, number := h.describe(call.Argument(0))
	h.aborted = h.threw(text, "", number)
	h.rt.Interrupt(errAbort)
	return goja.Undefined()
}

func (h *host) console(call goja.FunctionCall) goja.Value {
	text := url.PathEscape(h.text(call.Argument(0)))
	if h.log.Len()+len(text) > MaxLog {
		h.throw(codeTooLarge, "Resulting message would be too large because of %q. Return from script with current message and use continuation token to call the script again or modify your script.", "x-ms-documentdb-script-log-results")
	}
	h.log.WriteString(text)
	return goja.Undefined()
}

// drain does what the script queued, and what it queues meanwhile, one after the other.
func (h *host) drain() error {
	for len(h.queue) > 0 && h.aborted == nil {
		next := h.queue[0]
		h.queue = h.queue[1:]
		if err := h.do(next); err != nil {
			return err
		}
	}
	return nil
}

func (h *host) do(j job) error {
	resource, options, err := h.perform(j)
	var status *StatusError
	switch {
	case errors.As(err, &status) && j.callback == nil:
		return h.threw("Error: "+clip(status.Message), "", status.Status)
	case errors.As(err, &status):
		_, err = j.callback(goja.Undefined(), h.newError(status.Status, status.Message))
		return err
	case err != nil:
		return err
	case j.callback == nil:
		return nil
	}
	args, err := h.arguments([]doc.Value{{}, resource, options})
	if err != nil {
		_, err = j.callback(goja.Undefined(), h.newError(codeTooLarge, err.Error()))
		return err
	}
	if j.kind == "delete" { // its callback has no resource
		args = []goja.Value{args[0], args[2]}
	}
	_, err = j.callback(goja.Undefined(), args...)
	return err
}

// perform does an operation: the resource, or list, and the options that a callback gets.
func (h *host) perform(j job) (resource, options doc.Value, err error) {
	d := j.details
	target := Target{RID: d.Field("target").Field("rid").Str(), ID: d.Field("target").Field("id").Str()}
	o := Options{Etag: d.Field("etag").Str(), IfNoneMatch: d.Field("ifNoneMatch").Str(), IndexAction: d.Field("indexAction").Str()}
	status := codeOK
	switch j.kind {
	case "create":
		status = codeCreated
		resource, err = h.collection.Create(d.Field("body"), o)
	case "upsert":
		resource, err = h.collection.Upsert(d.Field("body"), o)
	case "read":
		if resource, err = h.collection.Read(target, o); err == nil && !resource.Defined() {
			return resource, h.options(codeNotModified).With("notModified", doc.Bool(true)), nil
		}
	case "replace":
		resource, err = h.collection.Replace(target, d.Field("body"), o)
	case "delete":
		status = codeNoContent
		err = h.collection.Delete(target, o)
	default:
		return h.feed(j)
	}
	return resource, h.options(status), err
}

// options are what callbacks are told besides what they asked for.
func (h *host) options(status int) doc.Value {
	most, used := h.collection.Quota()
	return doc.Object(
		doc.Member{Name: "statusCode", Value: doc.Number(float64(status))},
		doc.Member{Name: "maxCollectionSizeInMB", Value: doc.String(most)},
		doc.Member{Name: "currentCollectionSizeInMB", Value: doc.String(used)},
	)
}

// feed is perform of the operations that give lists.
func (h *host) feed(j job) (list, options doc.Value, err error) {
	var rows []doc.Value
	var next string
	switch j.kind {
	case "list":
		rows, next, err = h.collection.List(feedOf(j.details))
	case "query":
		rows, next, err = h.collection.Query(j.details.Field("query"), feedOf(j.details))
	case "scan":
		rows, err = h.scan()
	}
	options = h.options(codeOK)
	if next != "" {
		options = options.With("continuation", doc.String(next))
	}
	return doc.Array(rows...), options, err
}

func feedOf(details doc.Value) Feed {
	f := details.Field("feed")
	return Feed{PageSize: int(max(-1, min(maxNodes, f.Field("pageSize").Float()))), Continuation: f.Field("continuation").Str(),
		EnableScan: f.Field("enableScan").IsTrue()}
}

const scanPage = 1000

// scan is all items of the partition.
func (h *host) scan() ([]doc.Value, error) {
	var rows []doc.Value
	f := Feed{PageSize: scanPage}
	for !h.dog.stopped.Load() {
		page, next, err := h.collection.List(f)
		rows = append(rows, page...)
		if err != nil || next == "" {
			return rows, err
		}
		if len(rows) > maxNodes/8 {
			return nil, &StatusError{Status: codeTooLarge, Message: "The partition is too large for a query in JavaScript; use queryDocuments."}
		}
		f.Continuation = next
	}
	return rows, nil
}
