package control

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// The rules for tags, with the messages that AWS's controllers for Kubernetes recorded (ack-api-quirks, 2026-10-08). A
// request with one invalid tag changes nothing.

const (
	maxTags           = 50
	maxTagKeyLength   = 128 // characters
	maxTagValueLength = 256 // characters
	maxTagBytes       = 10240
)

// checkNewTags checks the tags that a request attaches.
func checkNewTags(tags []TagInput) error {
	seen := make(map[string]bool, len(tags))
	for _, t := range tags {
		if err := checkTagKey(t.Key); err != nil {
			return err
		}
		if t.Value == nil || utf8.RuneCountInString(*t.Value) > maxTagValueLength || !isTagText(*t.Value) {
			return wire.ValidationError("The Tag Value provided is invalid, Value: " + orNull(t.Value))
		}
		if seen[*t.Key] {
			return wire.ValidationError("Duplicate Tag Keys provided as input: Duplicate Tag Key found " + *t.Key)
		}
		seen[*t.Key] = true
	}
	if len(tags) > maxTags {
		return tooManyTags()
	}
	return nil
}

// checkTagSet checks the tags that a resource has after TagResource: their number, and the size of their keys and
// values in UTF-8 (ack-api-quirks DDB-TABLE-109 and DDB-TABLE-442, 2026-10-09; how the service counts was not recorded,
// nor whether CreateTable has the limit).
func checkTagSet(tags []engine.Tag) error {
	if len(tags) > maxTags {
		return tooManyTags()
	}
	size := 0
	for _, t := range tags {
		size += len(t.Key) + len(t.Value)
	}
	if size > maxTagBytes {
		return wire.ValidationError(fmt.Sprintf("Tag set size %d bytes is above max size limit of %d bytes", size,
			maxTagBytes))
	}
	return nil
}

// checkTagKey checks the key of a tag that a request attaches or removes.
func checkTagKey(key *string) error {
	switch {
	case key == nil, *key == "", utf8.RuneCountInString(*key) > maxTagKeyLength, !isTagText(*key):
		return wire.ValidationError("The Tag Key provided is invalid, Key: " + orNull(key))
	case len(*key) >= 4 && strings.EqualFold((*key)[:4], "aws:"):
		return wire.ValidationError("Tag Key cannot be prefixed with aws:, Key: " + *key)
	}
	return nil
}

// isTagText reports whether a text consists of letters, digits, spaces and + - = . _ : / @.
func isTagText(s string) bool {
	return strings.IndexFunc(s, func(c rune) bool {
		return !unicode.In(c, unicode.L, unicode.N, unicode.Z) && !strings.ContainsRune("+-=._:/@", c)
	}) < 0
}

func orNull(s *string) string {
	if s == nil {
		return "null"
	}
	return *s
}

func tooManyTags() *wire.Error {
	return wire.ValidationError("Number of Tags exceed the current limit for the provided ResourceArn")
}
