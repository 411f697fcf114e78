package cloudwatch

import "strconv"

// slicePage is the part of a list after those that were told before, and the token of the next one.
func slicePage[T any](all []T, skip, most int) (part []T, next *string) {
	all = all[min(skip, len(all)):]
	if len(all) <= most {
		return all, nil
	}
	token := strconv.Itoa(skip + most)
	return all[:most], &token
}

// maxRecords checks how many records a page is to have, 100 at most, which is also the default here.
func maxRecords(asked *int64) (int, error) {
	n := or(asked, 100)
	if n < 1 || n > 100 {
		return 0, constraintError(strconv.FormatInt(n, 10), "maxRecords", "Member must have value between 1 and 100")
	}
	return int(n), nil
}
