package store

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/cockroachdb/pebble/v2"
)

// noFile replaces the path if Pebble names no file.
const noFile = "of the database"

// damageFrom returns the Failure for a Pebble error about a file that cannot be read, and the number of the table, or 0
// if the file is not a table.
func damageFrom(err error) (f *Failure, number uint64) {
	f = &Failure{Damaged: true, Path: noFile, Err: errors.New(shortMessage(err))}
	var unread *ReadError
	var path *fs.PathError
	info := pebble.ExtractDataCorruptionInfo(err)
	switch {
	case info != nil:
		f.Path, f.FirstKey, f.LastKey = info.Path, info.Bounds.Start, info.Bounds.End.Key
	case errors.As(err, &unread):
		f.Path, f.Err = unread.Path, unread.Err
	case errors.As(err, &path):
		f.Path, f.Err = path.Path, path.Err
	default:
		return f, tableIn(f.Err.Error())
	}
	return f, tableOf(f.Path)
}

// tableOf returns the number of the table with that path, or 0 if it is not a table.
func tableOf(path string) uint64 {
	if digits, ok := strings.CutSuffix(filepath.Base(path), ".sst"); ok {
		number, _ := strconv.ParseUint(digits, 10, 64)
		return number
	}
	return 0
}

// numbered finds a table's number in a Pebble message. For the index and the properties of a table, nothing else names
// it.
var numbered = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(?:file|table) (\d{6,})\b`) })

func tableIn(text string) uint64 {
	if found := numbered().FindStringSubmatch(text); found != nil {
		number, _ := strconv.ParseUint(found[1], 10, 64)
		return number
	}
	return 0
}

// locate completes a Failure of a table by its path and its keys, from the manifest. It waits until the database is
// open.
func (s *Store) locate(f *Failure, number uint64) {
	<-s.opened
	if number == 0 || s.db == nil || !s.ops.enter() {
		return
	}
	defer s.ops.leave()
	live, err := liveTables(pebbleOf(s))
	if err != nil {
		return
	}
	for _, t := range live {
		if t.number == number {
			f.Path, f.FirstKey, f.LastKey = filepath.Join(s.data, tableName(number)), t.from, t.to
		}
	}
}

// tableName returns the file name of a sorted table.
func tableName(number uint64) string { return fmt.Sprintf("%06d.sst", number) }

// liveTables returns the sorted tables of a database, without reading them.
func liveTables(db *pebble.DB) ([]liveTable, error) {
	levels, err := db.SSTables()
	if err != nil {
		return nil, err
	}
	live := []liveTable{}
	for _, level := range levels {
		for _, t := range level {
			live = append(live, liveTable{uint64(t.BackingSSTNum), keyRange{t.Smallest.UserKey, t.Largest.UserKey}})
		}
	}
	return live, nil
}
