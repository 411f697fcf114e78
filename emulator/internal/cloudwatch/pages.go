package cloudwatch

import "strconv"

// slicePage returns a page of a list after the first skip items, and the token of the next page.
func slicePage[T any](all []T, skip, most int) (part []T, next *string) {
	all = all[min(skip, len(all)):]
	if len(all) <= most {
		return all, nil
	}
	token := strconv.Itoa(skip + most)
	return all[:most], &token
}

// maxRecords checks the size of a page, which is at most 100, also the default.
func maxRecords(requested *int64) (int, error) {
	n := valueOr(requested, 100)
	if n < 1 || n > 100 {
		return 0, constraintError(strconv.FormatInt(n, 10), "maxRecords", "Member must have value between 1 and 100")
	}
	return int(n), nil
}
