package s3

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

func compareText(a, b string) int { return cmp.Compare(a, b) }

// Keys returns the keys of a bucket that begin with prefix, in the order of their bytes.
func (s *Store) Keys(bucket, prefix string) ([]string, error) {
	return s.keys(context.Background(), bucket, prefix)
}

// keys is Keys that stops when ctx is done. Requests may change the bucket at the same time: the result may or may not
// contain a key that is added or deleted.
func (s *Store) keys(ctx context.Context, bucket, prefix string) ([]string, error) {
	root, err := s.bucket(bucket)
	if err != nil {
		return nil, err
	}
	var keys []string
	err = walk(ctx, root, bucket, "", prefix, func(key string) { keys = append(keys, key) })
	slices.Sort(keys)
	return keys, err
}

// walk visits the keys below a folder of a bucket. above is the common beginning of these keys.
func walk(ctx context.Context, root *os.Root, dir, above, prefix string, visit func(key string)) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	entries, err := fs.ReadDir(root.FS(), dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // deleted in the meantime
	}
	if err != nil {
		return storageError(err)
	}
	for _, e := range entries {
		segment, ok := segmentOf(e.Name())
		if !ok {
			continue // no key has this file
		}
		key := above + segment
		switch {
		case e.IsDir():
			if below := key + "/"; strings.HasPrefix(below, prefix) || strings.HasPrefix(prefix, below) {
				if err := walk(ctx, root, path.Join(dir, e.Name()), below, prefix, visit); err != nil {
					return err
				}
			}
		case e.Type().IsRegular() && strings.HasPrefix(key, prefix) && len(key) <= maxKey && key != "":
			visit(key)
		}
	}
	return nil
}

// page is a page of a listing.
type page struct {
	Objects   []*Object
	Prefixes  []string // the common prefixes of keys with a delimiter
	Truncated bool
	Last      string // the last key or common prefix
}

// list returns the page of at most limit keys and common prefixes after a key or common prefix.
func (s *Store) list(ctx context.Context, bucket, prefix, delimiter, after string, limit int) (*page, error) {
	keys, err := s.keys(ctx, bucket, prefix)
	if err != nil {
		return nil, err
	}
	root, err := s.bucket(bucket)
	if err != nil {
		return nil, err
	}
	p := new(page)
	for _, key := range keys {
		entry, common := key, false
		if i := strings.Index(key[len(prefix):], delimiter); delimiter != "" && i >= 0 {
			entry, common = key[:len(prefix)+i+len(delimiter)], true
		}
		if entry <= after && after != "" || common && entry == p.Last {
			continue
		}
		if len(p.Objects)+len(p.Prefixes) == limit {
			p.Truncated = limit > 0
			break
		}
		if p.Last = entry; common {
			p.Prefixes = append(p.Prefixes, entry)
			continue
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		o, err := s.stat(root, bucket, key)
		if err != nil {
			continue // deleted in the meantime
		}
		p.Objects = append(p.Objects, o)
	}
	return p, nil
}
