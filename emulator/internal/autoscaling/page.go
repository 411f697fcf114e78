package autoscaling

import (
	"encoding/base64"
	"slices"
)

// sorted sorts keys.
func sorted(all []key) []key {
	slices.SortFunc(all, key.compare)
	return all
}

// pageInput is the part of an input that asks for a page.
type pageInput struct {
	MaxResults *int
	NextToken  *string
}

// page returns the elements of a page, at most most of them, and the token of the next one. The token is the name of
// the page's last element. Elements are in the order of their names, if the page is not the first. Errors: a token that
// is none. MaxResults 0 is an empty page (2026-09-17).
func page[T any](all []T, in pageInput, most int, name func(T) string) (some []T, next *string, err error) {
	if in.MaxResults != nil {
		if *in.MaxResults < 0 { // the text is ours
			return nil, nil, invalid("MaxResults cannot be less than 0")
		}
		most = min(most, *in.MaxResults)
	}
	if in.NextToken != nil {
		last, err := base64.URLEncoding.DecodeString(*in.NextToken)
		at := slices.IndexFunc(all, func(e T) bool { return name(e) == string(last) })
		if err != nil || at < 0 {
			return nil, nil, serviceError("InvalidNextTokenException", "The NextToken value is not valid")
		}
		all = all[at+1:]
	}
	if len(all) <= most || most == 0 {
		return append([]T{}, all[:min(len(all), most)]...), nil, nil
	}
	token := base64.URLEncoding.EncodeToString([]byte(name(all[most-1])))
	return all[:most], &token, nil
}
