package item

import (
	"bytes"
	"encoding/base64"
	"errors"
	"slices"
	"strings"
)

const invalidParameters = "One or more parameter values were invalid: "

// duplicateError returns the service's error about a set with a repeated member. It shows the members of string and
// binary sets, in a different form for each wording.
func duplicateError(t Type, sequence []byte, legacy bool) error {
	if t == NumberSet && legacy {
		return errors.New("Input collection contains duplicates")
	}
	if t == NumberSet {
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
	texts := make([]string, len(members))
	for i, m := range members {
		if texts[i] = string(m); t == BinarySet {
			texts[i] = base64.StdEncoding.EncodeToString(m)
		}
		if !legacy {
			texts[i] = `"` + texts[i] + `"`
		}
	}
	separator := ", "
	if t == BinarySet && !legacy {
		separator = ","
	}
	return "[" + strings.Join(texts, separator) + "]"
}
