package script

import (
	"context"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// Trigger is an execution of a trigger.
type Trigger struct {
	Name, Source string
	// Operation is the operation on the item: Create, Replace, Upsert or Delete.
	Operation string
	// Request is the item to be written; for a delete, the existing item.
	Request doc.Value
	// Response is the written item, for a post-trigger.
	Response doc.Value
}

// PreTrigger executes a trigger before the operation and returns the item to write instead of the request's.
func (e *Engine) PreTrigger(ctx context.Context, t Trigger, c Collection) (doc.Value, error) {
	m := messages{request: t.request(), writable: true}
	var body doc.Value
	err := e.execute(ctx, t.Name, t.Source, nil, c, m, func(s *session) (err error) {
		body, err = s.callPrelude("body", "request")
		return err
	})
	if err == nil && body.Kind() == doc.Text { // a script may set it as JSON text
		if v, parseErr := doc.Parse([]byte(body.Str())); parseErr == nil {
			body = v
		}
	}
	return body, err
}

// PostTrigger executes a trigger after the operation and returns the response body that replaces the written item.
func (e *Engine) PostTrigger(ctx context.Context, t Trigger, c Collection) (doc.Value, error) {
	m := messages{request: t.request(), response: doc.Object(doc.Member{Name: "Body", Value: t.Response})}
	var body doc.Value
	err := e.execute(ctx, t.Name, t.Source, nil, c, m, func(s *session) (err error) {
		body, err = s.callPrelude("body", "response")
		return err
	})
	return body, err
}

func (t Trigger) request() doc.Value {
	return doc.Object(
		doc.Member{Name: "Body", Value: t.Request},
		doc.Member{Name: "OperationType", Value: doc.String(t.Operation)},
	)
}
