// Package idempotency makes creations idempotent, as draft-ietf-httpapi-idempotency-key-header specifies. A repeated
// request with the same Idempotency-Key and the same body gets what the first request created; with another body it
// gets 422, and while the first request is in progress 409.
//
// A marker of the key is written in the transaction that creates the resource, so that either both exist or neither
// does; it expires by its table's TTL. Where the store rejects a second resource with the same id, the id can be
// derived from the key and no marker is needed: see ID.
package idempotency

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/internal/retry"
	"github.com/tabletop-db/tabletop/backend/internal/web"
)

const (
	// Lifetime is the minimum time for which a key is remembered.
	Lifetime = 24 * time.Hour

	maxAttempts = 6 // of a creation that conflicts with another one
	firstPause  = 5 * time.Millisecond

	attributeFingerprint = "fingerprint"
	attributeResource    = "made"
)

var (
	// ErrKeyReused rejects a key that was used with a different request.
	ErrKeyReused  = web.Invalid("header.Idempotency-Key", "was already used for a different request; use a new key")
	errInProgress = web.Conflict(
		"another request with this Idempotency-Key is in progress; send the same request again later")
)

// Header is the optional header of a request that creates a resource. Embed it in the operation's input.
type Header struct {
	IdempotencyKey string `header:"Idempotency-Key" minLength:"1" maxLength:"255" pattern:"^[!-~]{1,255}$" patternDescription:"up to 255 printable ASCII characters" doc:"A repeat with the same key and body creates nothing again, for at least 24 hours"`
}

// Resolve implements huma.Resolver. It rejects a header that is present but empty: treating it as absent would create a
// resource twice for a client that believes it sent a key.
func (Header) Resolve(ctx huma.Context) (errs []error) {
	ctx.EachHeader(func(name, value string) {
		if value == "" && strings.EqualFold(name, "Idempotency-Key") {
			errs = []error{&huma.ErrorDetail{Location: "header.Idempotency-Key",
				Message: "is empty; send a key or omit the header"}}
		}
	})
	return errs
}

// Created is the response to a creation.
type Created[T any] struct {
	Status   int
	Replayed string `header:"Idempotency-Replayed" doc:"true when an earlier request with the same key created it"`
	Body     T
}

// NewCreated returns 201 with a new resource, 200 with one that an earlier request created, or the error.
func NewCreated[T any](body T, replayed bool, err error) (*Created[T], error) {
	if replayed {
		return &Created[T]{Status: http.StatusOK, Replayed: "true", Body: body}, err
	}
	return &Created[T]{Status: http.StatusCreated, Body: body}, err
}

// Operation describes a POST that creates a resource, with both of its responses and its errors.
func Operation(id, path, summary, description string) huma.Operation {
	op := web.CreateOperation(id, http.MethodPost, path, summary, description)
	op.Responses = map[string]*huma.Response{
		"200": {Description: "What the first request with this Idempotency-Key created, in its current state"}}
	op.Errors = []int{http.StatusConflict}
	return op
}

// Markers describes where a system stores the markers of keys. All fields but Extra, Hash, OnRetry and Wait are
// required.
type Markers struct {
	Client  *dynamodb.Client
	Table   *string
	TTL     string                            // the TTL attribute of the table, in epoch seconds
	Key     func(caller, key string) ddb.Item // the primary key of a marker; key is a hash in hex
	Extra   func(now time.Time) ddb.Item      // attributes that every item of the table has; may be nil
	Hash    func(text string) string          // hashes keys and bodies, which are never stored; SHA-256 when nil
	OnRetry func(error)                       // called with each failure that is retried; may be nil
	Wait    func(context.Context, time.Duration) error
}

// Request is a creation request as its marker stores it.
type Request struct {
	caller, key, fingerprint string // the last two are hashes
	now                      time.Time
}

// Request returns the request of a caller for an operation, identified by its id and path. It returns nil without a
// key: then nothing is stored. The body is compared as decoded, regardless of how it was written.
func (m Markers) Request(now time.Time, caller, operation, key string, body any) (*Request, error) {
	if key == "" {
		return nil, nil
	}
	text, err := json.Marshal([]any{operation, body})
	if err != nil {
		return nil, err
	}
	return &Request{caller: caller, key: m.hash("key " + key), fingerprint: m.hash("body " + string(text)), now: now}, nil
}

func (m Markers) hash(text string) string {
	if m.Hash != nil {
		return m.Hash(text)
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// ID derives from a key the id of the resource that its request creates for its owner, in the form of a version 4 UUID.
// Every request with the key gets the same id, and the id does not reveal the key. A repeated creation finds the first
// one under the id and needs no marker.
func ID(owner, key string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s %s", len(owner), owner, key))
	id := uuid.UUID(sum[:16])
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80 // version 4, and the variant of RFC 9562
	return id.String()
}

// Mark returns the action of a transaction that stores the marker with a reference to the created resource; nil without
// a key.
type Mark func(ref string) *types.Put

// ErrMarkerExists means that the marker's condition did not hold: another request with the key was faster.
var ErrMarkerExists = errors.New("the idempotency key already exists")

// Once creates a resource, or returns the one that an earlier request with the key created; replayed reports which.
// create stores the resource together with the marker and returns ErrMarkerExists when the marker exists; load reads
// the resource by the reference that create passed to Mark.
func Once[T any](ctx context.Context, m Markers, r *Request, create func(Mark) (T, error), load func(ref string) (T,
	error)) (resource T, replayed bool, err error) {
	if r == nil {
		resource, err = create(nil)
		return resource, false, err
	}
	policy := retry.Policy{Retryable: []error{errTransient}, MaxAttempts: maxAttempts, FirstPause: firstPause,
		OnRetry: m.OnRetry, Wait: m.Wait}
	err = policy.Do(ctx, func() error {
		ref, found, err := m.find(ctx, r)
		switch {
		case err != nil:
			return err
		case found:
			replayed = true
			resource, err = load(ref)
			return err
		}
		resource, err = create(m.mark(r))
		if errors.Is(err, ErrMarkerExists) || errors.Is(err, ddb.ErrBusy) {
			return fmt.Errorf("%w: %w", errTransient, err)
		}
		return err
	})
	return resource, replayed, mapConflict(err)
}

// errTransient means that a creation conflicted with another one or met a busy database, and succeeds when it is
// retried.
var errTransient = errors.New("another request was faster, or the database is busy")

// mapConflict returns the error for the caller when all attempts conflicted with another request.
func mapConflict(err error) error {
	if errors.Is(err, ErrMarkerExists) || errors.Is(err, ddb.ErrConflict) {
		return errInProgress
	}
	return err
}

// find looks up the marker of a key. An expired marker does not count, though DynamoDB deletes it only some time later.
func (m Markers) find(ctx context.Context, r *Request) (ref string, found bool, err error) {
	out, err := m.Client.GetItem(ctx, &dynamodb.GetItemInput{TableName: m.Table, Key: m.Key(r.caller, r.key),
		ConsistentRead: aws.Bool(true)})
	switch {
	case err != nil:
		return "", false, ddb.MapError(err)
	case out.Item == nil || ddb.Integer(out.Item[m.TTL]) <= r.now.Unix():
		return "", false, nil
	case ddb.Text(out.Item[attributeFingerprint]) != r.fingerprint:
		return "", false, ErrKeyReused
	}
	return ddb.Text(out.Item[attributeResource]), true, nil
}

// mark returns the Mark of a request: a put that fails if an unexpired marker exists.
func (m Markers) mark(r *Request) Mark {
	return func(ref string) *types.Put {
		item := m.Key(r.caller, r.key)
		condition := "attribute_not_exists(#key) OR #ttl <= :now"
		names := map[string]string{"#ttl": m.TTL, "#key": slices.Min(slices.Collect(maps.Keys(item)))} // any key
		if m.Extra != nil {
			maps.Copy(item, m.Extra(r.now))
		}
		item[attributeFingerprint], item[attributeResource] = ddb.Str(r.fingerprint), ddb.Str(ref)
		item[m.TTL] = ddb.Number(r.now.Add(Lifetime).Unix())
		return &types.Put{
			TableName: m.Table, Item: item, ConditionExpression: &condition,
			ExpressionAttributeNames: names, ExpressionAttributeValues: ddb.Item{":now": ddb.Number(r.now.Unix())},
		}
	}
}

// Put stores items and their marker in one transaction. The marker is the last action and the only one whose condition
// may fail.
func Put(ctx context.Context, client *dynamodb.Client, puts ...*types.Put) error {
	actions := make([]types.TransactWriteItem, 0, len(puts))
	for _, put := range puts {
		actions = append(actions, types.TransactWriteItem{Put: put})
	}
	_, txErr := client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: actions})
	if txErr == nil {
		return nil
	}
	failedConditions, err := ddb.MapTransactionError(txErr)
	switch {
	case len(failedConditions) == 1 && failedConditions[0] == len(puts)-1:
		return ErrMarkerExists
	case len(failedConditions) > 0:
		return txErr
	}
	return err
}
