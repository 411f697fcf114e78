package control

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// The rules for tags, with the messages that AWS's controllers for Kubernetes recorded (ack-api-quirks, 2026-10-08). A
// request with one invalid tag changes nothing. The limit of a set's size in bytes is not known, and is not checked.

const (
	maxTags           = 50
	maxTagKeyLength   = 128 // characters
	maxTagValueLength = 256 // characters
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
