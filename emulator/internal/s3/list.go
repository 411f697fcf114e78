package s3

import (
	"cmp"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

func compareText(a, b string) int { return cmp.Compare(a, b) }

// Keys returns the keys of a bucket that begin with prefix, in the order of their bytes.
func (s *Store) Keys(bucket, prefix string) ([]string, error) {
	root, err := s.bucket(bucket)
	if err != nil {
		return nil, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	var keys []string
	err = walk(root, bucket, "", prefix, func(key string) { keys = append(keys, key) })
	slices.Sort(keys)
	return keys, err
}

// walk visits the keys below a folder of a bucket. above is the part of the keys that all of them begin with.
func walk(root *os.Root, dir, above, prefix string, visit func(key string)) error {
	entries, err := fs.ReadDir(root.FS(), dir)
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
				if err := walk(root, path.Join(dir, e.Name()), below, prefix, visit); err != nil {
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
func (s *Store) list(bucket, prefix, delimiter, after string, limit int) (*page, error) {
	keys, err := s.Keys(bucket, prefix)
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
			p.Truncated = true
			break
		}
		if p.Last = entry; common {
			p.Prefixes = append(p.Prefixes, entry)
			continue
		}
		name, _ := pathOf(key)
		info, err := root.Stat(bucket + "/" + name)
		if err != nil {
			continue // deleted in the meantime
		}
		o, err := describe(root, bucket, key, info)
		if err != nil {
			continue
		}
		p.Objects = append(p.Objects, o)
	}
	return p, nil
}
