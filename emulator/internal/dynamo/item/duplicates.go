package item

import (
	"bytes"
	"encoding/base64"
	"errors"
	"slices"
)

const invalidParameters = "One or more parameter values were invalid: "

// maxListed is the largest size in bytes of the members, each with its length, that an error lists: no item of 400 KB
// has a set of more. The list takes many times the memory of the request.
const maxListed = 600 << 10

// duplicateError returns the service's error about a set with a repeated member. It shows the members of string and
// binary sets, in a different form for each wording.
func duplicateError(t Type, sequence []byte, legacy bool) error {
	if t == NumberSet && legacy {
		return errors.New("Input collection contains duplicates")
	}
	if t == NumberSet || len(sequence) > maxListed {
		return errors.New(invalidParameters + "Input collection contains duplicates.")
	}
	var members [][]byte
	for len(sequence) > 0 {
		var m []byte
		m, sequence = splitText(sequence)
		members = append(members, m)
	}
	if !legacy {
		members = sortUntilRepeated(members)
	}
	formatted := formatMembers(t, members, legacy)
	if t == BinarySet {
		return errors.New(invalidParameters + "Input collection " + formatted + "of type BS contains duplicates.")
	}
	return errors.New(invalidParameters + "Input collection " + formatted + " contains duplicates.")
}

// sortUntilRepeated orders members as the newer wording does: those before the first repetition are sorted by bytes,
// the others are as sent. (paritysuite/dynamodb-conformance, captures of 2026-10.)
func sortUntilRepeated(members [][]byte) [][]byte {
	before := map[string]bool{}
	for i, m := range members {
		if before[string(m)] {
			slices.SortFunc(members[:i], bytes.Compare)
			break
		}
		before[string(m)] = true
	}
	return members
}

func formatMembers(t Type, members [][]byte, legacy bool) string {
	quote, separator := "", ", "
	if !legacy {
		quote = `"`
	}
	if t == BinarySet && !legacy {
		separator = ","
	}
	text := []byte("[")
	for i, m := range members {
		if i > 0 {
			text = append(text, separator...)
		}
		text = append(text, quote...)
		if t == BinarySet {
			text = base64.StdEncoding.AppendEncode(text, m)
		} else {
			text = append(text, m...)
		}
		text = append(text, quote...)
	}
	return string(append(text, ']'))
}
