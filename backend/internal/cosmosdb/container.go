package cosmosdb

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/tabletop-db/tabletop/backend/internal/retry"
)

// Container is a container whose partition key is one text. Each call is repeated while the database is too busy or
// does not answer, for about a quarter of a minute beyond what the SDK does by itself; so nothing is lost to throttling
// (NT-L7).
type Container struct {
	client *azcosmos.ContainerClient
	wait   retry.Wait
}

// NewContainer is the container of a client.
func NewContainer(client *azcosmos.ContainerClient, wait retry.Wait) *Container {
	return &Container{client, wait}
}

const (
	tries      = 10
	firstPause = 20 * time.Millisecond // in the mean; doubles from try to try, unless the database asks for more
	longPause  = 5 * time.Second
)

// do repeats call, which is about a partition key, while that may help. doubtful tells it that an earlier try may have
// been done though no answer came.
func (c *Container) do(ctx context.Context, key string, call func(doubtful bool) (azcosmos.Response, error)) error {
	doubtful, pause := false, time.Duration(0)
	p := retry.Policy{
		On: []error{ErrBusy, ErrNoDatabase}, Tries: tries, First: firstPause, Longest: longPause, Wait: c.wait,
		Asked: func(error) time.Duration { return pause },
	}
	return p.Do(ctx, func() error {
		out, err := call(doubtful)
		c.heard(ctx, key, out, err)
		if err == nil {
			return nil
		}
		pause = asked(err)
		doubtful = doubtful || pause == 0
		return Explain(err)
	})
}

// Read reads a document into v by its id and partition key, and gives its ETag. ErrMissing when there is none.
func (c *Container) Read(ctx context.Context, key, id string, v any) (azcore.ETag, error) {
	var out azcosmos.ItemResponse
	err := c.do(ctx, key, func(bool) (_ azcosmos.Response, err error) {
		out, err = c.client.ReadItem(ctx, azcosmos.NewPartitionKeyString(key), id, &azcosmos.ItemOptions{SessionToken: c.session(ctx, key)})
		return out.Response, err
	})
	if err != nil {
		return "", err
	}
	return out.ETag, json.Unmarshal(out.Value, v)
}

// Create writes a new document with an id that nobody else makes up. ErrExists when it is there, unless an earlier try
// of this call may have made it.
func (c *Container) Create(ctx context.Context, key string, v any) error {
	return c.create(ctx, key, v, func(doubtful bool) bool { return doubtful })
}

// CreateNamed writes a new document with an id that others make up too. ErrExists when it is there, also where an
// earlier try of this call may have made it.
func (c *Container) CreateNamed(ctx context.Context, key string, v any) error {
	return c.create(ctx, key, v, func(bool) bool { return false })
}

func (c *Container) create(ctx context.Context, key string, v any, ours func(doubtful bool) bool) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return c.do(ctx, key, func(doubtful bool) (azcosmos.Response, error) {
		out, err := c.client.CreateItem(ctx, azcosmos.NewPartitionKeyString(key), text, nil)
		if ours(doubtful) && is(err, ErrExists) {
			return out.Response, nil
		}
		return out.Response, err
	})
}

// is reports whether an error of the SDK means kind.
func is(err, kind error) bool { return err != nil && errors.Is(Explain(err), kind) }

// Upsert writes a document, whatever was there.
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

// Replace writes a document in place of the one of this ETag. ErrChanged when another one is there, ErrMissing when
// none is. Of a try without an answer the document that is there tells whether it was done.
func (c *Container) Replace(ctx context.Context, key, id string, v any, as azcore.ETag) (azcore.ETag, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	var now azcore.ETag
	err = c.do(ctx, key, func(doubtful bool) (azcosmos.Response, error) {
		out, err := c.client.ReplaceItem(ctx, azcosmos.NewPartitionKeyString(key), id, text, &azcosmos.ItemOptions{IfMatchEtag: &as})
		now = out.ETag
		if doubtful && is(err, ErrChanged) {
			if etag, same := c.same(ctx, key, id, text); same {
				now, err = etag, nil
			}
		}
		return out.Response, err
	})
	return now, err
}

// Patch changes a document and reads it as it is then into v. ErrMissing when there is none, ErrChanged when the
// condition of the operations does not hold.
func (c *Container) Patch(ctx context.Context, key, id string, ops azcosmos.PatchOperations, v any) error {
	var out azcosmos.ItemResponse
	err := c.do(ctx, key, func(bool) (_ azcosmos.Response, err error) {
		out, err = c.client.PatchItem(ctx, azcosmos.NewPartitionKeyString(key), id, ops, &azcosmos.ItemOptions{EnableContentResponseOnWrite: true})
		return out.Response, err
	})
	if err != nil {
		return err
	}
	return json.Unmarshal(out.Value, v)
}

// Delete removes a document; with an ETag only while it has that. ErrMissing when it is gone, ErrChanged when it
// changed.
func (c *Container) Delete(ctx context.Context, key, id string, as azcore.ETag) error {
	var options *azcosmos.ItemOptions
	if as != "" {
		options = &azcosmos.ItemOptions{IfMatchEtag: &as}
	}
	return c.do(ctx, key, func(bool) (azcosmos.Response, error) {
		out, err := c.client.DeleteItem(ctx, azcosmos.NewPartitionKeyString(key), id, options)
		return out.Response, err
	})
}
