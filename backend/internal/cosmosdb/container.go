package cosmosdb

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/tabletop-db/tabletop/backend/internal/retry"
)

// Container is a container whose partition key is a single string. Each call is retried while the database is too busy
// or does not respond, for about 15 seconds beyond the SDK's own retries, so that throttling loses nothing (NT-L7).
type Container struct {
	client *azcosmos.ContainerClient
	wait   retry.Wait
	logger *slog.Logger
}

// NewContainer returns the container that client addresses.
func NewContainer(client *azcosmos.ContainerClient, wait retry.Wait, logger *slog.Logger) *Container {
	return &Container{client, wait, logger}
}

const (
	maxAttempts = 10
	firstPause  = 20 * time.Millisecond // mean; doubles with each attempt, unless the database asks for more
	maxPause    = 5 * time.Second
)

// do calls call, a request to the partition key, and retries it while a retry may help. mayBeApplied reports whether an
// earlier attempt got no response and may have been applied.
func (c *Container) do(ctx context.Context, key string, call func(mayBeApplied bool) (azcosmos.Response, error)) error {
	mayBeApplied, pause := false, time.Duration(0)
	policy := retry.Policy{
		Retryable: []error{ErrBusy, ErrUnreachable}, MaxAttempts: maxAttempts, FirstPause: firstPause,
		MaxPause: maxPause, Wait: c.wait,
		RetryAfter: func(error) time.Duration { return pause },
	}
	return policy.Do(ctx, func() error {
		out, err := call(mayBeApplied)
		c.recordResponse(ctx, key, out, err)
		if err == nil {
			return nil
		}
		pause = retryAfter(err)
		mayBeApplied = mayBeApplied || pause == 0
		return MapError(err)
	})
}

// Read decodes a document into v by its id and partition key and returns its ETag. Errors: ErrNotFound.
func (c *Container) Read(ctx context.Context, key, id string, v any) (azcore.ETag, error) {
	var out azcosmos.ItemResponse
	err := c.do(ctx, key, func(bool) (_ azcosmos.Response, err error) {
		out, err = c.client.ReadItem(ctx, azcosmos.NewPartitionKeyString(key), id,
			&azcosmos.ItemOptions{SessionToken: c.session(ctx, key)})
		return out.Response, err
	})
	if err != nil {
		return "", err
	}
	return out.ETag, json.Unmarshal(out.Value, v)
}

// Create writes a new document with an id that no other caller generates. Errors: ErrExists, unless an earlier attempt
// of this call may have written the document.
func (c *Container) Create(ctx context.Context, key string, v any) error {
	return c.create(ctx, key, v, func(mayBeApplied bool) bool { return mayBeApplied })
}

// CreateNamed writes a new document with an id that other callers may choose too. Errors: ErrExists, even where an
// earlier attempt of this call may have written the document.
func (c *Container) CreateNamed(ctx context.Context, key string, v any) error {
	return c.create(ctx, key, v, func(bool) bool { return false })
}

func (c *Container) create(ctx context.Context, key string, v any, acceptExisting func(mayBeApplied bool) bool) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return c.do(ctx, key, func(mayBeApplied bool) (azcosmos.Response, error) {
		out, err := c.client.CreateItem(ctx, azcosmos.NewPartitionKeyString(key), text, nil)
		if acceptExisting(mayBeApplied) && is(err, ErrExists) {
			return out.Response, nil
		}
		return out.Response, err
	})
}

// is reports whether err, an error of the SDK, means kind.
func is(err, kind error) bool { return err != nil && errors.Is(MapError(err), kind) }

// Upsert writes a document, replacing any existing one.
func (c *Container) Upsert(ctx context.Context, key string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return c.do(ctx, key, func(bool) (azcosmos.Response, error) {
		out, err := c.client.UpsertItem(ctx, azcosmos.NewPartitionKeyString(key), text, nil)
		return out.Response, err
	})
}

// Replace replaces the document whose ETag is ifMatch and returns the new ETag. Errors: ErrChanged when the document
// has another ETag, ErrNotFound when there is none. After an attempt without a response, Replace reads the stored
// document to find out whether that attempt was applied.
func (c *Container) Replace(ctx context.Context, key, id string, v any, ifMatch azcore.ETag) (azcore.ETag, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	var newETag azcore.ETag
	err = c.do(ctx, key, func(mayBeApplied bool) (azcosmos.Response, error) {
		out, err := c.client.ReplaceItem(ctx, azcosmos.NewPartitionKeyString(key), id, text,
			&azcosmos.ItemOptions{IfMatchEtag: &ifMatch})
		newETag = out.ETag
		if mayBeApplied && is(err, ErrChanged) {
			if etag, equal := c.storedEquals(ctx, key, id, text); equal {
				newETag, err = etag, nil
			}
		}
		return out.Response, err
	})
	return newETag, err
}

// Patch changes a document and decodes the result into v. Errors: ErrNotFound, and ErrChanged when the condition of the
// operations does not hold.
func (c *Container) Patch(ctx context.Context, key, id string, ops azcosmos.PatchOperations, v any) error {
	var out azcosmos.ItemResponse
	err := c.do(ctx, key, func(bool) (_ azcosmos.Response, err error) {
		out, err = c.client.PatchItem(ctx, azcosmos.NewPartitionKeyString(key), id, ops,
			&azcosmos.ItemOptions{EnableContentResponseOnWrite: true})
		return out.Response, err
	})
	if err != nil {
		return err
	}
	return json.Unmarshal(out.Value, v)
}

// Delete removes a document; when ifMatch is not empty, only if the document has that ETag. Errors: ErrNotFound, and
// ErrChanged when the ETag differs.
func (c *Container) Delete(ctx context.Context, key, id string, ifMatch azcore.ETag) error {
	var options *azcosmos.ItemOptions
	if ifMatch != "" {
		options = &azcosmos.ItemOptions{IfMatchEtag: &ifMatch}
	}
	return c.do(ctx, key, func(bool) (azcosmos.Response, error) {
		out, err := c.client.DeleteItem(ctx, azcosmos.NewPartitionKeyString(key), id, options)
		return out.Response, err
	})
}
